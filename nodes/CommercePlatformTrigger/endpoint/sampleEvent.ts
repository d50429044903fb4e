import { createHmac, randomUUID } from 'node:crypto';
import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import type { Clock } from '../../shared/api/clock';
import { createClient, type PlatformClient } from '../../shared/api/client';
import { withNodeErrors } from '../../shared/api/nodeErrors';
import { PlatformError } from '../../shared/api/platformError';
import { stringifyExactly } from '../../shared/exactJson';
import { saysGone, subjectOf, type Subject } from '../subject';
import { warn } from './removal';

/** What a sample delivery says. */
export interface SampleEvent {
	event: string;
	payload: IDataObject;
}

/** A user who listens for a test event waits no longer for the platform. */
const SHORT = { maxAttempts: 2, maxWaitMs: 10_000, timeoutMs: 10_000 };

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
): Promise<SampleEvent> {
	const event = events.find((name) => subjectOf(name) !== undefined);
	const subject = event === undefined ? undefined : subjectOf(event);
	if (event === undefined || subject === undefined)
		throw none(context, `No sample can be made of “${events.join('”, “')}”`);
	const { noun, scope } = subject;
	const record = await withNodeErrors(context, { noun, scope }, async () =>
		newestOf(await createClient(context, SHORT), subject, event),
	);
	if (record === undefined) throw none(context, `Your shop has no ${noun} to make a sample of`);
	return { event, payload: payloadOf(event, record) };
}

/**
 * The document names one sort field, `updated_at`, and order states whose words a platform may spell in its own
 * way: what it refuses, or finds nothing by, is left out.
 */
async function newestOf(
	client: PlatformClient,
	{ listPath, recordPath }: Subject,
	event: string,
): Promise<IDataObject | undefined> {
	const sorted = recordPath === undefined ? [] : [{ sort: 'updated_at:desc' }];
	const paid = event === 'order.paid' ? [{ sort: 'updated_at:desc', status: 'paid' }] : [];
	for (const query of [...paid, ...sorted]) {
		const found = await firstOf(client, listPath, query).catch((error: unknown) => {
			if (isRefusedQuery(error)) return undefined;
			throw error;
		});
		if (found !== undefined) return found;
	}
	return await firstOf(client, listPath, {});
}

async function firstOf(
	client: PlatformClient,
	path: string,
	query: Record<string, string>,
): Promise<IDataObject | undefined> {
	const { value } = await client.pages({ method: 'GET', path, query }, { limit: 1 }).next();
	return value === undefined ? undefined : value.records[0];
}

const isRefusedQuery = (error: unknown): boolean =>
	error instanceof PlatformError && [400, 422].includes(error.details.status ?? 0);

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
 * Sends a sample to the test address, signed like every delivery, and verified like every one. Does not wait for
 * it: n8n takes it only after the hook has returned.
 */
export function sendSampleEvent(
	context: IHookFunctions,
	{ address, secret }: { address: string; secret: string },
	sample: SampleEvent,
	clock: Clock,
): void {
	untilTaken(context, address, secret, sample, clock).catch((error: unknown) => {
		warn(context, 'could not send itself a sample event', error);
	});
}

async function untilTaken(
	context: IHookFunctions,
	url: string,
	secret: string,
	{ event, payload }: SampleEvent,
	clock: Clock,
): Promise<void> {
	for (let tries = 1; ; tries++) {
		await clock.sleep(PAUSE_MS);
		const nowMs = clock.now();
		const body = stringifyExactly({ event, timestamp: new Date(nowMs).toISOString(), payload });
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
