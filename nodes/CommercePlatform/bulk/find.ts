import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest } from '../../shared/api/request';
import { isNotFound, settled } from '../../shared/errors/errors';
import type { BatchCall, RecordSource } from '../run/operation';
import { inParallel } from '../run/pool';

/** Pages of one search at most. */
const MAX_SEARCH_PAGES = 4;

/**
 * Reads the records that the platform has, by a walk through the list or one by one, whichever is fewer requests.
 * Every record of a key is found, since a write must not take one of several for the one that is meant.
 *
 * @param wanted keys
 * @param found takes each record that has a wanted key; a key may come more than once, and so may a record
 */
export async function findCurrent(
	{ client, report }: Pick<BatchCall, 'client' | 'report'>,
	source: RecordSource,
	wanted: Iterable<string>,
	found: (record: IDataObject, keys: string[]) => void,
): Promise<void> {
	const all = new Set(wanted);
	/** Keys of which there may be more records. */
	const open = new Set(all);
	const take = (record: IDataObject) => {
		const keys = source.keysOf(record).filter((key) => all.has(key));
		for (const key of keys) if (source.isUnique?.(key) === true) open.delete(key);
		if (keys.length > 0) found(record, keys);
	};
	if (firstStrategy(open.size) === 'list') {
		let pages = 0;
		let read = 0;
		for await (const { records, hasMore } of client.pages(source.list)) {
			records.forEach(take);
			report.progress((read += records.length), undefined, 'records looked through');
			if (!hasMore || open.size === 0) return;
			if (nextStrategy(++pages, open.size) === 'single') break;
		}
	}
	let wholly = true;
	let sought = 0;
	const toSeek = open.size;
	await inParallel([...open], client.options.maxInFlight, async (key) => {
		const { records, whole } = await searched(client, source, key);
		records.forEach(take);
		wholly &&= whole || !open.has(key);
		report.progress(++sought, toSeek, 'records looked up');
	});
	if (wholly) return;
	// The search gives too much: only the list says what else there is.
	for await (const { records } of client.pages(source.list)) records.forEach(take);
}

interface Sought {
	records: IDataObject[];
	/** Whether there are no others: the search was read to its end. */
	whole: boolean;
}

/** Looks for the records that one key names. The platform's search may give others as well. */
export async function searched(
	client: PlatformClient,
	source: RecordSource,
	key: string,
): Promise<Sought> {
	const request = source.one(key);
	if (request.pathParams !== undefined)
		return { records: await theOne(client, request), whole: true };
	const sought: Sought = { records: [], whole: true };
	for await (const page of client.pages(request, { maxPages: MAX_SEARCH_PAGES })) {
		sought.records.push(...page.records);
		sought.whole = !page.hasMore;
	}
	return sought;
}

async function theOne(client: PlatformClient, request: PlatformRequest): Promise<IDataObject[]> {
	const answer = await settled(client.request(request));
	if (answer.status === 'fulfilled')
		return answer.value.record === undefined ? [] : [answer.value.record];
	const error: unknown = answer.reason;
	if (isNotFound(error)) return [];
	throw error;
}

/** So few records are got one by one: walking the list could save hardly a request. */
const FEW_RECORDS = 4;

/** How to find out what the platform has: the whole list page by page, or each record by a request of its own. */
type LookupStrategy = 'list' | 'single';

/**
 * How to begin to look up records when each may cost a request, and a page of the list costs one as well.
 *
 * @param wanted how many different records
 */
export function firstStrategy(wanted: number): LookupStrategy {
	return wanted <= FEW_RECORDS ? 'single' : 'list';
}

/**
 * Whether the walk goes on. How long the list is cannot be known before its end, so it is given up as soon as
 * it has cost as much as getting the open records one by one would: it then never costs more than twice the cheaper
 * of the two ways, and where the list is the cheaper way, it is walked to its end.
 *
 * @param pagesRead requests that the walk has cost
 * @param open keys whose records it may not have found yet
 */
export function nextStrategy(pagesRead: number, open: number): LookupStrategy {
	return pagesRead < open ? 'list' : 'single';
}
