import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { shopClient } from '../shared/shop/service';
import type { Clock } from '../shared/rest/clock';
import type { PlatformContext } from '../shared/rest/request';
import { CancelledError, isNotFound } from '../shared/rest/errors';
import { errorJson, toNodeError } from '../shared/rest/nodeErrors';
import { withCancelSignal } from '../shared/n8n';
import { isObject } from '../shared/values/json';
import type { Delivery } from './verifyDelivery';

/** The kind of record that an event is about. */
export interface RecordKind {
	/** What users call the record. */
	noun: string;
	/** The path of the list of such records. */
	listPath: string;
	/** The path of one record by its `id`; undefined if these records have no `id`. */
	recordPath?: string;
}

/** The kinds, by the first word of an event's name. */
export const RECORD_KINDS: Readonly<Record<string, RecordKind>> = {
	customer: { noun: 'customer', listPath: '/customers', recordPath: '/customers/{id}' },
	inventory: { noun: 'stock level', listPath: '/inventory/levels' },
	order: { noun: 'order', listPath: '/orders', recordPath: '/orders/{id}' },
	product: { noun: 'product', listPath: '/products', recordPath: '/products/{id}' },
};

/**
 * The kind of record that an event is about, by the first word of its name. The name is `order.paid`, in some shops
 * `orders/paid` or `order_paid`.
 */
export function recordKindOf(event: string): RecordKind | undefined {
	const [firstWord] = event.toLowerCase().split(/[^a-z]/);
	return RECORD_KINDS[firstWord] ?? RECORD_KINDS[firstWord.replace(/s$/, '')];
}

/** Whether the name of an event says that its record is gone. */
export const saysGone = (event: string): boolean => /delet|erase|redact|remov/i.test(event);

/**
 * How long the record may take. The platform waits 10 s for the answer to its delivery (API document, "Receiver
 * requirements"), and n8n also has to create the execution in that time. ms.
 */
const RECORD_WAIT_MS = 5_000;

/** The fields that are added to an item: the record, or why it could not be read; none if there is no record. */
export type FullRecord = { record?: IDataObject; recordError?: IDataObject };

/**
 * Fetches the record that an event is about, with one request. A failure is part of the result.
 */
export async function fetchFullRecord(
	context: IWebhookFunctions,
	{ event, payload }: Delivery,
	clock: Clock,
): Promise<FullRecord> {
	const { recordPath: path, noun } = recordKindOf(event) ?? {};
	const id = isObject(payload) ? payload.id : undefined;
	if (path === undefined || noun === undefined || saysGone(event)) return {};
	if (typeof id !== 'string' && typeof id !== 'number') return {};
	try {
		// The signal also ends requests that wait for the limiter.
		const limited = withCancelSignal<PlatformContext>(context, clock.timeout(RECORD_WAIT_MS));
		const patience = { maxAttempts: 1, maxWaitMs: RECORD_WAIT_MS, timeoutMs: RECORD_WAIT_MS };
		const client = await shopClient(limited, patience, clock);
		const pathParams = { id: String(id) };
		const { record } = await client.request({ method: 'GET', path, pathParams });
		return record === undefined ? failed('The platform’s answer held no record') : { record };
	} catch (error) {
		// The record was deleted meanwhile: to send the delivery again would not help.
		if (isNotFound(error)) return {};
		if (error instanceof CancelledError)
			return failed(`The record did not come within ${RECORD_WAIT_MS / 1000} seconds`);
		const recordError = errorJson(toNodeError(context.getNode(), error, { noun }));
		return { recordError: recordError as IDataObject };
	}
}

const failed = (message: string): FullRecord => ({ recordError: { message } });
