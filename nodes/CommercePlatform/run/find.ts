import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, mayRefuseParameter, settled } from '../../shared/errors/errors';
import { searchedText } from '../../shared/values/readers';
import type { Call } from './operation';
import { recordPathOf } from './plan';
import { searched } from './records';
import { counted } from './report';

/** What people call a record by, e.g. an order's number. The API document gives no way to find a record by it. */
export interface NaturalKey {
	/** The list to look in, e.g. `/orders`. */
	path: string;
	/** False where the API document gives the list no query: it is read as it is. */
	takesQuery?: false;
	/** In the plural, e.g. `orders`. */
	records: string;
	/** e.g. `order numbers` */
	keys: string;
	/** What a record is called, in the form in which it is compared. */
	keysOf(record: IDataObject): string[];
	/** What the user entered, in that form. */
	plain(entered: string): string;
	/** Pages that are read where the platform's search does not find it; each is a request. None: the search counts. */
	maxPages?: number;
}

type FindCall = Pick<Call, 'client' | 'hint'>;

/** What the items of a run share of looking for records by one key. */
interface Known {
	walk?: ReturnType<typeof walkThrough>;
	/** Whether the platform's search finds such names. */
	finds?: Promise<boolean>;
}

/** By the list in which they are looked for. */
const known = new WeakMap<PlatformClient, Partial<Record<string, Known>>>();

/**
 * Finds records by what people call them: by the platform's search (`q`: API document, "Common query parameters on
 * list endpoints"), and where that does not find such names, by reading the list from the newest, once for all
 * items of a run.
 *
 * @returns the records, and what was looked at for them as a sentence; empty where the platform has searched
 * @throws PlatformError
 */
export async function recordsNamed(
	call: FindCall,
	key: NaturalKey,
	entered: string,
): Promise<{ records: IDataObject[]; looked: string }> {
	const wanted = key.plain(entered);
	const ofClient = known.get(call.client) ?? {};
	known.set(call.client, ofClient);
	const shared = (ofClient[key.path] ??= {});
	const before = await shared.walk;
	if (before === undefined || !(before.whole || before.byKey.has(wanted))) {
		const records = await bySearch(call.client, key, wanted, shared);
		if (records !== undefined) return { records, looked: '' };
	}
	const { byKey, looked } = await (shared.walk ??= walkThrough(call, key));
	return { records: eachOnce(byKey.get(wanted) ?? []), looked };
}

/** @returns undefined where the platform's search cannot be relied on for such names */
async function bySearch(
	client: PlatformClient,
	key: NaturalKey,
	wanted: string,
	shared: Known,
): Promise<IDataObject[] | undefined> {
	if (key.takesQuery === false) return undefined;
	const searchCounts = key.maxPages === undefined;
	const search = await settled(searchFor(client, key, wanted));
	if (search.status === 'rejected') {
		if (searchCounts || !mayRefuseParameter(search.reason)) throw search.reason;
		return undefined;
	}
	const { hits, matches, whole } = search.value;
	if (searchCounts) return matches;
	if (matches.length > 0) return whole ? matches : undefined;
	if (!whole || !hits.every((hit) => mentions(hit, wanted))) return undefined;
	return (await (shared.finds ??= findsNames(client, key))) ? [] : undefined;
}

async function searchFor(client: PlatformClient, { path, keysOf }: NaturalKey, wanted: string) {
	const one = (q: string) => ({ method: 'GET' as const, path, query: { q } });
	const { records: hits, whole } = await searched(client, { one }, wanted);
	const matches = hits.filter((hit) => keysOf(hit).includes(wanted));
	return { hits, whole, matches: eachOnce(matches) };
}

const mentions = (record: IDataObject, wanted: string): boolean =>
	JSON.stringify(record).toLowerCase().includes(wanted.toLowerCase());

/**
 * Whether the platform's search finds such names: it is tried with one that exists, so that "nothing found" can be
 * believed.
 */
async function findsNames(client: PlatformClient, key: NaturalKey): Promise<boolean> {
	const list = { method: 'GET', path: key.path } as const;
	for await (const { records } of client.pages(list, { limit: 5, newestFirst: true })) {
		const name = records.flatMap((record) => key.keysOf(record)).find((one) => !one.includes('*'));
		return name !== undefined && (await searchFor(client, key, name)).matches.length > 0;
	}
	return false;
}

/**
 * Reads the list, newest first.
 *
 * @returns what was read, by what its records are called, and as a sentence for who finds nothing in it
 */
async function walkThrough({ client, hint }: FindCall, key: NaturalKey) {
	const { path, takesQuery, maxPages, keysOf } = key;
	const byKey = new Map<string, IDataObject[]>();
	let whole = false;
	let requests = 0;
	let walked = 0;
	const list = { method: 'GET', path } as const;
	const options = { maxPages, takesQuery, newestFirst: true };
	for await (const { records, hasMore } of client.pages(list, options)) {
		requests++;
		walked += records.length;
		whole = !hasMore;
		for (const record of records)
			for (const name of keysOf(record))
				if (byKey.get(name)?.push(record) === undefined) byKey.set(name, [record]);
	}
	const looked = `${counted(walked)} ${key.records}`;
	if (takesQuery !== false)
		hint(
			`The platform’s search did not answer for ${key.keys}, so ${whole ? 'all' : 'the newest'} ${looked} were read: ${requests} requests, once for this run.`,
		);
	const sentence = whole
		? `None of the ${looked} has it.`
		: `It is not among the newest ${looked}.`;
	return { byKey, whole, looked: sentence };
}

/** A record that changes during a walk may come twice. */
const eachOnce = (records: IDataObject[]): IDataObject[] => [
	...new Map(
		records.filter(({ id }) => typeof id === 'string').map((one) => [one.id, one]),
	).values(),
];

/**
 * A way to name a record by what people call it: puts the ID in the place of that, and holds other items back from the
 * record.
 *
 * @param parameter the resource locator's, e.g. `productId`
 * @param mode the locator's mode, e.g. `handle`
 * @param field the locator's display name, for messages
 * @returns gives the request with the ID; throws an InputError when there is no such record, or several
 */
export function lookUpKey(parameter: string, mode: string, field: string, key: NaturalKey) {
	return async (call: Call): Promise<PlatformRequest> => {
		const { request, item } = call;
		if (item.lookUpMode(parameter) !== mode) return request;
		const wanted = searchedText(field, (request.pathParams?.[parameter] ?? '').trim());
		const { records, looked } = await recordsNamed(call, key, wanted);
		if (records.length !== 1) {
			const isNone = records.length === 0;
			const problem = isNone ? 'was not found' : `names ${records.length} records`;
			const remedy = `${isNone ? looked : ''} Use its ID.`.trim();
			throw new InputError(field, `with the ${mode} “${wanted}” ${problem}`, remedy);
		}
		const pathParams = { ...request.pathParams, [parameter]: String(records[0].id) };
		const found = { ...request, pathParams };
		// Two names may have led to one record.
		await call.lock(recordPathOf(found) ?? found.path);
		return found;
	};
}
