import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { inParallel, type PlatformClient } from '../../shared/rest/client';
import {
	expandPath,
	placeholders,
	type PlatformRequest,
	type PlatformResponse,
	recordPathOf,
} from '../../shared/rest/request';
import { PlatformError } from '../../shared/rest/errors';
import { boolean } from '../../shared/values/readers';
import type {
	Call,
	Changes,
	EachOperation,
	ListOperation,
	ListPage,
	ReadItem,
	Run,
} from './operation';
import { type ItemRequest, overwritesOf } from './items';
import {
	findRecords,
	namedOtherwise,
	readById,
	requestWithId,
	writesWithoutChange,
} from './lookup';
import type { Results } from './results';
import { listed, runSchedule, type Series, withLocks } from './schedule';

/**
 * Runs an operation that handles each item by itself, by a schedule. Without Continue On Fail nothing further is started
 * after the first failure.
 */
export async function runOneByOne(
	run: Run,
	operation: EachOperation | ListOperation,
	itemRequests: Series<ItemRequest>,
	results: Results,
): Promise<void> {
	if (operation.kind === 'each' && comparesAll(operation, run.firstItemOptions)) {
		await runChanged(run, operation, itemRequests, results);
		// Only If Changed is the cheaper way already.
		run.report.end();
	} else {
		await sendEach(run, operation, itemRequests, results);
		run.report.end(operation.cheaperWay);
	}
}

/** Whether all items are compared with the platform's records before the first one is sent. */
const comparesAll = (
	operation: EachOperation,
	{ onlyIfChanged, dryRun }: IDataObject,
): operation is EachOperation & { changes: Changes<ReadItem> } =>
	operation.changes !== undefined &&
	(isOn(onlyIfChanged) || (operation.changes.forPreview === true && isOn(dryRun)));

/** Whether a switch is on, which an expression may give as a text or a number. What is neither on nor off, its item says. */
function isOn(value: unknown): boolean {
	try {
		return boolean('', value);
	} catch {
		return false;
	}
}

/**
 * Compares all items with the platform's records before the first one is sent. Leaves out what would change nothing; a
 * dry run shows it.
 */
async function runChanged(
	run: Run,
	operation: EachOperation & { changes: Changes<ReadItem> },
	itemRequests: Series<ItemRequest>,
	results: Results,
): Promise<void> {
	const all = await listed(itemRequests);
	if (results.stopped) return;
	let found: ReadonlyMap<ReadItem, Found>;
	try {
		found = await recordsToCompare(run, operation.changes, all);
	} catch (error) {
		const itemIndexes = all.map(({ item }) => item.itemIndex);
		return results.failed(itemIndexes, error);
	}
	await sendEach(run, operation, all, results, found);
}

/** The record that an item's write is about, as it is before all writes. */
interface Found {
	record: IDataObject;
	/** Whether the write would change nothing, so that Only If Changed leaves it out. */
	isUnchanged: boolean;
}

/** Finds the records of the items that are left out, and of those that a dry run shows. */
async function recordsToCompare(
	run: Run,
	changes: NonNullable<EachOperation['changes']>,
	all: readonly ItemRequest[],
): Promise<ReadonlyMap<ReadItem, Found>> {
	const comparesItem = ({ item }: ItemRequest) => item.options.onlyIfChanged === true;
	const read = all.filter((each) => comparesItem(each) || (each.dryRun && changes.forPreview));
	const records = await findRecords(run, changes.source, read.map(changes.keyOf));
	const unchanged = writesWithoutChange<ReadItem>(records, changes, read.filter(comparesItem));
	const found = new Map<ReadItem, Found>();
	for (const each of read) {
		const [record, ...others] = records.get(changes.keyOf(each)) ?? [];
		const isUnchanged = unchanged.has(each);
		if (record !== undefined && others.length === 0 && (isUnchanged || each.dryRun))
			found.set(each, { record, isUnchanged });
	}
	return found;
}

/**
 * Sends each item's request.
 *
 * @param found the records of the items that are left out, and of those that a dry run shows
 */
