import { createHmac, randomUUID } from 'node:crypto';
import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import type { Clock } from '../../shared/api/clock';
import { newestFirst } from '../../shared/api/pages';
import { mayRefuseParameter, settled } from '../../shared/errors/errors';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { saysGone, subjectOf, type Subject } from '../delivery/eventRecord';

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
	clock: Clock,
) {
	const event = events.find((name) => subjectOf(name) !== undefined) ?? '';
	const subject = subjectOf(event);
	if (subject === undefined)
		throw none(context, `No sample can be made of “${events.join('”, “')}”`);
	const { noun } = subject;
	const record = await withNodeErrors(context, { noun }, async () =>
		newestOf(await createClient(context, SHORT, clock), subject, event),
	);
	if (record === undefined) throw none(context, `Your shop has no ${noun} to make a sample of`);
	return { event, payload: payloadOf(event, record) };
}

/** A platform may spell the states of orders in its own way: one that it refuses, or finds nothing by, is left out. */
async function newestOf(
	client: PlatformClient,
	subject: Subject,
	event: string,
): Promise<IDataObject | undefined> {
	if (event !== 'order.paid') return await firstOf(client, subject);
	const paid = await settled(firstOf(client, subject, { status: 'paid' }));
	if (paid.status === 'rejected' && !mayRefuseParameter(paid.reason)) throw paid.reason;
	const found = paid.status === 'fulfilled' ? paid.value : undefined;
	return found ?? (await firstOf(client, subject));
}

async function firstOf(
	client: PlatformClient,
	{ listPath: path }: Subject,
	query: Record<string, string> = {},
): Promise<IDataObject | undefined> {
	const pages = newestFirst(client, { method: 'GET', path, query }, { limit: 1 });
	const { value } = await pages.next();
	return value === undefined ? undefined : value.records[0];
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
