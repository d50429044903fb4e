import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { createClient } from '../../shared/api/client';
import { CancelledError } from '../../shared/errors/errors';
import { pause, type Clock } from '../../shared/api/clock';
import type { ErrorContext } from '../../shared/errors/texts';
import { errorJson, toNodeError } from '../../shared/errors/nodeErrors';
import type { PlatformContext } from '../../shared/api/request';
import { isObject } from '../../shared/values/json';
import { saysGone, subjectOf } from '../subject';
import type { Delivery } from './verifyDelivery';

/**
 * The platform waits 10 s for its answer, and creating the execution takes its time as well (API document,
 * "Receiver requirements"). ms.
 */
const RECORD_WAIT_MS = 5_000;

const ONE_REQUEST = {
	maxAttempts: 1,
	maxWaitMs: RECORD_WAIT_MS,
	timeoutMs: RECORD_WAIT_MS,
};

/** What is added to an item: the record, or why it is not there. */
export type FullRecord = { record: IDataObject } | { recordError: IDataObject };

/**
 * Fetches the record that an event is about, with one request. Whatever goes wrong stands in the result: a
 * genuine delivery is never lost by it.
 */
export async function fetchFullRecord(
	context: IWebhookFunctions,
	{ event, payload }: Delivery,
	clock: Clock,
): Promise<FullRecord> {
	const subject = subjectOf(event);
	if (subject?.recordPath === undefined || saysGone(event))
		return failed('There is no record to fetch for this event');
	const id = isObject(payload) ? payload.id : undefined;
	if (typeof id !== 'string' && typeof id !== 'number')
		return failed('The payload names no record: it has no id');
	const { recordPath: path, noun } = subject;
	const late = new AbortController();
	const done = new AbortController();
	pause(clock, RECORD_WAIT_MS, done.signal).then(
		() => late.abort(),
		() => undefined,
	);
	try {
		const client = await createClient(boundedBy(context, late.signal), ONE_REQUEST, clock);
		const pathParams = { id: String(id) };
		const { record } = await client.request({ method: 'GET', path, pathParams });
		return record === undefined ? failed('The platform’s answer held no record') : { record };
	} catch (error) {
		return reasonOf(context, error, { noun });
	} finally {
		done.abort();
	}
}

function reasonOf(
	context: IWebhookFunctions,
	error: unknown,
	errorContext: ErrorContext,
): FullRecord {
	if (error instanceof CancelledError)
		return failed(`The record did not come within ${RECORD_WAIT_MS / 1000} seconds`);
	const told = errorJson(toNodeError(context.getNode(), error, errorContext));
	const { error: message, ...rest } = told as IDataObject;
	return { recordError: { message, ...rest } };
}

const failed = (message: string): FullRecord => ({ recordError: { message } });

/** The same context, whose requests end with a signal: also those that wait for their turn. */
function boundedBy(context: IWebhookFunctions, signal: AbortSignal): PlatformContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as PlatformContext;
}
