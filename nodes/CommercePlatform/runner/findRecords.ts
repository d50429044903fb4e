import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/rest/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/rest/request';
import { isKindOf409 } from '../../shared/rest/errorBody';
import { InputError, isNotFound, PlatformError } from '../../shared/rest/errors';
import { describe } from '../../shared/values/readers';
import { skuKey } from '../products/skuKey';
import { inParallel } from './pool';
import type { Report } from './report';

/** How the records of a resource are found. A key names a record the way the user did, e.g. by its SKU. */
export interface RecordSource {
	/** The whole list. */
	list: PlatformRequest;
	/** The request that finds one record: a list with a filter, or the record itself. */
	requestFor(key: string): PlatformRequest;
	/** Every key that a record has. */
	keysOf(record: IDataObject): string[];
	/** Whether a key names at most one record, as an ID does. For any other key the whole list is searched. */
	isUnique?(key: string): boolean;
}

/** How Only If Changed finds the record that a write would change, and compares it with the write. */
export interface Changes<Write> {
	source: RecordSource;
	/** The key of the record that a write is about. */
	keyOf(write: Write): string;
	isUnchanged(write: Write, record: IDataObject): boolean;
}

interface FindCall {
	client: PlatformClient;
	report: Pick<Report, 'progress'>;
}

/** Pages of one search at most. */
const MAX_SEARCH_PAGES = 4;

/** So few records are read one by one: a walk through the list could save hardly a request. */
const FEW_RECORDS = 4;

/**
 * Finds the records that have some keys, by a walk through the list or key by key, whichever takes fewer requests. If
 * several records have one key, all of them are returned, so that no write takes the wrong one.
 *
 * The length of the list is unknown before its end. So the walk is given up once it has taken as many requests as there
 * are keys left: both ways together take about twice the requests of the cheaper one.
 *
 * @returns the records by key, each once
 * @throws PlatformError, CancelledError
 */
export async function findRecords(
	{ client, report }: FindCall,
	source: RecordSource,
	wantedKeys: Iterable<string>,
): Promise<Map<string, IDataObject[]>> {
	const recordsByKey = new Map<string, IDataObject[]>();
	for (const key of wantedKeys) recordsByKey.set(key, []);
	/** Keys that further records may have. */
	const openKeys = new Set(recordsByKey.keys());
	const take = (record: IDataObject) => {
		for (const key of source.keysOf(record)) {
			const recordsOfKey = recordsByKey.get(key);
			// A record that changes during the walk may come twice.
			if (recordsOfKey?.some(({ id }) => id !== undefined && id === record.id) === false)
				recordsOfKey.push(record);
			if (source.isUnique?.(key) === true) openKeys.delete(key);
		}
	};
	let pages = 0;
	let recordsRead = 0;
	if (openKeys.size > FEW_RECORDS)
		for await (const { records, hasMore } of client.pages(source.list)) {
			records.forEach(take);
			report.progress((recordsRead += records.length), undefined, 'records looked through');
			if (!hasMore || openKeys.size === 0) return recordsByKey;
			if (++pages >= openKeys.size) break;
		}
	let areComplete = true;
	let keysDone = 0;
	const total = openKeys.size;
	await inParallel([...openKeys], client.options.maxInFlight, async (key) => {
		const { records, whole } = await searched(client, source, key);
		records.forEach(take);
		areComplete &&= whole || !openKeys.has(key);
		report.progress(++keysDone, total, 'records looked up');
	});
	if (areComplete) return recordsByKey;
	// The search has more pages than were read. Only the list shows all records.
	for await (const { records } of client.pages(source.list)) records.forEach(take);
	return recordsByKey;
}

/**
 * Searches for the records that one key names. The platform's search may return other records as well.
 *
 * @returns `whole`: whether the search was read to its end, so that there are no further records
 */
export async function searched(
	client: PlatformClient,
	source: Pick<RecordSource, 'requestFor'>,
	key: string,
): Promise<{ records: IDataObject[]; whole: boolean }> {
	const request = source.requestFor(key);
	const records: IDataObject[] = [];
	let whole = true;
	if (request.pathParams === undefined)
		for await (const page of client.pages(request, { maxPages: MAX_SEARCH_PAGES })) {
			records.push(...page.records);
			whole = !page.hasMore;
		}
	else {
		const answer = await client.request(request).catch((error: unknown) => {
			if (isNotFound(error)) return undefined;
			throw error;
		});
		if (answer?.record !== undefined) records.push(answer.record);
	}
	return { records, whole };
}

/**
 * Finds the writes that would change nothing, compared with the record as it is before all writes. If one write of a
 * record is needed, the later ones to it are needed as well. So are later writes to a key that the platform may take
 * for the same, and all writes to a key that several records have.
 *
 * @param writes in input order
 * @returns the platform's record for each write that would change nothing
 */
export async function findUnchanged<Write>(
	call: FindCall,
	{ source, keyOf, isUnchanged }: Changes<Write>,
	writes: readonly Write[],
): Promise<Map<Write, IDataObject>> {
	const records = await findRecords(call, source, writes.map(keyOf));
	const unchanged = new Map<Write, IDataObject>();
	const writtenNames = new Set<unknown>();
	for (const write of writes) {
		const key = keyOf(write);
		const candidates = records.get(key) ?? [];
		const names = [skuKey(key), ...candidates.map((record) => record.id ?? record)];
		const isFirstWrite = candidates.length === 1 && !names.some((name) => writtenNames.has(name));
		if (isFirstWrite && isUnchanged(write, candidates[0])) unchanged.set(write, candidates[0]);
		else for (const name of names) writtenNames.add(name);
	}
	return unchanged;
}

/**
 * Reads a record that is about to be written, or is given instead of a write. The answer must hold the record that was
 * asked for.
 *
 * @param label display name
 * @param request GET of the record by its ID
 * @throws InputError if the answer holds another record, or none
 */
export async function readRecord(
	send: (request: PlatformRequest) => Promise<PlatformResponse>,
	label: string,
	request: PlatformRequest,
): Promise<PlatformResponse & { record: IDataObject }> {
	const answer = await send(request);
	const { record } = answer;
	const wanted = Object.values(request.pathParams ?? {})[0].trim();
	const id = typeof record?.id === 'number' ? String(record.id) : record?.id;
	if (record !== undefined && id === wanted) return { ...answer, record };
	throw new InputError(
		label,
		`“${wanted}” is not the record that the platform answered`,
		`Nothing was written after that. The answer holds ${describe(id)} as its ID.`,
	);
}

/**
 * Whether a write was refused because the record has changed in the meantime (API document, "Inventory": 409 CONFLICT;
 * HTTP has 412 for If-Match). Nothing was written then.
 */
export function isConflict(error: unknown): error is PlatformError {
	if (!(error instanceof PlatformError)) return false;
	return error.details.status === 412 || isKindOf409('CONFLICT', error.details);
}