async function sendEach(
	run: Run,
	operation: EachOperation | ListOperation,
	itemRequests: Series<ItemRequest>,
	results: Results,
	found?: ReadonlyMap<ReadItem, Found>,
): Promise<void> {
	const { isWrite, report, itemIndexes } = run;
	const total = itemIndexes.length;
	const tellProgress = () => {
		if (total > 1) report.progress(results.doneCount + results.failedCount, total, 'items');
	};
	const work = async (itemRequest: ItemRequest, hadToWait: boolean) => {
		const rowIndexes = itemRequest.rows.map(({ itemIndex }) => itemIndex);
		const output: INodeExecutionData[] = [];
		try {
			// While the item waited, others may have written another value than the one that was compared. A dry run has only
			// shown it.
			const isOld = hadToWait && !itemRequest.dryRun;
			const same = isOld ? undefined : found?.get(itemRequest);
			await runItem(run, operation, itemRequest, output, same);
			for (const itemIndex of rowIndexes) {
				const ofRow = rowIndexes.length === 1 ? output : outputOfRow(output, itemIndex);
				// What a dry run shows is not done: n8n's Retry may send it.
				if (isWrite && !itemRequest.dryRun) run.writes.done(itemIndex, ofRow);
				results.done(itemIndex, ofRow);
			}
		} catch (error) {
			results.failed(rowIndexes, errorOf(run, rowIndexes, error), output);
		}
		tellProgress();
	};
	await runSchedule(run, itemRequests, work, () => results.stopped);
}

/** What a row of a write becomes: the same as the others, linked to its own input item. */
const outputOfRow = (output: readonly INodeExecutionData[], item: number): INodeExecutionData[] =>
	output.map(({ json }) => ({ json: { ...json }, pairedItem: { item } }));

/** The error of items that failed, with what earlier tries may have done. */
export const errorOf = (run: Run, itemIndexes: readonly number[], error: unknown): unknown =>
	run.isWrite ? run.writes.afterFailure(itemIndexes, error) : error;

/**
 * Sends what an item asks for and turns the answers into output items, each linked to its input item.
 *
 * @param output receives the items as they come; they stay in it if a later part fails
 * @param found the record, if the item is left out, or a dry run shows it
 * @throws PlatformError, InputError, CancelledError
 */
async function runItem(
	run: Run,
	operation: EachOperation | ListOperation,
	itemRequest: ItemRequest,
	output: INodeExecutionData[],
	found?: Found,
): Promise<void> {
	const { item, dryRun, shape } = itemRequest;
	const pairedItem = { item: item.itemIndex };
	if (found !== undefined && !dryRun) {
		// What an earlier try may have written was not skipped.
		const mark = run.writes.mayBeApplied(item.itemIndex) ? {} : { skipped: true };
		output.push({ json: shape({ ...found.record, ...mark }), pairedItem });
	} else if (operation.kind === 'list') await runList(run, operation, itemRequest, output);
	else output.push({ json: await runEach(run, operation, itemRequest, found), pairedItem });
}

/**
 * Finds the record that the item names, then does its work while no other item writes there. A dry run shows the write
 * instead.
 */
async function runEach(
	run: Run,
	operation: EachOperation,
	itemRequest: ItemRequest,
	found?: Found,
): Promise<IDataObject> {
	const { item, targets, addsUp, dryRun, shape } = itemRequest;
	const { call: asEntered, progress } = callOf(run, itemRequest);
	const named = namedOtherwise(operation, item);
	// A write that may have been done is not looked up again: its record may have another name by now.
	const lookedUp =
		named !== undefined && asEntered.earlierRequest === undefined
			? await requestWithId(asEntered, named)
			: undefined;
	const call = { ...asEntered, request: lookedUp?.request ?? asEntered.request };
	const { request } = call;
	// Two names may lead to one record, also to that of a later item in an earlier try.
	const foundTargets =
		named !== undefined && run.isWrite && !dryRun
			? [run.client.keyOf(recordPathOf(request) ?? request.path)]
			: [];
	const work = async () => {
		const overwrites = overwritesOf(request, [...targets, ...foundTargets]);
		if (run.isWrite) run.writes.begin([item.itemIndex], overwrites, addsUp);
		if (operation.cannotBeUndone) await lookedUp?.confirm();
		const record = await (operation.run?.(call) ?? call.record(request));
		return withMarks(run, itemRequest, record, progress.answer);
	};
	const showWrite = async (error: unknown) => {
		if (!(error instanceof WouldWrite)) throw error;
		const requests =
			operation.requests ?? 1 + progress.sentCount + (lookedUp === undefined ? 0 : 1);
		run.report.wouldSend(found?.isUnchanged ? 0 : requests);
		const callOfWrite = { ...call, request: error.request };
		const preview = await operation.preview?.(
			callOfWrite,
			found?.record ?? progress.answer?.record,
		);
		return shape({ dryRun: true, ...(preview ?? requestShown(error.request, requests)) });
	};
	return await withLocks(run.client, foundTargets, work).catch(showWrite);
}

