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
	/** In the plural, e.g. `orders`. */
	records: string;
	/** e.g. `order numbers` */
	keys: string;
	/** What a record is called, in the form in which it is compared. */
	keysOf(record: IDataObject): string[];
	/** What the user entered, in that form. */
	plain(entered: string): string;
	/** Pages that are read where the platform's search does not find it; each is a request. */
	maxPages: number;
}

/** The records of one name, and how many were looked at for it. */
export interface Named {
	records: IDataObject[];
	/** Records that were read one by one, where the platform's search did not do. */
	walked?: number;
	/** Whether these were all that there are. */
	whole?: boolean;
}

/** Pages of a search at most. */
const MAX_SEARCH_PAGES = 4;

/**
 * Finds records by what people call them: by the platform's search (`q`: API document, "Common query parameters on
 * list endpoints"), and where that does not find such names, by reading the list from the newest, once for all
 * items of a run.
 *
 * @throws PlatformError
 */
export async function recordsNamed(
	call: Pick<Call, 'client' | 'hint'>,
	key: NaturalKey,
	entered: string,
): Promise<Named> {
	const wanted = key.plain(entered);
	const before = await walks.get(call.client)?.get(key);
	if (before !== undefined && (before.whole || before.byKey.has(wanted)))
		return inWalk(before, wanted);
	const found = await searched(call.client, key, wanted);
	if (found !== undefined) return { records: found };
	return inWalk(await walkOnce(call, key), wanted);
}

const inWalk = (walk: Walk, wanted: string): Named => ({
	...walk,
	records: eachOnce(walk.byKey.get(wanted) ?? []),
});

