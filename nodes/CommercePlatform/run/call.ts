import type { IDataObject } from 'n8n-workflow';

import { expandPath, placeholders } from '../../shared/api/http';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import { PlatformError } from '../../shared/errors/errors';
import type { Call } from '../engine/operation';
import type { ItemPlan } from '../engine/plan';
import type { Run } from '../engine/run';

/** The call of one item, and what came of it so far. */
export interface ItemCall {
	call: Call;
	/** The answer that the item's record comes from: the latest that had a body, or the write's. */
	answer?: PlatformResponse;
	/** Requests that a dry run has sent to read. */
	reads: number;
}

/** Ends a dry run where it would write. */
export class WouldWrite extends Error {
	constructor(readonly request: PlatformRequest) {
		super('A dry run writes nothing');
	}
}

/**
 * What an operation does an item's work with. A dry run sends what reads, and shows the write in place of sending it.
 *
 * @param lock of the records that the item looks up; none where nothing is written
 */
export function callOf(run: Run, plan: ItemPlan, lock?: Call['lock']): ItemCall {
	const { client } = run;
	const { item, request, fields } = plan;
	const of: Omit<ItemCall, 'call'> & { call?: Call } = { reads: 0 };
	const transport = async (one: PlatformRequest) => await client.request(one);
	const send: Call['send'] = async (one, step) => {
		const isWrite = one.method !== 'GET';
		if (plan.dryRun && isWrite) throw new WouldWrite(one);
		of.reads++;
		const response = await (isWrite
			? run.writes.send(item.itemIndex, ownKeyFor(one, step), step ?? '', transport)
			: transport(one));
		if (step === undefined || response.body !== undefined) of.answer = response;
		return response;
	};
	of.call = {
		item,
		request,
		fields,
		client,
		unsettled: run.isWrite ? run.writes.unsettled(item.itemIndex) : undefined,
		send,
		record: async (one) => recordOf(one, await send(one), client.host),
		lock: async (path) => await lock?.(`${client.credentialId} ${path}`),
		hint: (text) => run.report.hint(text),
	};
	return of as ItemCall;
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
export function dryRunRecord(
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
