import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import { isNotFound, settled } from '../../shared/errors/errors';
import type { BatchCall, RecordSource } from '../run/operation';
import { inParallel } from '../run/pool';

/** Pages of one search at most. */
const MAX_SEARCH_PAGES = 4;

/** So few records are got one by one: walking the list could save hardly a request. */
const FEW_RECORDS = 4;

/**
 * Finds the records that have some keys, by a walk through the list or key by key, whichever is fewer requests. Every
 * record of a key is found, since a write must not take one of several for the one that is meant.
 *
 * How long the list is cannot be known before its end. So the walk is given up once it has cost as many requests as
 * there are keys left: it then never costs more than twice the cheaper of the two ways.
 *
 * @returns the records of each key, each once
 * @throws PlatformError, CancelledError
 */
export async function findRecords(
	{ client, report }: Pick<BatchCall, 'client' | 'report'>,
	source: RecordSource,
	wanted: Iterable<string>,
): Promise<Map<string, IDataObject[]>> {
	const found = new Map<string, IDataObject[]>();
	for (const key of wanted) found.set(key, []);
	/** Keys of which there may be more records. */
	const open = new Set(found.keys());
	const take = (record: IDataObject) => {
		for (const key of source.keysOf(record)) {
			const known = found.get(key);
			// A record that changes meanwhile may come twice.
			if (known?.some(({ id }) => id !== undefined && id === record.id) === false)
				known.push(record);
			if (source.isUnique?.(key) === true) open.delete(key);
		}
	};
	let pages = 0;
	let read = 0;
	if (open.size > FEW_RECORDS)
		for await (const { records, hasMore } of client.pages(source.list)) {
			records.forEach(take);
			report.progress((read += records.length), undefined, 'records looked through');
			if (!hasMore || open.size === 0) return found;
			if (++pages >= open.size) break;
		}
	let isWhole = true;
	let sought = 0;
	const total = open.size;
	await inParallel([...open], client.options.maxInFlight, async (key) => {
		const { records, whole } = await searched(client, source, key);
		records.forEach(take);
		isWhole &&= whole || !open.has(key);
		report.progress(++sought, total, 'records looked up');
	});
	if (isWhole) return found;
	// The search gives too much: only the list says what else there is.
	for await (const { records } of client.pages(source.list)) records.forEach(take);
	return found;
}

/**
 * Looks for the records that one key names. The platform's search may give others as well.
 *
 * @returns `whole` where there are no others: the search was read to its end
 */
export async function searched(
	client: PlatformClient,
	source: RecordSource,
	key: string,
): Promise<{ records: IDataObject[]; whole: boolean }> {
	const request = source.one(key);
	const sought = { records: [] as IDataObject[], whole: true };
	if (request.pathParams === undefined) {
		for await (const page of client.pages(request, { maxPages: MAX_SEARCH_PAGES })) {
			sought.records.push(...page.records);
			sought.whole = !page.hasMore;
		}
		return sought;
	}
	const answer = await settled(client.request(request));
	if (answer.status === 'rejected' && !isNotFound(answer.reason)) throw answer.reason;
	if (answer.status === 'fulfilled' && answer.value.record !== undefined)
		sought.records.push(answer.value.record);
	return sought;
}
