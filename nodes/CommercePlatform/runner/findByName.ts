import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/rest/client';
import type { PaginateOptions } from '../../shared/rest/pages';
import type { PlatformRequest } from '../../shared/rest/request';
import { InputError, isNotFound, mayRefuseParameter } from '../../shared/rest/errors';
import { searchedText } from '../../shared/values/readers';
import type { Call } from './operation';
import { recordPathOf } from './itemRequest';
import { counted } from './report';

/**
 * A name that people use for a record, e.g. an order's number. The API document gives no way to find a record by it.
 */
export interface RecordName {
	/** The list to look in, e.g. `/orders`. */
	path: string;
	/** False if the API document gives the list no query parameters, so that it cannot be searched. */
	takesQuery?: false;
	/** The records in the plural, e.g. `orders`. */
	records: string;
	/** All names of a record, in the form in which names are compared. */
	keysOf(record: IDataObject): string[];
	/** Brings what the user entered into that form. */
	comparable(entered: string): string;
}

/** How many requests one look-up takes at most: the search, and pages of the list. */
const MAX_REQUESTS = 5;
const MAX_PAGES = MAX_REQUESTS - 1;

/** The records with a name, and a sentence for messages about where they were looked for. */
interface LookedUp {
	records: IDataObject[];
	whereLooked: string;
}

/** The look-ups of a run. Items with the same name share one. */
const lookUps = new WeakMap<PlatformClient, Map<string, Promise<LookedUp>>>();

/**
 * Finds records by a name: first with the platform's search (`q`: API document, "Common query parameters on list
 * endpoints"). If that shows none, on up to four pages of the list, newest first.
 *
 * @returns only records that have exactly this name
 * @throws PlatformError
 */
export async function recordsNamed(
	client: PlatformClient,
	key: RecordName,
	entered: string,
): Promise<LookedUp> {
	const wanted = key.comparable(entered);
	const lookUpsOfRun = lookUps.get(client) ?? new Map<string, Promise<LookedUp>>();
	lookUps.set(client, lookUpsOfRun);
	const lookUpKey = JSON.stringify([key.path, wanted]);
	const lookUp = lookUpsOfRun.get(lookUpKey) ?? lookUpAnew(client, key, wanted);
	lookUpsOfRun.set(lookUpKey, lookUp);
	return await lookUp.catch((error: unknown) => {
		lookUpsOfRun.delete(lookUpKey);
		throw error;
	});
}

async function lookUpAnew(
	client: PlatformClient,
	key: RecordName,
	wanted: string,
): Promise<LookedUp> {
	const { path, takesQuery, records: noun, keysOf } = key;
	const hasName = (record: IDataObject) => keysOf(record).includes(wanted);
	const listRequest = { method: 'GET', path } as const;
	let pagesLeft = MAX_PAGES;
	if (takesQuery !== false) {
		const search = await bySearch(client, key, wanted);
		if (search.matches.length > 0) return { records: eachOnce(search.matches), whereLooked: '' };
		pagesLeft -= search.reads;
	}
	const { records, whole } = await pagesOf(client, listRequest, {
		maxPages: pagesLeft,
		takesQuery,
		newestFirst: true,
	});
	const searchResult = takesQuery === false ? '' : 'The platform’s search shows none; ';
	const whereLooked = `${searchResult}${whole ? 'all' : 'the newest'} ${counted(records.length)} ${noun} were looked through.`;
	return {
		records: eachOnce(records.filter(hasName)),
		whereLooked: whereLooked.charAt(0).toUpperCase() + whereLooked.slice(1),
	};
}

