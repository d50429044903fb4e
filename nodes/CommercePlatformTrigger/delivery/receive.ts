import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { systemClock, type Clock } from '../../shared/rest/clock';
import { isObject } from '../../shared/values/json';
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

/** How long a repeat waits for the outcome of the first delivery, while the platform waits 10 s for the answer. ms. */
const DUPLICATE_WAIT_MS = 7_000;

/** Pause between two checks for that outcome. ms. */
const DUPLICATE_LOOK_MS = 20;

/**
 * Receives one delivery. If it is accepted, it becomes an item, and n8n answers once the execution exists. Every other
 * delivery is answered here.
 */
export async function receiveDelivery(context: IWebhookFunctions, clock = systemClock) {
	const arrivedMs = clock.monotonic();
	const request = context.getRequestObject() as unknown as IncomingDelivery;
	const { headers } = request;
	const body = await bytesOf(request);
	const { events, acceptPreviousSecret, form } = readParameters(context);
	const memory = openMemory(context, servedAddress(context), clock);
	const decline = (reason: Reason) => declined(context, memory, clock, reason);
	if (body === undefined) return decline('body could not be read');
	const secrets = memory.secrets(acceptPreviousSecret);
	const evidence = { body, headers, secrets, events, nowMs: clock.now() };
	const delivery = verifyDelivery(evidence);
	if (typeof delivery === 'string') return decline(delivery);
	const staticData = context.getWorkflowStaticData('node');
	const admitted = await admit(() => memory.admit(delivery, staticData, arrivedMs), clock);
	if (admitted === 'busy') return decline('the same delivery is still being received');
	if (admitted === 'repeat') return decline('seen before');
	const fetched = form.getFullRecord ? await fetchFullRecord(context, delivery, clock) : undefined;
	const item = itemOf(delivery, headers, form, fetched);
	memory.pending.watch(admitted, answerOf(context)).catch(({ message }: Error) => {
		context.logger.warn(`Commerce Platform Trigger could not remember a delivery: ${message}`);
	});
	return { webhookResponse: { received: true }, workflowData: [[item]] };
}

/** The exact bytes of the body, which n8n keeps beside the parsed body; undefined if they cannot be read. */
async function bytesOf(request: IncomingDelivery): Promise<Buffer | undefined> {
	if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.().catch(() => undefined);
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** The address at which this request arrived. In a test run it is the test address. */
function servedAddress(context: IWebhookFunctions): string {
	if (context.getMode() !== 'manual') return context.getNodeWebhookUrl('default') ?? '';
	// Older versions of n8n lack this method. There, the static data of a test run holds only what `create` put into it.
	const newer: Partial<Pick<IWebhookFunctions, 'getWebhookResourceUrl'>> = context;
	if (newer.getWebhookResourceUrl) return newer.getWebhookResourceUrl('default') ?? '';
	const { record } = context.getWorkflowStaticData('node') as { record?: { address?: unknown } };
	return typeof record?.address === 'string' ? record.address : '';
}

/**
 * Asks for admission. While the same delivery is being received, waits for its outcome. @returns `busy` if it waited in
 * vain
 */
async function admit<T>(ask: () => T, clock: Clock): Promise<T> {
	const endMs = clock.monotonic() + DUPLICATE_WAIT_MS;
	for (;;) {
		const admission = ask();
		if (admission !== 'busy' || clock.monotonic() >= endMs) return admission;
		await clock.sleep(DUPLICATE_LOOK_MS);
	}
}

/**
 * Makes the item of a delivery.
 *
 * @param fetched the record that the event is about, if the user wants it
 */
export function itemOf(
	{ event, timestamp, deliveryId, payload }: Delivery,
	headers: DeliveryHeaders,
	form: TriggerParameters['form'],
	fetched: FullRecord = {},
): INodeExecutionData {
	const deliveryItem = {
		event,
		timestamp: timestamp ?? null,
		deliveryId,
		payload: payload ?? null,
	};
	// An item's JSON must be an object. Any other payload is put into the field `payload`.
	const payloadItem = isObject(payload) ? { ...payload } : { payload: payload ?? null };
	const item = (form.payloadOnly ? payloadItem : deliveryItem) as IDataObject;
	for (const [name, value] of Object.entries(fetched)) item[freeName(item, name)] = value;
	const json = withDecimals(item, form.decimals);
	if (form.includeHeaders) json[freeName(json, 'headers')] = publicHeaders(headers);
	return { json };
}

/** The wanted name, with underscores in front until the item has no such field. */
function freeName(json: IDataObject, wanted: string): string {
	let name = wanted;
	while (name in json) name = `_${name}`;
	return name;
}

/** Headers that belong to the connection, not to the event. No item shows them. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

function publicHeaders(headers: DeliveryHeaders): Record<string, string> {
	const shown = Object.entries(headers).filter(
		([name, value]) => value !== undefined && !PRIVATE_HEADERS.has(name),
	);
	return Object.fromEntries(shown.map(([name, value]) => [name, [value].flat().join(', ')]));
}

const answerOf = (context: IWebhookFunctions): Answer =>
	context.getResponseObject() as unknown as Answer;

const MINUTE_MS = 60 * 1000;

/** How many refusals a minute are logged one by one: anybody can send garbage to an address. */
const LOGGED_A_MINUTE = 10;

/** The lines for n8n's log: this refusal, and, at the first one of a later minute, how many were not logged. */
function refusalTexts(refused: EndpointMemory['refused'], reason: Reason, nowMs: number): string[] {
	const { sinceMs, count } = refused;
	const isNewMinute = nowMs - sinceMs >= MINUTE_MS;
	if (isNewMinute) Object.assign(refused, { sinceMs: nowMs, count: 0 });
	refused.count++;
	const texts = refused.count > LOGGED_A_MINUTE ? [] : [`refused a delivery: ${reason}`];
	if (isNewMinute && count > LOGGED_A_MINUTE) {
		const since = new Date(sinceMs).toISOString();
		texts.unshift(`refused ${count - LOGGED_A_MINUTE} more deliveries since ${since}`);
	}
	return texts;
}

/** Answers a delivery that is not executed, and logs why. */
function declined(
	context: IWebhookFunctions,
	{ scope: { address, workflowId }, refused }: EndpointMemory,
	clock: Clock,
	reason: Reason,
): IWebhookResponseData {
	const status = REASONS[reason];
	const isGenuine = status === 200;
	const answerBody = isGenuine ? { received: true, executed: false } : { received: false };
	answerOf(context)
		.status(status)
		.json({ ...answerBody, reason });
	const logPrefix = `Commerce Platform Trigger "${context.getNode().name}" at ${address}`;
	if (isGenuine) context.logger.debug(`${logPrefix} did not execute a delivery: ${reason}`);
	else {
		for (const text of refusalTexts(refused, reason, clock.now()))
			context.logger.warn(`${logPrefix} ${text}`, { workflowId, status });
	}
	// The answer has been given here, so n8n must not answer.
	return { noWebhookResponse: true };
}