/** A record in the form that the user wants, with what is told beside it. */
function withMarks(
	{ client, report }: Run,
	{ item, request: { method }, targets, fields, shape }: ItemRequest,
	record: IDataObject,
	answer: PlatformResponse | undefined,
): IDataObject {
	// A 304 has no record to shape.
	const shaped = answer?.status === 304 ? record : shape(record);
	// A PUT replaces what an earlier row has written.
	const mark = method === 'PUT' && report.supersededBy(targets, { row: item.row, fields });
	const hasMetadata = item.options.includeMetadata === true && answer !== undefined;
	return { ...shaped, ...mark, ...(hasMetadata && { _meta: metadataOf(client, answer) }) };
}

/** Ends the work of a dry run at its first write. */
class WouldWrite extends Error {
	constructor(readonly request: PlatformRequest) {
		super('A dry run writes nothing');
	}
}

/**
 * Makes the call that an operation gets for an item. In a dry run, `send` sends reads and ends the item's work at the
 * first write.
 */
function callOf(run: Run, itemRequest: ItemRequest) {
	const progress = {
		/** The answer that the item's record comes from: the one to its own request, or a later one with a body. */
		answer: undefined as PlatformResponse | undefined,
		/** How many requests were sent; in a dry run all of them are reads. */
		sentCount: 0,
	};
	const { client, report } = run;
	const { item, fields, dryRun, rows } = itemRequest;
	const earlierRequest = run.isWrite ? run.writes.earlierRequest(item.itemIndex) : undefined;
	const send: Call['send'] = async (toSend, step) => {
		const isWrite = toSend.method !== 'GET';
		if (dryRun && isWrite) throw new WouldWrite(toSend);
		progress.sentCount++;
		// The user's own key is for the item's own write, not for other requests.
		const toWrite = step === undefined ? toSend : { ...toSend, idempotencyKey: undefined };
		const response = await (isWrite
			? run.writes.send(
					rows.map(({ itemIndex }) => itemIndex),
					toWrite,
					step ?? '',
					async (keyed) => await client.request(keyed),
				)
			: client.request(toSend));
		if (step === undefined || response.body !== undefined) progress.answer = response;
		return response;
	};
	const call: Call = {
		item,
		request: earlierRequest ?? itemRequest.request,
		fields,
		total: run.itemIndexes.length,
		rows,
		client,
		earlierRequest,
		send,
		record: async (toSend, step) => recordOf(toSend, await send(toSend, step), client.host),
		hint: (text) => report.hint(text),
	};
	return { call, progress };
}

/**
 * Reads the record from an answer. A write that was answered with success is done, even if the answer shows no record.
 *
 * @throws PlatformError if a read gave no record
 */
function recordOf(request: PlatformRequest, response: PlatformResponse, host: string): IDataObject {
	const { status, requestId, record } = response;
	const { method, path, pathParams } = request;
	if (status === 304) return { notModified: true, id: Object.values(pathParams ?? {})[0] };
	if (method === 'DELETE') return { deleted: true, id: recordIdOf(request, response) };
	if (record !== undefined) return record;
	if (method !== 'GET') return { success: true, id: recordIdOf(request, response), status };
	throw new PlatformError('empty', { method, path, pathParams, host }, { status, requestId });
}

