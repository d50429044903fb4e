import { createHmac, randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { createClient, PERSON_WAITS_MS, type PlatformClient } from '../../shared/api/client';
import type { Clock } from '../../shared/api/clock';
import type { PlatformContext } from '../../shared/api/request';
import { CancelledError, mayRefuseParameter } from '../../shared/errors/errors';
import { errorJson, toNodeError, withNodeErrors } from '../../shared/errors/nodeErrors';
import { isObject } from '../../shared/values/json';
import type { Delivery } from './verifyDelivery';

/** The kind of record that an event is about. */
interface RecordKind {
	/** The record in the user's words. */
	noun: string;
	/** The list of such records. */
	listPath: string;
	/** One of them by its `id`; undefined where records have none. */
	recordPath?: string;
}

/** By the first word of an event's name. */
export const RECORD_KINDS: Readonly<Record<string, RecordKind>> = {
	customer: { noun: 'customer', listPath: '/customers', recordPath: '/customers/{id}' },
	inventory: { noun: 'stock level', listPath: '/inventory/levels' },
	order: { noun: 'order', listPath: '/orders', recordPath: '/orders/{id}' },
	product: { noun: 'product', listPath: '/products', recordPath: '/products/{id}' },
};

/**
 * What an event is about, by the first word of its name: `order.paid`, and in shops with other names
 * `orders/paid` or `order_paid`.
 */
function recordKindOf(event: string): RecordKind | undefined {
	const [first] = event.toLowerCase().split(/[^a-z]/);
	return RECORD_KINDS[first] ?? RECORD_KINDS[first.replace(/s$/, '')];
}

/** Whether an event says that its record is gone. */
const saysGone = (event: string): boolean => /delet|erase|redact|remov/i.test(event);

/**
 * The platform waits 10 s for its answer, and creating the execution takes its time as well (API document,
 * "Receiver requirements"). ms.
 */
const RECORD_WAIT_MS = 5_000;

const ONE_REQUEST = { maxAttempts: 1, maxWaitMs: RECORD_WAIT_MS, timeoutMs: RECORD_WAIT_MS };

/** What is added to an item: the record, or why it is not there. */
export type FullRecord = { record?: IDataObject; recordError?: IDataObject };

/**
 * Fetches the record that an event is about, with one request. Whatever goes wrong stands in the result: a
 * genuine delivery is never lost by it.
 */
export async function fetchFullRecord(
	context: IWebhookFunctions,
	{ event, payload }: Delivery,
	clock: Clock,
): Promise<FullRecord> {
	const { recordPath: path, noun } = recordKindOf(event) ?? {};
	if (path === undefined || noun === undefined || saysGone(event))
		return failed('There is no record to fetch for this event');
	const id = isObject(payload) ? payload.id : undefined;
	if (typeof id !== 'string' && typeof id !== 'number')
		return failed('The payload names no record: it has no id');
	try {
		const client = await createClient(within(context, clock), ONE_REQUEST, clock);
		const pathParams = { id: String(id) };
		const { record } = await client.request({ method: 'GET', path, pathParams });
		return record === undefined ? failed('The platform’s answer held no record') : { record };
	} catch (error) {
		if (error instanceof CancelledError)
			return failed(`The record did not come within ${RECORD_WAIT_MS / 1000} seconds`);
		const told = errorJson(toNodeError(context.getNode(), error, { noun }));
		const { error: message, ...rest } = told as IDataObject;
		return { recordError: { message, ...rest } };
	}
}

const failed = (message: string): FullRecord => ({ recordError: { message } });

/** The same context, whose requests end when they take too long: also those that wait for their turn. */
function within(context: IWebhookFunctions, clock: Clock): PlatformContext {
	const late = clock.timeout(RECORD_WAIT_MS);
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => late },
	}) as PlatformContext;
}

/** A user who listens for a test event waits no longer for the platform. */
const SHORT = { totalMs: PERSON_WAITS_MS };

/** n8n takes deliveries at the test address a moment after the endpoint was registered. ms. */
const PAUSE_MS = 500;
const MAX_TRIES = 10;

/**
 * Makes a sample of the first selected event from the newest record of the shop.
 *
 * @throws NodeApiError where the platform refuses, NodeOperationError where no sample can be made
 */
export async function makeSampleEvent(
	context: IHookFunctions,
	events: readonly string[],
	clock: Clock,
) {
	const event = events.find((name) => recordKindOf(name) !== undefined) ?? '';
	const kind = recordKindOf(event);
	if (kind === undefined) throw none(context, `No sample can be made of “${events.join('”, “')}”`);
	const { noun } = kind;
	const record = await withNodeErrors(context, { noun }, async () =>
		newestOf(await createClient(context, SHORT, clock), kind, event),
	);
	if (record === undefined) throw none(context, `Your shop has no ${noun} to make a sample of`);
	return { event, payload: payloadOf(event, record) };
}

async function newestOf(
	client: PlatformClient,
	{ listPath: path }: RecordKind,
	event: string,
): Promise<IDataObject | undefined> {
	const first = async (query: Record<string, string>) => {
		const list = { method: 'GET', path, query } as const;
		const { value } = await client.pages(list, { limit: 1, newestFirst: true }).next();
		return value === undefined ? undefined : value.records[0];
	};
	if (event !== 'order.paid') return await first({});
	// A platform may spell the states of orders in its own way: one that it refuses, or finds nothing by, is left out.
	const paid = await first({ status: 'paid' }).catch((error: unknown) => {
		if (!mayRefuseParameter(error)) throw error;
		return undefined;
	});
	return paid ?? (await first({}));
}

/**
 * The payload of `order.paid` has three fields (API document, "Delivery request"). Those of other events are not
 * shown; the record stands for them.
 */
function payloadOf(event: string, record: IDataObject): IDataObject {
	if (saysGone(event)) return { id: record.id };
	if (event !== 'order.paid') return record;
	return { id: record.id, status: record.status, total: record.total };
}

/**
 * Sends a sample to the test address, signed like every delivery, and verified like every one.
 *
 * @throws Error if the address does not take it
 */
export async function sendSampleEvent(
	context: IHookFunctions,
	url: string,
	secret: string,
	{ event, payload }: Awaited<ReturnType<typeof makeSampleEvent>>,
	clock: Clock,
): Promise<void> {
	for (let tries = 1; ; tries++) {
		await clock.sleep(PAUSE_MS);
		const nowMs = clock.now();
		const body = JSON.stringify({ event, timestamp: new Date(nowMs).toISOString(), payload });
		const answer = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			body,
			headers: {
				'content-type': 'application/json',
				'x-shop-signature': createHmac('sha256', secret).update(body).digest('hex'),
				'x-shop-timestamp': String(Math.floor(nowMs / 1000)),
				'x-shop-delivery-id': `del_sample_${randomUUID()}`,
				'x-shop-event': event,
			},
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as { statusCode: number };
		if (answer.statusCode < 300) return;
		if (tries === MAX_TRIES) throw new Error(`the test address answered ${answer.statusCode}`);
	}
}

function none(context: IHookFunctions, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, {
		description: 'Switch Sample Event off under Options, and cause a real event instead.',
	});
}