/** @returns the exact matches of the search, and how many requests were spent on reading records by their IDs */
async function bySearch(client: PlatformClient, key: RecordName, wanted: string) {
	const { path, keysOf } = key;
	const request = { method: 'GET', path, query: { q: wanted } } as const;
	const search = await pagesOf(client, request, { maxPages: 1 }).catch((error: unknown) => {
		// The platform may not search in this list.
		if (mayRefuseParameter(error)) return undefined;
		throw error;
	});
	if (search === undefined) return { matches: [], reads: 0 };
	const { records, whole, nextCursor } = search;
	const hasName = (record: IDataObject) => keysOf(record).includes(wanted);
	const matches = records.filter(hasName);
	if (matches.length > 0 && !whole && nextCursor !== undefined) {
		// A further page may hold a second record with this name.
		const options = { startCursor: nextCursor, maxPages: MAX_PAGES };
		const nextPages = await pagesOf(client, request, options);
		return { matches: [...matches, ...nextPages.records.filter(hasName)], reads: 0 };
	}
	const shortRecords = records.filter((record) => keysOf(record).length === 0);
	if (!whole || shortRecords.length >= MAX_PAGES) return { matches, reads: 0 };
	// Short records do not show their names. Each is read before it counts as another record.
	for (const { id } of shortRecords) {
		const record = await recordWithId(client, path, String(id));
		if (record !== undefined && hasName(record)) matches.push(record);
	}
	return { matches, reads: shortRecords.length };
}

async function pagesOf(client: PlatformClient, list: PlatformRequest, options: PaginateOptions) {
	const records: IDataObject[] = [];
	let whole = true;
	let nextCursor: string | undefined;
	for await (const page of client.pages(list, options)) {
		records.push(...page.records);
		whole = !page.hasMore;
		nextCursor = page.nextCursor;
	}
	return { records, whole, nextCursor };
}

/** @returns undefined if there is no such record */
async function recordWithId(client: PlatformClient, path: string, id: string) {
	const request = { method: 'GET', path: `${path}/{id}`, pathParams: { id } } as const;
	const answer = await client.request(request).catch((error: unknown) => {
		if (isNotFound(error)) return undefined;
		throw error;
	});
	return answer?.record;
}

/** A record that changes during a walk may come twice. */
const eachOnce = (records: IDataObject[]): IDataObject[] => [
	...new Map(
		records.filter(({ id }) => typeof id === 'string').map((record) => [record.id, record]),
	).values(),
];

/**
 * Whether a found record is confirmed before a delete or a refund: these cannot be undone, and a search alone may be
 * late.
 */
const needsConfirmation = ({ method, path }: PlatformRequest): boolean =>
	method === 'DELETE' || path.endsWith('/refunds');

/**
 * Makes the look-up for a resource locator's mode that is a name: it replaces the name by the ID, and keeps other items
 * from the record. Before a record is deleted or refunded, it is read by its ID to confirm that it has this name.
 *
 * @param parameter the resource locator's, e.g. `productId`
 * @param mode the locator's mode, e.g. `handle`
 * @param field the locator's display name, for messages
 * @returns a function that returns the request with the ID, and throws an InputError if there is no such record, or
 *   several
 */
export function findIdByKey(parameter: string, mode: string, field: string, key: RecordName) {
	return async (call: Call): Promise<PlatformRequest> => {
		const { request, item, client } = call;
		if (item.lookUpMode(parameter) !== mode) return request;
		const wanted = searchedText(field, (request.pathParams?.[parameter] ?? '').trim());
		const { records, whereLooked } = await recordsNamed(client, key, wanted);
		if (records.length !== 1) {
			const isNone = records.length === 0;
			const problem = isNone ? 'was not found' : `names ${records.length} records`;
			const remedy = `${isNone ? whereLooked : ''} Use the ID.`.trim();
			throw new InputError(field, `with the ${mode} “${wanted}” ${problem}`, remedy);
		}
		const id = String(records[0].id);
		const resolved = { ...request, pathParams: { ...request.pathParams, [parameter]: id } };
		// Two names may lead to one record.
		await call.lock(recordPathOf(resolved) ?? resolved.path);
		if (needsConfirmation(request)) {
			const record = await recordWithId(client, key.path, id);
			if (record === undefined || !key.keysOf(record).includes(key.comparable(wanted)))
				throw new InputError(
					field,
					`with the ${mode} “${wanted}” is not what the record “${id}” is called now`,
					'Nothing was sent. The search may be late. Use the ID.',
				);
		}
		return resolved;
	};
}
