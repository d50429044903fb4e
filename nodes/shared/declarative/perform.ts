import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import { checkIdempotencyKey, idempotencyKeyOf, type WriteIdentity } from '../api/idempotencyKey';
import { checkHeaderValue, placeholders } from '../api/path';
import { PlatformError } from '../api/platformError';
import type { PlatformRequest, PlatformResponse } from '../api/request';
import { send } from '../api/send';
import { walkPages } from '../api/walk';
import { checkRequest } from '../api/wire';
import { withDecimals } from '../money';
import type { ItemScope, Items, Operation, OperationCall } from './operation';
import { listSettingsOf, optionalText, type ListSettings } from './settings';

/** What all items of a run have in common. */
export interface Run {
	operation: Operation;
	/** e.g. `order.update` */
	name: string;
	connection: Connection;
	/** Tells this run's writes apart from any other's. */
	identity: Omit<WriteIdentity, 'itemIndex' | 'operation' | 'step'>;
}

/** Everything about an item's request that can be known before anything is sent. */
export interface ItemPlan {
	item: ItemScope;
	request: PlatformRequest;
	list?: ListSettings;
	/** Whether each output item tells of the answer that it came with. */
	metadata: boolean;
	shape: Shape;
}

/**
 * Reads and checks all that an item asks for, and sends nothing.
 *
 * @param described the request as the operation's routing gives it
 * @throws InputError, UnsafeValueError naming the field
 */
export function planItem(run: Run, item: ItemScope, described: PlatformRequest): ItemPlan {
	const options = item.parameter('options', {}) as IDataObject;
	const request = withOptions(run, item, described, options);
	checkRequest(request);
	return {
		item,
		request,
		list: run.operation.answer === 'list' ? listSettingsOf(item) : undefined,
		metadata: options.includeMetadata === true,
		shape: shaper(run.operation, item, options),
	};
}

/**
 * Sends an item's request and turns the answer into output items, each linked to its input item.
 *
 * @throws PlatformError, InputError, UnsafeValueError, CancelledError
 */
export async function performItem(run: Run, plan: ItemPlan): Promise<Items> {
	const { item, shape } = plan;
	const { operation } = run;
	/** The answer that the item's record comes from. */
	let answer: PlatformResponse | undefined;
	const call: OperationCall = {
		item,
		request: plan.request,
		connection: run.connection,
		send: async (further, step) => {
			const idempotencyKey = keyOf(run, item, undefined, step);
			const response = await send(run.connection, { ...further, idempotencyKey });
			if (response.body !== undefined) answer = response;
			return response;
		},
	};
	const only = (json: IDataObject): Items => {
		if (plan.metadata && answer !== undefined) json._meta = metadataOf(run.connection, answer);
		return [toItem(json, item.itemIndex)];
	};
	if (operation.prepare !== undefined) call.request = await operation.prepare(call);
	if (plan.list !== undefined) return await list(run, plan, plan.list, call.request);
	if (operation.perform !== undefined) return only(shape(await operation.perform(call)));
	const [result] = await Promise.allSettled([send(run.connection, call.request)]);
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		const recovered =
			error instanceof PlatformError ? await operation.recover?.(call, error) : undefined;
		if (recovered === undefined) throw error;
		return only(shape(recovered));
	}
	answer = result.value;
	return only(toRecord(run, call.request, result.value, shape));
}

function withOptions(
	run: Run,
	item: ItemScope,
	request: PlatformRequest,
	options: IDataObject,
): PlatformRequest {
	const headers: Record<string, string> = { ...request.headers };
	const etag = optionalText('Known ETag', options.ifNoneMatch);
	if (etag !== undefined) headers['If-None-Match'] = checkHeaderValue('Known ETag', etag);
	if (request.method === 'GET') return { ...request, headers };
	return { ...request, headers, idempotencyKey: keyOf(run, item, options.idempotencyKey) };
}

function keyOf(run: Run, item: ItemScope, own: unknown, step?: string): string {
	const chosen = optionalText('Idempotency Key', own);
	if (chosen !== undefined) return checkIdempotencyKey(chosen);
	return idempotencyKeyOf({
		...run.identity,
		itemIndex: item.itemIndex,
		operation: run.name,
		step,
	});
}

async function list(
	run: Run,
	{ item, shape, metadata }: ItemPlan,
	{ pages, ...walk }: ListSettings,
	request: PlatformRequest,
): Promise<Items> {
	const items: Items = [];
	// One object for all: at 300,000 items an object each would be felt.
	const pairedItem = { item: item.itemIndex };
	const { bareList, continueBy } = run.operation;
	for await (const { page, response } of walkPages(run.connection, request, {
		...walk,
		sendLimit: bareList !== true,
		continueBy,
	})) {
		const meta = metadata ? { _meta: metadataOf(run.connection, response) } : undefined;
		const records = shape === asItIs ? page.records : page.records.map(shape);
		if (pages) {
			items.push({
				json: { data: records, pagination: page.pagination ?? {}, ...meta },
				pairedItem,
			});
		} else {
			for (const record of records)
				items.push({ json: meta ? { ...record, ...meta } : record, pairedItem });
		}
	}
	return items;
}

function toRecord(
	run: Run,
	request: PlatformRequest,
	response: PlatformResponse,
	shape: Shape,
): IDataObject {
	if (run.operation.answer === 'deleted') {
		const [name] = placeholders(request.path);
		return { deleted: true, id: request.pathParams?.[name]?.trim() };
	}
	if (response.status === 304)
		return { notModified: true, id: Object.values(request.pathParams ?? {})[0] };
	const record = recordOf(response.body);
	if (record === undefined) {
		const { method, path, pathParams } = request;
		throw new PlatformError(
			'empty',
			{ method, path, pathParams, host: run.connection.host },
			{
				status: response.status,
				requestId: response.requestId,
			},
		);
	}
	return shape(record);
}

/** `{ data: resource }` by the API document's conventions; a bare resource is taken as well. */
export function recordOf(body: unknown): IDataObject | undefined {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
	const { data } = body as IDataObject;
	if (data === undefined) return { ...(body as IDataObject) };
	return typeof data === 'object' && data !== null && !Array.isArray(data)
		? { ...(data as IDataObject) }
		: { data };
}

type Shape = (record: IDataObject) => IDataObject;

const asItIs: Shape = (record) => record;

/** What the user wants a record to look like: Simplify, and decimals beside amounts. */
function shaper(operation: Operation, item: ItemScope, options: IDataObject): Shape {
	const { simplify } = operation;
	const short = item.parameter('simplify', false) === true && simplify ? simplify : asItIs;
	return options.addDecimalAmounts === true ? (record) => withDecimals(short(record)) : short;
}

function metadataOf(connection: Connection, response: PlatformResponse): IDataObject {
	const { limit, remaining, dayLimit, dayRemaining } = connection.lane.pace.snapshot();
	return {
		etag: response.headers.etag,
		requestId: response.requestId,
		status: response.status,
		rateLimit: { limit, remaining, limitDay: dayLimit, remainingDay: dayRemaining },
	};
}

function toItem(json: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}