/** What was looked at in vain, as a sentence; empty where the platform has searched. */
export function walkedText({ walked, whole }: Named, { records }: NaturalKey): string {
	if (walked === undefined) return '';
	const number = walked.toLocaleString('en-US');
	return whole === true
		? `None of the ${number} ${records} has it.`
		: `It is not among the newest ${number} ${records}.`;
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
	return (await findsNames(client, key)) ? [] : undefined;
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

const searches = new WeakMap<PlatformClient, Map<NaturalKey, Promise<boolean>>>();

/**
 * Whether the platform's search finds such names: it is tried with one that exists, so that "nothing found" can be
 * believed. Once for a run.
 */
async function findsNames(client: PlatformClient, key: NaturalKey): Promise<boolean> {
	return await once(searches, client, key, async () => {
		for await (const { records } of newestFirst(
			client,
			{ method: 'GET', path: key.path },
			{ limit: 5 },
		)) {
			const known = records
				.flatMap((record) => key.keysOf(record))
				.find((name) => !name.includes('*'));
			if (known === undefined) return false;
			return (await searchFor(client, key, known)).matches.length > 0;
		}
		return false;
	});
}

interface Walk {
	byKey: Map<string, IDataObject[]>;
	walked: number;
	whole: boolean;
}

const walks = new WeakMap<PlatformClient, Map<NaturalKey, Promise<Walk>>>();

/** Reads the list, newest first. Once for a run: a page is a request, and items of a run share what was read. */
async function walkOnce(
	{ client, hint }: Pick<Call, 'client' | 'hint'>,
	key: NaturalKey,
): Promise<Walk> {
	return await once(walks, client, key, async () => {
		const walk: Walk = { byKey: new Map(), walked: 0, whole: false };
		let pages = 0;
		const limits = { maxPages: key.maxPages, pageSize: MAX_PAGE_SIZE };
		for await (const page of newestFirst(client, { method: 'GET', path: key.path }, limits)) {
			pages++;
			walk.walked += page.records.length;
			walk.whole = !page.hasMore;
			for (const record of page.records) enter(walk.byKey, key.keysOf(record), record);
		}
		hint(costOf(key, walk, pages));
		return walk;
	});
}

function enter(byKey: Walk['byKey'], names: string[], record: IDataObject): void {
	for (const name of names) {
		const known = byKey.get(name);
		if (known === undefined) byKey.set(name, [record]);
		else known.push(record);
	}
}

/** A record that changes during a walk may come twice. */
const eachOnce = (records: IDataObject[]): IDataObject[] => [
	...new Map(
		records.filter(({ id }) => typeof id === 'string').map((one) => [one.id, one]),
	).values(),
];

const costOf = ({ records, keys }: NaturalKey, { walked, whole }: Walk, pages: number): string =>
	`The platform’s search did not answer for ${keys}, so ${whole ? 'all' : 'the newest'} ${walked.toLocaleString('en-US')} ${records} were read: ${pages} requests, once for this run.`;

async function once<T>(
	memory: WeakMap<PlatformClient, Map<NaturalKey, Promise<T>>>,
	client: PlatformClient,
	key: NaturalKey,
	work: () => Promise<T>,
): Promise<T> {
	const known = memory.get(client) ?? new Map<NaturalKey, Promise<T>>();
	memory.set(client, known);
	const begun = known.get(key) ?? work();
	known.set(key, begun);
	return await begun;
}

/** Pages of a search at most: what is not among its first 1,000 hits is not found by it. */
const MAX_PAGES = 4;

/** A way to name a record other than by its ID. */
interface LookUp {
	/** The resource locator's parameter, e.g. `productId`. */
	parameter: string;
	/** The locator's mode, which is also the record's field, e.g. `handle`. */
	mode: string;
	/** The list to look in, e.g. `/products`. */
	path: string;
	/** Whether the list takes `q` and `limit`; if not, it is read as it is. */
	takesQuery: boolean;
	/** The locator's display name, for messages. */
	field: string;
}

/**
 * Puts the ID in the place of what the user named the record by.
 *
 * @returns the request with the ID
 * @throws InputError when there is no such record, or several
 */
export function lookUp(by: LookUp) {
	return async (call: Call): Promise<PlatformRequest> => {
		const wanted = wantedBy(call, by);
		if (wanted === undefined) return call.request;
		return await withOneId(call, by, wanted, await findIds(call, by, wanted));
	};
}

/** A way to name a record by what people call it, found as {@link recordsNamed} finds it. */
interface KeyLookUp extends Pick<LookUp, 'parameter' | 'mode' | 'field'> {
	key: NaturalKey;
}

/** The same for what people call a record, e.g. its number. */
export function lookUpKey(by: KeyLookUp) {
	return async (call: Call): Promise<PlatformRequest> => {
		const wanted = wantedBy(call, by);
		if (wanted === undefined) return call.request;
		const found = await recordsNamed(call, by.key, wanted);
		const ids = found.records.map(({ id }) => String(id));
		return await withOneId(call, by, wanted, ids, walkedText(found, by.key));
	};
}

/** What the user named the record by; undefined where that is its ID already. */
function wantedBy({ request, item }: Call, by: Pick<LookUp, 'parameter' | 'mode' | 'field'>) {
	if (item.locatorMode(by.parameter) !== by.mode) return undefined;
	return searchedText(by.field, String(request.pathParams?.[by.parameter] ?? '').trim());
}

async function withOneId(
	{ request, lock }: Call,
	by: Pick<LookUp, 'parameter' | 'mode' | 'field'>,
	wanted: string,
	ids: string[],
	searched = '',
): Promise<PlatformRequest> {
	if (ids.length === 1) {
		const found = { ...request, pathParams: { ...request.pathParams, [by.parameter]: ids[0] } };
		// Two names may have led to one record.
		await lock(recordPathOf(found) ?? found.path);
		return found;
	}
	const problem = ids.length === 0 ? 'was not found' : `names ${ids.length} records`;
	const remedy = `${ids.length === 0 ? searched : ''} Use its ID.`.trim();
	throw new InputError(by.field, `with the ${by.mode} “${wanted}” ${problem}`, remedy);
}

async function findIds({ client }: Call, by: LookUp, wanted: string): Promise<string[]> {
	const { path, mode, takesQuery } = by;
	const query = takesQuery ? { q: wanted } : undefined;
	const ids: string[] = [];
	const records = client.records(
		{ method: 'GET', path, query },
		{ maxPages: MAX_PAGES, takesQuery },
	);
	for await (const record of records) {
		if (record[mode] === wanted && typeof record.id === 'string') ids.push(record.id);
	}
	return ids;
}
