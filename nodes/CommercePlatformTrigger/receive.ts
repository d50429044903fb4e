import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { WebhookAnswer } from '../shared/n8n';
import { type Clock, systemClock } from '../shared/rest/clock';
import { isNotFound } from '../shared/rest/errors';
import { errorDetails, toNodeError } from '../shared/rest/nodeErrors';
import { CREDENTIAL } from '../shared/rest/request';
import { saysGone } from '../shared/shop/events';
import { nounOf, resourceOfEvent } from '../shared/shop/resources';
import { shopClient } from '../shared/shop/service';
import { isObject } from '../shared/values/json';
import { withDecimals } from '../shared/values/money';
import { type EndpointMemory, openMemory } from './memory';
import { readWebhookParameters } from './parameters';
import {
	type Delivery,
	type DeliveryHeaders,
	type Reason,
	REASONS,
	verifyDelivery,
} from './verifyDelivery';

/** The part of an Express request that is used here. */
interface IncomingDelivery {
	headers: DeliveryHeaders;
	rawBody?: unknown;
	readRawBody?(): Promise<void>;
}

/**
 * Receives one delivery. If it is accepted, it becomes an item, and n8n answers once the execution exists. Every other
 * delivery is answered here.
 */
export async function receiveDelivery(context: IWebhookFunctions, clock = systemClock) {
	const request = context.getRequestObject() as unknown as IncomingDelivery;
	const answer = context.getResponseObject() as unknown as WebhookAnswer;
	const { headers } = request;
	const body = await bytesOf(request);
	const { events, acceptPreviousSecret, form, ifRecordNotRead } = readWebhookParameters(context);
	const memory = openMemory(context, servedAddress(context), clock);
	const decline = (reason: Reason, detail?: string): IWebhookResponseData => {
		logRefusal(context, memory, clock, reason, detail);
		const status = REASONS[reason];
		const outcome = status === 200 ? { received: true, executed: false } : { received: false };
		answer.status(status).json({ ...outcome, reason });
		// After it, n8n must not answer.
		return { noWebhookResponse: true };
	};
	if (body === undefined) return decline('body could not be read');
	try {
		await memory.readSealKeys(context);
	} catch (error) {
		return decline('n8n could not read the credential', messageOf(error));
	}
	const secrets = memory.secrets(acceptPreviousSecret);
	const account = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	const evidence = { body, headers, account, secrets, events, nowMs: clock.now() };
	const delivery = verifyDelivery(evidence);
	if (typeof delivery === 'string') return decline(delivery);
	const admitted = memory.admit(delivery, context.getWorkflowStaticData('node'), answer);
	if (admitted === 'busy') return decline('the same delivery is still being received');
	if (admitted === 'repeat') return decline('seen before');
	const { fields, mayComeLater } = form.getFullRecord
		? await fetchFullRecord(context, delivery, clock)
		: NO_RECORD;
	// The delivery is pending since `admit`. As this answer is no 2xx, it ends it as one that may come again.
	if (mayComeLater && ifRecordNotRead === 'sendAgain')
		return decline('the record could not be read', String(fields.recordError?.message));
	const item = itemOf(delivery, headers, form, fields);
	memory.pending.handOver(admitted).catch((error: unknown) => {
		const logPrefix = 'Commerce Platform Trigger could not remember a delivery';
		context.logger.warn(`${logPrefix}: ${messageOf(error)}`);
	});
	return { webhookResponse: { received: true }, workflowData: [[item]] };
}

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

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
 * Makes the item of a delivery.
 *
 * @param fullRecord the record that the event is about, if the user wants it
 */
function itemOf(
	{ event, timestamp, deliveryId, payload }: Delivery,
	headers: DeliveryHeaders,
	form: ReturnType<typeof readWebhookParameters>['form'],
	fullRecord: FullRecord['fields'],
): INodeExecutionData {
	const said = { event, timestamp: timestamp ?? null, deliveryId, payload: payload ?? null };
	const json = withDecimals({ ...said, ...fullRecord } as IDataObject, form.decimals);
	if (form.includeHeaders) json.headers = publicHeaders(headers);
	return { json };
}

