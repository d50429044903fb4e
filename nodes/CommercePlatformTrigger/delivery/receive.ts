import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { systemClock, type Clock } from '../../shared/api/clock';
import { isObject } from '../../shared/values/json';
import { settled } from '../../shared/errors/errors';
import { withDecimals } from '../../shared/values/money';
import { openMemory, type EndpointMemory } from '../memory/endpointMemory';
import type { OutgoingAnswer } from '../memory/pendingDeliveries';
import { readParameters, type TriggerParameters } from '../parameters';
import { fetchFullRecord, type FullRecord } from './eventRecord';
import {
	REASONS,
	verifyDelivery,
	type Delivery,
	type DeliveryHeaders,
	type Reason,
} from './verifyDelivery';

/** The part of an Express request that is used here. */
interface IncomingDelivery {
	headers: DeliveryHeaders;
	rawBody?: unknown;
	readRawBody?(): Promise<void>;
}

/** The part of an Express response that is used here. */
interface Answer extends OutgoingAnswer {
	status(code: number): Answer;
	json(body: object): unknown;
}

/** How long a duplicate waits for the first one's outcome, while the platform waits 10 s for the answer. ms. */
const DUPLICATE_WAIT_MS = 7_000;

/** Pause between two looks for that outcome. ms. */
const DUPLICATE_LOOK_MS = 20;

/** The answer has been given here, so n8n must not answer. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Receives one delivery. If it is accepted, it becomes an item, and n8n answers when the execution exists. All
 * others are answered here.
 */
export async function receiveDelivery(context: IWebhookFunctions, clock = systemClock) {
	const request = context.getRequestObject() as unknown as IncomingDelivery;
	const { headers } = request;
	const body = await bytesOf(request);
	const { events, acceptPreviousSecret, repeatsByContent, retentionMs, form } =
		readParameters(context);
	const memory = openMemory(context, servedAddress(context), retentionMs, clock);
	const decline = (reason: Reason) => declined(context, memory, clock, reason);
	if (body === undefined) return decline('body could not be read');
	const secrets = memory.secrets(acceptPreviousSecret);
	const evidence = { body, headers, secrets, events, repeatsByContent, nowMs: clock.now() };
	const delivery = verifyDelivery(evidence);
	if (typeof delivery === 'string') return decline(delivery);
	const staticData = context.getWorkflowStaticData('node');
	const admitted = await admit(() => memory.admit(delivery, staticData), clock);
	if (admitted === 'busy') return decline('the same delivery is still being received');
	if (admitted === 'repeat') return decline('seen before');
	const fetched = form.getFullRecord ? await fetchFullRecord(context, delivery, clock) : undefined;
	const item = itemOf(delivery, headers, form, fetched);
	memory.pending.watch(admitted, answerOf(context)).catch(({ message }: Error) => {
		context.logger.warn(`Commerce Platform Trigger could not remember a delivery: ${message}`);
	});
	return { webhookResponse: { received: true }, workflowData: [[item]] };
}

/** The exact bytes, which n8n keeps beside the parsed body; undefined if they cannot be read. */
async function bytesOf(request: IncomingDelivery): Promise<Buffer | undefined> {
	if (!Buffer.isBuffer(request.rawBody))
		await settled(request.readRawBody?.() ?? Promise.resolve());
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** The address at which this request arrived: on a test run the test address. */
function servedAddress(context: IWebhookFunctions): string {
	if (context.getMode() !== 'manual') return context.getNodeWebhookUrl('default') ?? '';
	// Older n8n has no such method. But on a test run, static data holds only what `create` put there.
	const newer: Partial<Pick<IWebhookFunctions, 'getWebhookResourceUrl'>> = context;
	if (newer.getWebhookResourceUrl) return newer.getWebhookResourceUrl('default') ?? '';
	const { record } = context.getWorkflowStaticData('node') as { record?: { address?: unknown } };
	return typeof record?.address === 'string' ? record.address : '';
}

/** Waits, while the same delivery is being received, for its outcome. @returns `busy` if it waited in vain */
async function admit<T>(ask: () => T, clock: Clock): Promise<T> {
	const endMs = clock.monotonic() + DUPLICATE_WAIT_MS;
	for (;;) {
		const admitted = ask();
		if (admitted !== 'busy' || clock.monotonic() >= endMs) return admitted;
		await clock.sleep(DUPLICATE_LOOK_MS);
	}
}

/**
 * The item that a delivery becomes.
 *
 * @param fetched the record that the event is about, where it was asked for
 */
export function itemOf(
	{ event, timestamp, deliveryId, payload }: Delivery,
	headers: DeliveryHeaders,
	form: TriggerParameters['form'],
	fetched: FullRecord = {},
): INodeExecutionData {
	const whole = { event, timestamp: timestamp ?? null, deliveryId, payload: payload ?? null };
	// An item's JSON must be an object. Any other payload is put under the name `payload`.
	const alone = isObject(payload) ? { ...payload } : { payload: payload ?? null };
	const plain = (form.payloadOnly ? alone : whole) as IDataObject;
	for (const [name, value] of Object.entries(fetched)) plain[freeName(plain, name)] = value;
	const json = withDecimals(plain, form.decimals);
	if (form.includeHeaders) json[freeName(json, 'headers')] = publicHeaders(headers);
	return { json };
}

/** A name, with an underscore in front for as long as the payload has a field of it. */
function freeName(json: IDataObject, wanted: string): string {
	let name = wanted;
	while (name in json) name = `_${name}`;
	return name;
}

/** These belong to the connection, not to the event, so no item shows them. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

function publicHeaders(headers: DeliveryHeaders): Record<string, string> {
	const shown: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) {
		if (value === undefined || PRIVATE_HEADERS.has(name)) continue;
		shown[name] = Array.isArray(value) ? value.join(', ') : value;
	}
	return shown;
}

const answerOf = (context: IWebhookFunctions): Answer =>
	context.getResponseObject() as unknown as Answer;

/** Answers a delivery that is not executed, and logs why. */
function declined(
	context: IWebhookFunctions,
	{ place: { address, workflowId }, refusals }: EndpointMemory,
	clock: Clock,
	reason: Reason,
): IWebhookResponseData {
	const status = REASONS[reason];
	const isGenuine = status === 200;
	const said = isGenuine ? { received: true, executed: false } : { received: false };
	answerOf(context)
		.status(status)
		.json({ ...said, reason });
	const who = `Commerce Platform Trigger "${context.getNode().name}" at ${address}`;
	if (isGenuine) context.logger.debug(`${who} did not execute a delivery: ${reason}`);
	else {
		for (const text of refusals.add(reason, clock.now()))
			context.logger.warn(`${who} ${text}`, { workflowId, status });
	}
	return ANSWERED;
}
