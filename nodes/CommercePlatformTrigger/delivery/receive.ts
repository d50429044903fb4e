import {
	sleep,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { secretsOf } from '../endpoint/record';
import { sceneAt, type Scene } from '../endpoint/scene';
import type { OutgoingAnswer } from '../memory/saveRota';
import type { Underway } from '../memory/underway';
import { readParameters } from '../parameters';
import { itemOf } from './emit';
import type { DeliveryHeaders } from './headers';
import { judgeDelivery, type Delivery } from './judge';

/** What of an Express request is needed. */
interface IncomingDelivery {
	headers: DeliveryHeaders;
	rawBody?: unknown;
	readRawBody?(): Promise<void>;
}

/** What of an Express response is needed. */
interface Answer extends OutgoingAnswer {
	status(code: number): Answer;
	json(body: object): unknown;
}

/** How long a twin waits for the first arrival's outcome; the platform waits 10 s for us. ms. */
const TWIN_WAIT_MS = 7_000;
const TWIN_LOOK_MS = 50;

/** The answer has been given here; n8n has nothing to do. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Takes in one delivery. An accepted one becomes an item, and n8n answers when the execution exists; every
 * other is answered here.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject() as unknown as IncomingDelivery;
	const address = servedAddress(context);
	const body = await bytesOf(request);
	if (body === undefined) return refuse(context, address, 400, 'body could not be read');
	const nowMs = Date.now();
	const scene = sceneAt(context, address, nowMs);
	const { selection, acceptPreviousSecret, emit } = readParameters(context);
	const verdict = judgeDelivery({
		body,
		headers: request.headers,
		secrets: secretsOf(scene.record, scene.seal, nowMs, acceptPreviousSecret),
		events: selection.events,
		nowMs,
	});
	if (verdict.kind === 'refuse') return refuse(context, address, verdict.status, verdict.reason);
	if (verdict.kind === 'acknowledge') return acknowledge(context, verdict.reason);
	const toItem = () => itemOf(verdict.delivery, request.headers, emit);
	return await admit(context, scene, verdict.delivery, toItem);
}

/** The exact bytes, which n8n keeps beside the parsed body. undefined where another parser took them. */
async function bytesOf(request: IncomingDelivery): Promise<Buffer | undefined> {
	if (!Buffer.isBuffer(request.rawBody)) {
		try {
			await request.readRawBody?.();
		} catch {
			return undefined;
		}
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** The address at which this request arrived: on a test run the test address. */
function servedAddress(context: IWebhookFunctions): string {
	if (context.getMode() !== 'manual') return context.getNodeWebhookUrl('default') ?? '';
	// Older n8n has no such method, but on a test run static data is what `create` left there and no other.
	const newer: Partial<Pick<IWebhookFunctions, 'getWebhookResourceUrl'>> = context;
	if (newer.getWebhookResourceUrl) return newer.getWebhookResourceUrl('default') ?? '';
	const { record } = context.getWorkflowStaticData('node') as { record?: { address?: unknown } };
	return typeof record?.address === 'string' ? record.address : '';
}

async function admit(
	context: IWebhookFunctions,
	{ address, data, resident }: Scene,
	{ fingerprints }: Delivery,
	toItem: () => INodeExecutionData,
): Promise<IWebhookResponseData> {
	const giveUpMs = Date.now() + TWIN_WAIT_MS;
	let admission = resident.admit(fingerprints, Date.now());
	while (admission.kind === 'busy') {
		const known = await outcomeUntil(admission.twin, giveUpMs);
		if (!known) return refuse(context, address, 409, 'the same delivery is still being taken in');
		admission = resident.admit(fingerprints, Date.now());
	}
	if (admission.kind === 'repeat') return acknowledge(context, 'seen before');
	const { mark } = admission;
	const answer = context.getResponseObject() as unknown as Answer;
	resident.awaitAnswer({ data, mark, answer }).catch((error: Error) => {
		context.logger.warn(
			`Commerce Platform Trigger could not remember a delivery: ${error.message}`,
		);
	});
	return { webhookResponse: { received: true }, workflowData: [[toItem()]] };
}

/** Waits for a twin's outcome. @returns false where there is none by `untilMs` (Unix ms) */
async function outcomeUntil(twin: Underway, untilMs: number): Promise<boolean> {
	let known = false;
	void twin.outcome.then(() => {
		known = true;
	});
	while (!known && Date.now() < Math.min(untilMs, twin.untilMs)) await sleep(TWIN_LOOK_MS);
	return known || Date.now() >= twin.untilMs;
}

function acknowledge(context: IWebhookFunctions, reason: string): IWebhookResponseData {
	reply(context, 200, { received: true, executed: false, reason });
	context.logger.debug(`Commerce Platform Trigger did not execute a delivery: ${reason}`);
	return ANSWERED;
}

function refuse(
	context: IWebhookFunctions,
	address: string,
	status: number,
	reason: string,
): IWebhookResponseData {
	reply(context, status, { received: false, reason });
	const { name } = context.getNode();
	context.logger.warn(
		`Commerce Platform Trigger "${name}" refused a delivery to ${address}: ${reason}`,
		{ workflowId: context.getWorkflow().id, status },
	);
	return ANSWERED;
}

function reply(context: IWebhookFunctions, status: number, body: object): void {
	const answer = context.getResponseObject() as unknown as Answer;
	answer.status(status).json(body);
}