/** Headers that prove who sent a request, to n8n or to a gateway before it. Who has an item must not have them. */
const PRIVATE_HEADER =
	/auth|cookie|signature|hmac|assertion|token|secret|passw|jwt|key|oidc-data|session|credential/;

function publicHeaders(headers: DeliveryHeaders): Record<string, string> {
	const shown = Object.entries(headers).filter(
		([name, value]) => value !== undefined && !PRIVATE_HEADER.test(name),
	);
	return Object.fromEntries(shown.map(([name, value]) => [name, [value].flat().join(', ')]));
}

const MINUTE_MS = 60 * 1000;

/** How many refusals a minute are logged: anybody can send garbage to an address. */
const LOGGED_A_MINUTE = 10;

/** Writes into n8n's log why a delivery is not executed, without a flood of lines. */
function logRefusal(
	context: IWebhookFunctions,
	{ scope: { address, workflowId }, refused }: EndpointMemory,
	clock: Clock,
	reason: Reason,
	detail?: string,
): void {
	const status = REASONS[reason];
	const logPrefix = `Commerce Platform Trigger "${context.getNode().name}" at ${address}`;
	if (status === 200) {
		context.logger.debug(`${logPrefix} did not execute a delivery: ${reason}`);
		return;
	}
	const nowMs = clock.now();
	if (nowMs - refused.sinceMs >= MINUTE_MS) Object.assign(refused, { sinceMs: nowMs, count: 0 });
	refused.count++;
	if (refused.count > LOGGED_A_MINUTE) return;
	const why = detail === undefined ? reason : `${reason}: ${detail}`;
	context.logger.warn(`${logPrefix} refused a delivery: ${why}`, { workflowId, status });
}

/**
 * How long the record may take. The platform waits 10 s for the answer to its delivery (API document, "Receiver
 * requirements"), and n8n also has to create the execution in that time. Attempts and ms.
 */
const RECORD_PATIENCE = { maxAttempts: 1, totalMs: 5_000 };

interface FullRecord {
	/** What is added to an item: the record, or why it could not be read; nothing if there is no record. */
	fields: { record?: IDataObject; recordError?: IDataObject };
	/** Whether a repeat of the delivery may have the record. */
	mayComeLater: boolean;
}

const NO_RECORD: FullRecord = { fields: {}, mayComeLater: false };

const failed = (recordError: IDataObject, mayComeLater = true): FullRecord => ({
	fields: { recordError },
	mayComeLater,
});

/**
 * Fetches the record that an event is about, with one request. A failure is part of the result.
 */
async function fetchFullRecord(
	context: IWebhookFunctions,
	{ event, payload }: Delivery,
	clock: Clock,
): Promise<FullRecord> {
	const resource = resourceOfEvent(event);
	const { recordPath: path } = resource ?? {};
	const id = isObject(payload) ? payload.id : undefined;
	if (resource === undefined || path === undefined || saysGone(event)) return NO_RECORD;
	if (typeof id !== 'string' && typeof id !== 'number')
		return failed({ message: `The payload names no ${nounOf(resource)} by its id` }, false);
	try {
		const client = await shopClient(context, RECORD_PATIENCE, clock);
		const pathParams = { id: String(id) };
		const { record } = await client.request({ method: 'GET', path, pathParams });
		if (record !== undefined) return { fields: { record }, mayComeLater: false };
		return failed({ message: 'The platform’s answer held no record' });
	} catch (error) {
		// The record was deleted meanwhile: to send the delivery again would not help.
		if (isNotFound(error)) return NO_RECORD;
		const nodeError = toNodeError(context.getNode(), error, { noun: nounOf(resource) });
		const details = errorDetails(nodeError, error) as IDataObject;
		return failed({ message: nodeError.message, ...details });
	}
}
