import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { MAX_PAGE_SIZE, newestFirst } from '../../shared/api/pages';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError, mayRefuseParameter, settled } from '../../shared/errors/errors';
import { searchedText } from '../../shared/values/readers';
import type { Call } from './operation';
import { recordPathOf } from './plan';

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

/** The records of one name, and how many were looked at for it. */
interface Named {
	records: IDataObject[];
	/** Records that were read one by one, where the platform's search did not do. */
	walked?: number;
	/** Whether these were all that there are. */
	whole?: boolean;
}

type FindCall = Pick<Call, 'client' | 'hint'>;

/** Pages of a search at most: what is not among its first 1,000 hits is not found by it. */
const MAX_SEARCH_PAGES = 4;

/** What the items of a run share of looking for records by one key. */
interface Known {
	walk?: Promise<Walk>;
	/** Whether the platform's search finds such names. */
	finds?: Promise<boolean>;
}

const known = new WeakMap<PlatformClient, Map<NaturalKey, Known>>();

function knownOf(client: PlatformClient, key: NaturalKey): Known {
	const ofClient = known.get(client) ?? new Map<NaturalKey, Known>();
	known.set(client, ofClient);
	const ofKey = ofClient.get(key) ?? {};
	ofClient.set(key, ofKey);
	return ofKey;
}

/**
 * Finds records by what people call them: by the platform's search (`q`: API document, "Common query parameters on
 * list endpoints"), and where that does not find such names, by reading the list from the newest, once for all
 * items of a run.
 *
 * @throws PlatformError
 */
export async function recordsNamed(
	call: FindCall,
	key: NaturalKey,
	entered: string,
): Promise<Named> {
	const wanted = key.plain(entered);
	if (key.maxPages === undefined)
		return { records: (await searchFor(call.client, key, wanted)).matches };
	const shared = knownOf(call.client, key);
	const before = await shared.walk;
	if (before === undefined || !(before.whole || before.byKey.has(wanted))) {
		const found = key.takesQuery === false ? undefined : await searched(call.client, key, wanted);
		if (found !== undefined) return { records: found };
	}
	const { byKey, ...walk } = await (shared.walk ??= walkThrough(call, key));
	return { ...walk, records: eachOnce(byKey.get(wanted) ?? []) };
}

/** @returns undefined where the platform's search cannot be relied on for such names */
async function searched(
	client: PlatformClient,
	key: NaturalKey,
	wanted: string,
): Promise<IDataObject[] | undefined> {
	const search = await settled(searchFor(client, key, wanted));
	if (search.status === 'rejected') {
		if (!mayRefuseParameter(search.reason)) throw search.reason;
		return undefined;
	}
	const { hits, matches, whole } = search.value;
	if (matches.length > 0) return whole ? matches : undefined;
	if (!whole || !hits.every((hit) => mentions(hit, wanted))) return undefined;
	return (await (knownOf(client, key).finds ??= findsNames(client, key))) ? [] : undefined;
}

async function searchFor(client: PlatformClient, key: NaturalKey, wanted: string) {
	const hits: IDataObject[] = [];
	let whole = false;
	const request = { method: 'GET' as const, path: key.path, query: { q: wanted } };
	for await (const page of client.pages(request, { maxPages: MAX_SEARCH_PAGES })) {
		hits.push(...page.records);
		whole = !page.hasMore;
	}
	const matches = hits.filter((hit) => key.keysOf(hit).includes(wanted));
	return { hits, whole, matches: eachOnce(matches) };
}

const mentions = (record: IDataObject, wanted: string): boolean =>
	JSON.stringify(record).toLowerCase().includes(wanted.toLowerCase());

/**
 * Whether the platform's search finds such names: it is tried with one that exists, so that "nothing found" can be
 * believed.
 */
async function findsNames(client: PlatformClient, key: NaturalKey): Promise<boolean> {
	const newest = newestFirst(client, { method: 'GET', path: key.path }, { limit: 5 });
	for await (const { records } of newest) {
		const name = records.flatMap((record) => key.keysOf(record)).find((one) => !one.includes('*'));
		if (name === undefined) return false;
		return (await searchFor(client, key, name)).matches.length > 0;
	}
	return false;
}

/** What was read of a list, by what its records are called. */
interface Walk {
	byKey: Map<string, IDataObject[]>;
	walked: number;
	whole: boolean;
}

/** Reads the list, newest first. */
async function walkThrough({ client, hint }: FindCall, key: NaturalKey): Promise<Walk> {
	const { path, takesQuery, maxPages } = key;
	const walk: Walk = { byKey: new Map(), walked: 0, whole: false };
	let read = 0;
	const list = { method: 'GET', path } as const;
	const pages =
		takesQuery === false
			? client.pages(list, { maxPages, takesQuery })
			: newestFirst(client, list, { maxPages, pageSize: MAX_PAGE_SIZE });
	for await (const page of pages) {
		read++;
		walk.walked += page.records.length;
		walk.whole = !page.hasMore;
		for (const record of page.records)
			for (const name of key.keysOf(record))
				if (walk.byKey.get(name)?.push(record) === undefined) walk.byKey.set(name, [record]);
	}
	if (takesQuery !== false) hint(costOf(key, walk, read));
	return walk;
}

/** A record that changes during a walk may come twice. */
const eachOnce = (records: IDataObject[]): IDataObject[] => [
	...new Map(
		records.filter(({ id }) => typeof id === 'string').map((one) => [one.id, one]),
	).values(),
];

const costOf = ({ records, keys }: NaturalKey, { walked, whole }: Walk, pages: number): string =>
	`The platform’s search did not answer for ${keys}, so ${whole ? 'all' : 'the newest'} ${walked.toLocaleString('en-US')} ${records} were read: ${pages} requests, once for this run.`;

/** What was looked at in vain, as a sentence; empty where the platform has searched. */
export function walkedText({ walked, whole }: Named, { records }: NaturalKey): string {
	if (walked === undefined) return '';
	const number = walked.toLocaleString('en-US');
	return whole === true
		? `None of the ${number} ${records} has it.`
		: `It is not among the newest ${number} ${records}.`;
}

/** A way to name a record by what people call it. */
interface LookUp {
	/** The resource locator's parameter, e.g. `productId`. */
	parameter: string;
	/** The locator's mode, e.g. `handle`. */
	mode: string;
	/** The locator's display name, for messages. */
	field: string;
	key: NaturalKey;
}

/**
 * Puts the ID in the place of what the user named the record by, and holds other items back from that record.
 *
 * @returns the request with the ID
 * @throws InputError when there is no such record, or several
 */
export function lookUpKey({ parameter, mode, field, key }: LookUp) {
	return async (call: Call): Promise<PlatformRequest> => {
		const { request, item } = call;
		if (item.locatorMode(parameter) !== mode) return request;
		const entered = (request.pathParams?.[parameter] ?? '').trim();
		const wanted = searchedText(field, entered);
		const named = await recordsNamed(call, key, wanted);
		const [one, ...others] = named.records;
		if (one === undefined || others.length > 0) {
			const problem = one === undefined ? 'was not found' : `names ${named.records.length} records`;
			const looked = one === undefined ? walkedText(named, key) : '';
			throw new InputError(
				field,
				`with the ${mode} “${wanted}” ${problem}`,
				`${looked} Use its ID.`.trim(),
			);
		}
		const found = {
			...request,
			pathParams: { ...request.pathParams, [parameter]: String(one.id) },
		};
		// Two names may have led to one record.
		await call.lock(recordPathOf(found) ?? found.path);
		return found;
	};
}