/** The ID of the record that was written, or that a create has made (Location header). */
function recordIdOf({ path, pathParams }: PlatformRequest, { headers }: PlatformResponse) {
	const [name] = placeholders(path);
	if (name !== undefined) return pathParams?.[name]?.trim();
	return headers.location?.split(/[?#]/)[0].split('/').filter(Boolean).at(-1);
}

/** What a dry run shows instead of sending it. */
function requestShown(
	{ method, path, pathParams, query = {}, body }: PlatformRequest,
	requests: number,
): IDataObject {
	return {
		method,
		path: expandPath(path, pathParams),
		requests,
		...(Object.keys(query).length > 0 && { query }),
		...(body !== undefined && { body }),
	};
}

/**
 * Reads a list for an item. Each output item is a record, a page, or a row of a record.
 *
 * @param output receives the items as they come
 * @throws PlatformError, CancelledError
 */
async function runList(
	run: Run,
	operation: ListOperation,
	itemRequest: ItemRequest,
	output: INodeExecutionData[],
): Promise<void> {
	const { client, report } = run;
	const { call } = callOf(run, itemRequest);
	const { list, request, item, shape } = itemRequest;
	const { limit: wanted, output: form } = list ?? {};
	const most = wanted ?? Number.POSITIVE_INFINITY;
	const { takesQuery, keyset } = operation;
	const pages = (limit = wanted): AsyncIterable<ListPage> =>
		client.pages(request, { ...list, limit, takesQuery, keyset });
	// All items share one object: 300,000 objects would take noticeable memory.
	const pairedItem = { item: item.itemIndex };
	const recordRows = form === operation.recordRows?.output ? operation.recordRows : undefined;
	/** How many records have rows that the platform does not show. */
	let missing = 0;
	let read = 0;
	let cursor = list?.startCursor;
	const listPages = operation.run?.({ ...call, pages }) ?? pages();
	for await (const { response, pagination, ...page } of listPages) {
		let records = page.records.slice(0, most - read);
		// No cursor leads to records that are cut off.
		const shownPagination = records.length < page.records.length ? {} : (pagination ?? {});
		read += records.length;
		report.progress(read, wanted, 'records');
		const hasMetadata = item.options.includeMetadata === true && response !== undefined;
		const meta = hasMetadata ? { _meta: metadataOf(client, response) } : undefined;
		if (response?.status === 304) output.push({ json: { notModified: true, ...meta }, pairedItem });
		if (recordRows !== undefined) {
			// A cursor counts only with the sort of its walk, which the user did not choose there.
			const goesOn = list?.newestFirst !== true;
			const place = { fetched: read - records.length, cursor: goesOn ? cursor : undefined };
			const whole = await wholeRecords(client, request.path, recordRows, records, place);
			missing += whole.filter((record) => !recordRows.isWhole(record)).length;
			records = whole.flatMap(recordRows.of);
		}
		records = records.map(shape);
		if (form === 'pages')
			output.push({ json: { data: records, pagination: shownPagination, ...meta }, pairedItem });
		else
			for (const record of records)
				output.push({ json: meta ? { ...record, ...meta } : record, pairedItem });
		if (read >= most) break;
		cursor = pagination?.next_cursor as string | undefined;
	}
	if (missing > 0) call.hint(`${recordRows?.missing ?? ''} ${missing}.`);
}

/**
 * Replaces records that the list shows in part by whole ones, several reads at a time.
 *
 * @param place of the page, to go on from there
 * @throws PlatformError that names the record which could not be read, and the place
 */
async function wholeRecords(
	client: PlatformClient,
	listPath: string,
	{ isWhole }: NonNullable<ListOperation['recordRows']>,
	records: IDataObject[],
	place: Pick<PlatformError['details'], 'cursor' | 'fetched'>,
): Promise<IDataObject[]> {
	const whole = [...records];
	await inParallel([...records.keys()], client.options.maxInFlight, async (index) => {
		const record = records[index];
		const { id } = record;
		if (isWhole(record) || typeof id !== 'string') return;
		const read = await readById(client, listPath, id).catch((error: unknown) => {
			if (!(error instanceof PlatformError)) throw error;
			const { hint = '' } = error.details;
			const details = { ...error.details, ...place, hint: `${hint} It was about “${id}”.`.trim() };
			throw new PlatformError(error.problem, error.request, details);
		});
		if (read?.id === id) whole[index] = read;
	});
	return whole;
}

/**
 * The metadata of an answer. A workflow that keeps records needs `etag` and `cacheControl` to follow the platform's
 * rules for them (API document, "Pagination rules", 5). The node itself keeps no answer, so the only rule for it is the
 * 304.
 */
function metadataOf(client: PlatformClient, response: PlatformResponse): IDataObject {
	const { limit, remaining, dayLimit, dayRemaining } = client.rateLimit();
	return {
		etag: response.headers.etag,
		cacheControl: response.headers['cache-control'],
		requestId: response.requestId,
		status: response.status,
		rateLimit: { limit, remaining, limitDay: dayLimit, remainingDay: dayRemaining },
	};
}
