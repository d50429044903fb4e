import type { IDataObject } from 'n8n-workflow';

import { expandPath, placeholders } from '../../shared/api/http';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { isKindOf409 } from '../../shared/errors/errorBody';
import { InputError, PlatformError, settled } from '../../shared/errors/errors';
import { describe } from '../../shared/values/readers';
import { metadataOf, runList } from './list';
import { withLocks } from './lock';
import type { Call, EachOperation, Items, ListOperation } from './operation';
import { type ItemPlan, needsLookUp } from './plan';
import type { Run } from './run';

/**
 * Sends what an item asks for and turns the answers into output items, each linked to its input item.
 *
 * @param output takes the items as they come; they stay in it where the rest fails
 * @throws PlatformError, InputError, CancelledError
 */
export async function runItem(
	run: Run,
	operation: EachOperation | ListOperation,
	plan: ItemPlan,
	output: Items,
): Promise<void> {
	const current = plan.dryRun ? undefined : run.unchanged?.get(plan.item.itemIndex);
	if (current !== undefined)
		output.push(toItem(run, plan, plan.shape({ ...current, skipped: true })));
	else if (operation.kind === 'list')
		await runList({ run, operation, plan, call: callOf(run, plan, { reads: 0 }), output });
	else if (run.isWrite && !plan.dryRun)
		await withLocks(async (lock) => {
			output.push(await runEach(run, operation, plan, lock));
		});
	else output.push(await runEach(run, operation, plan));
}

async function runEach(
	run: Run,
	operation: EachOperation,
	plan: ItemPlan,
	lock?: Call['lock'],
): Promise<Items[number]> {
	const progress: Progress = { reads: 0 };
	const call = callOf(run, plan, progress, lock);
	const result = await settled(workOf(operation, call));
	if (result.status === 'fulfilled') {
		// What was not modified is no record.
		const record = progress.answer?.status === 304 ? result.value : plan.shape(result.value);
		return toItem(run, plan, record, progress.answer);
	}
	const reason: unknown = result.reason;
	if (!(reason instanceof WouldWrite)) throw reason;
	const sent = 1 + progress.reads + (needsLookUp(operation, plan) ? 1 : 0);
	const requests = operation.requests ?? sent;
	run.report.wouldSend(requests);
	const preview = await operation.preview?.({ ...call, request: reason.request });
	const shown = preview ? { dryRun: true, ...preview } : dryRunRecord(reason.request, requests);
	return toItem(run, plan, plan.shape(shown));
}

/** Finds the record that the item names, then does its work. */
async function workOf(operation: EachOperation, call: Call): Promise<IDataObject> {
	const request = (await operation.find?.(call)) ?? call.request;
	return await (operation.run?.({ ...call, request }) ?? call.record(request));
}

/** An item of the output, linked to its input item. */
function toItem(
	run: Run,
	plan: ItemPlan,
	record: IDataObject,
	answer?: PlatformResponse,
): Items[number] {
	const json =
		plan.metadata && answer !== undefined
			? { ...record, _meta: metadataOf(run.client, answer) }
			: record;
	return { json, pairedItem: { item: plan.item.itemIndex } };
}

/** What came of one item's call so far. */
interface Progress {
	/** The answer that the item's record comes from: the latest that had a body, or the write's. */
	answer?: PlatformResponse;
	/** Requests that a dry run has sent to read. */
	reads: number;
}

/** Ends a dry run where it would write. */
class WouldWrite extends Error {
	constructor(readonly request: PlatformRequest) {
		super('A dry run writes nothing');
	}
}

/**
 * What an operation does an item's work with. A dry run sends what reads, and shows the write in place of sending it.
 *
 * @param lock of the records that the item looks up; none where nothing is written
 */
function callOf(run: Run, plan: ItemPlan, progress: Progress, lock?: Call['lock']): Call {
	const { client } = run;
	const { item, request, fields } = plan;
	const transport = async (one: PlatformRequest) => await client.request(one);
	const send: Call['send'] = async (one, step) => {
		const isWrite = one.method !== 'GET';
		if (plan.dryRun && isWrite) throw new WouldWrite(one);
		progress.reads++;
		const response = await (isWrite
			? run.writes.send(item.itemIndex, ownKeyFor(one, step), step ?? '', transport)
			: transport(one));
		if (step === undefined || response.body !== undefined) progress.answer = response;
		return response;
	};
	return {
		item,
		request,
		fields,
		client,
		unsettled: run.isWrite ? run.writes.unsettled(item.itemIndex) : undefined,
		send,
		record: async (one, step) => recordOf(one, await send(one, step), client.host),
		lock: async (path) => await lock?.(`${client.credentialId} ${path}`),
		hint: (text) => run.report.hint(text),
	};
}

/** A key of the user's stands for the item's one write, not for what is sent beside it. */
const ownKeyFor = (request: PlatformRequest, step?: string): PlatformRequest =>
	step === undefined ? request : { ...request, idempotencyKey: undefined };

/**
 * The record that an answer gives. A write that was answered with success is done, also where the answer says no
 * more than that.
 *
 * @throws PlatformError where a read gave nothing
 */
function recordOf(request: PlatformRequest, response: PlatformResponse, host: string): IDataObject {
	const { status, requestId, record } = response;
	const { method, path, pathParams } = request;
	if (status === 304) return { notModified: true, id: Object.values(pathParams ?? {})[0] };
	if (method === 'DELETE') return { deleted: true, id: idOf(request, response) };
	if (record !== undefined) return record;
	if (method !== 'GET') return { success: true, id: idOf(request, response), status };
	throw new PlatformError('empty', { method, path, pathParams, host }, { status, requestId });
}

/** The record that a write was about, or the one that a create has made (Location header). */
function idOf({ path, pathParams }: PlatformRequest, { headers }: PlatformResponse) {
	const [name] = placeholders(path);
	if (name !== undefined) return pathParams?.[name]?.trim();
	return headers.location?.split(/[?#]/)[0].split('/').filter(Boolean).at(-1);
}

/** What an item would send, in place of sending it. */
function dryRunRecord(
	{ method, path, pathParams, query, body }: PlatformRequest,
	requests: number,
): IDataObject {
	const record: IDataObject = {
		dryRun: true,
		method,
		path: expandPath(path, pathParams),
		requests,
	};
	if (query !== undefined && Object.keys(query).length > 0) record.query = query;
	if (body !== undefined) record.body = body;
	return record;
}

/**
 * Reads a record of which something is written, or which is given in place of a write. What is answered must be the
 * record that was asked for.
 *
 * @param label display name
 * @param request GET of the record by its ID
 * @throws InputError where the platform answers another record, or none
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
 * Whether a write was refused because the record was changed in the meantime (API document, "Inventory": 409 CONFLICT;
 * HTTP has 412 for If-Match). Nothing was written then.
 */
export function isConflict(error: unknown): error is PlatformError {
	if (!(error instanceof PlatformError)) return false;
	return error.details.status === 412 || isKindOf409('CONFLICT', error.details);
}
