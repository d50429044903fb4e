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
import type { Call, EachOperation, ListOperation, ListPage } from './operation';
import { namedOtherwise, readById, requestWithId } from './lookup';
import type { ItemRequest, Run } from './run';
import { takeLocks } from './writes';

/**
 * Sends what an item asks for and turns the answers into output items, each linked to its input item.
 *
 * @param output receives the items as they come; they stay in it if a later part fails
 * @param found the record, if the item would change nothing of it, or a dry run shows it
 * @throws PlatformError, InputError, CancelledError
 */
export async function runItem(
	run: Run,
	operation: EachOperation | ListOperation,
	itemRequest: ItemRequest,
	output: INodeExecutionData[],
	found?: IDataObject,
): Promise<void> {
	const { item, overwrites, dryRun, shape } = itemRequest;
	const pairedItem = { item: item.itemIndex };
	if (run.isWrite) run.writes.begin(item.itemIndex, overwrites);
	if (found !== undefined && !dryRun)
		output.push({ json: shape({ ...found, skipped: true }), pairedItem });
	else if (operation.kind === 'list') await runList(run, operation, itemRequest, output);
	else output.push({ json: await runEach(run, operation, itemRequest, found), pairedItem });
}

/** Finds the record that the item names, then does its work. A dry run shows the write instead. */
async function runEach(
	run: Run,
	operation: EachOperation,
	itemRequest: ItemRequest,
	found?: IDataObject,
): Promise<IDataObject> {
	const { item, overwrites, dryRun, shape } = itemRequest;
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
	const target =
		named !== undefined && run.isWrite && !dryRun
			? `${run.client.credentialId} ${recordPathOf(request) ?? request.path}`
			: undefined;
	const lock = target === undefined ? undefined : takeLocks([target]);
	const work = async () => {
		if (target !== undefined) {
			await lock?.ready;
			run.writes.begin(item.itemIndex, overwrites.length > 0 ? [...overwrites, target] : []);
		}
		if (operation.cannotBeUndone) await lookedUp?.confirm();
		const record = await (operation.run?.(call) ?? call.record(request));
		return withMarks(run, itemRequest, record, progress.answer);
	};
	const showWrite = async (error: unknown) => {
		if (!(error instanceof WouldWrite)) throw error;
		const requests =
			operation.requests ?? 1 + progress.sentCount + (lookedUp === undefined ? 0 : 1);
		run.report.wouldSend(requests);
		const callOfWrite = { ...call, request: error.request };
		const preview = await operation.preview?.(callOfWrite, found ?? progress.answer?.record);
		return shape({ dryRun: true, ...(preview ?? requestShown(error.request, requests)) });
	};
	return await work()
		.catch(showWrite)
		.finally(() => lock?.release());
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
	const { item, fields, dryRun } = itemRequest;
	const earlierRequest = run.isWrite ? run.writes.earlierRequest(item.itemIndex) : undefined;
	const transport = async (toSend: PlatformRequest) => await client.request(toSend);
	const send: Call['send'] = async (toSend, step) => {
		const isWrite = toSend.method !== 'GET';
		if (dryRun && isWrite) throw new WouldWrite(toSend);
		progress.sentCount++;
		// The user's own key is for the item's own write, not for other requests.
		const toWrite = step === undefined ? toSend : { ...toSend, idempotencyKey: undefined };
		const response = await (isWrite
			? run.writes.send(item.itemIndex, toWrite, step ?? '', transport)
			: transport(toSend));
		if (step === undefined || response.body !== undefined) progress.answer = response;
		return response;
	};
	const call: Call = {
		item,
		request: earlierRequest ?? itemRequest.request,
		fields,
		total: run.itemIndexes.length,
		shared: run.shared,
		earlierRecord: (itemIndex) => {
			const json = run.writes.outputOfEarlierTry(itemIndex)?.[0]?.json;
			return json && Promise.resolve(json);
		},
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
	const most = list?.limit ?? Number.POSITIVE_INFINITY;
	const { takesQuery, keyset } = operation;
	const pages = (limit = list?.limit): AsyncIterable<ListPage> =>
		client.pages(request, { ...list, limit, takesQuery, keyset });
	// All items share one object: 300,000 objects would take noticeable memory.
	const pairedItem = { item: itemRequest.item.itemIndex };
	const recordRows =
		list?.output === operation.recordRows?.output ? operation.recordRows : undefined;
	/** How many records have rows that the platform does not show. */
	let missing = 0;
	let read = 0;
	const listPages = operation.run?.({ ...call, pages }) ?? pages();
	for await (const { response, pagination, ...page } of listPages) {
		let records = page.records.slice(0, most - read);
		read += records.length;
		report.progress(read, list?.limit, 'records');
		const hasMetadata = item.options.includeMetadata === true && response !== undefined;
		const meta = hasMetadata ? { _meta: metadataOf(client, response) } : undefined;
		if (response?.status === 304) output.push({ json: { notModified: true, ...meta }, pairedItem });
		if (recordRows !== undefined) {
			const whole = await wholeRecords(client, request.path, recordRows, records);
			missing += whole.filter((record) => !recordRows.isWhole(record)).length;
			records = whole.flatMap(recordRows.of);
		}
		records = records.map(shape);
		if (list?.output === 'pages')
			output.push({ json: { data: records, pagination: pagination ?? {}, ...meta }, pairedItem });
		else
			for (const record of records)
				output.push({ json: meta ? { ...record, ...meta } : record, pairedItem });
		if (read >= most) break;
	}
	if (missing > 0) call.hint(`${recordRows?.missing ?? ''} ${missing}.`);
}

/** Replaces records that the list shows in part by whole ones, several reads at a time. */
async function wholeRecords(
	client: PlatformClient,
	listPath: string,
	{ isWhole }: NonNullable<ListOperation['recordRows']>,
	records: IDataObject[],
): Promise<IDataObject[]> {
	const whole = [...records];
	await inParallel([...records.keys()], client.options.maxInFlight, async (index) => {
		const record = records[index];
		if (isWhole(record) || typeof record.id !== 'string') return;
		const read = await readById(client, listPath, record.id);
		if (read?.id === record.id) whole[index] = read;
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
