import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { systemClock, type Clock } from '../../shared/api/clock';
import { openEndpoint, type EndpointContext } from '../memory/endpointContext';
import type { PendingDelivery } from '../memory/pendingDeliveries';
import type { OutgoingAnswer } from '../memory/staticDataSaver';
import { readParameters } from '../parameters';
import { itemOf } from './emit';
import { fetchFullRecord } from './fullRecord';
import type { DeliveryHeaders } from './headers';
import type { AcknowledgeReason, RefusalReason } from './reasons';
import { verifyDelivery, type Delivery } from './verifyDelivery';

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

/** Pause between two looks at that outcome. ms. */
const DUPLICATE_LOOK_MS = 50;

/** The answer has been given here, so n8n must not answer. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Receives one delivery. If it is accepted, it becomes an item, and n8n answers when the execution exists. All
 * others are answered here.
 */
export async function receiveDelivery(
	context: IWebhookFunctions,
	clock: Clock = systemClock,
): Promise<IWebhookResponseData> {
	const request = context.getRequestObject() as unknown as IncomingDelivery;
	const address = servedAddress(context);
	const body = await bytesOf(request);
	const parameters = readParameters(context);
	const endpoint = openEndpoint(context, address, parameters.retentionMs, clock);
	if (body === undefined) return refuse(context, endpoint, 400, 'body could not be read');
	const verdict = verifyDelivery({
		body,
		headers: request.headers,
		secrets: endpoint.memory.secrets(parameters.acceptPreviousSecret),
		events: parameters.selection.events,
		repeatsByContent: parameters.repeatsByContent,
		nowMs: clock.now(),
	});
	if (verdict.kind === 'refuse') return refuse(context, endpoint, verdict.status, verdict.reason);
	if (verdict.kind === 'acknowledge') return acknowledge(context, verdict.reason);
	const { delivery } = verdict;
	const toItem = async () => {
		const fetched = parameters.emit.getFullRecord
			? await fetchFullRecord(context, delivery, clock)
			: undefined;
		return itemOf(delivery, request.headers, parameters.emit, fetched);
	};
	return await admit(context, endpoint, delivery, toItem);
}

/** The exact bytes, which n8n keeps beside the parsed body; undefined if they cannot be read. */
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
	// Older n8n has no such method. But on a test run, static data holds only what `create` put there.
	const newer: Partial<Pick<IWebhookFunctions, 'getWebhookResourceUrl'>> = context;
	if (newer.getWebhookResourceUrl) return newer.getWebhookResourceUrl('default') ?? '';
	const { record } = context.getWorkflowStaticData('node') as { record?: { address?: unknown } };
	return typeof record?.address === 'string' ? record.address : '';
}

async function admit(
	context: IWebhookFunctions,
	endpoint: EndpointContext,
	{ fingerprints }: Delivery,
	toItem: () => Promise<INodeExecutionData>,
): Promise<IWebhookResponseData> {
	const { staticData, memory, clock } = endpoint;
	const giveUpMs = clock.monotonic() + DUPLICATE_WAIT_MS;
	let admission = memory.admit(fingerprints);
	while (admission.kind === 'busy') {
		const known = await outcomeUntil(admission.duplicate, giveUpMs, clock);
		if (!known) return refuse(context, endpoint, 409, 'the same delivery is still being received');
		admission = memory.admit(fingerprints);
	}
	if (admission.kind === 'repeat') return acknowledge(context, 'seen before');
	const { pending } = admission;
	const item = await toItem();
	const answer = context.getResponseObject() as unknown as Answer;
	memory.watch({ staticData, pending, answer }).catch((error: Error) => {
		context.logger.warn(
			`Commerce Platform Trigger could not remember a delivery: ${error.message}`,
		);
	});
	return { webhookResponse: { received: true }, workflowData: [[item]] };
}

/** Waits for a pending delivery's outcome. @returns whether it is known by `untilMs` (monotonic ms) */
async function outcomeUntil(
	pending: PendingDelivery,
	untilMs: number,
	clock: EndpointContext['clock'],
): Promise<boolean> {
	let known = false;
	void pending.outcome.then(() => {
		known = true;
	});
	const isKnown = () => known || clock.now() >= pending.expiresMs;
	while (!isKnown() && clock.monotonic() < untilMs) await clock.sleep(DUPLICATE_LOOK_MS);
	return isKnown();
}

function acknowledge(context: IWebhookFunctions, reason: AcknowledgeReason): IWebhookResponseData {
	reply(context, 200, { received: true, executed: false, reason });
	context.logger.debug(`Commerce Platform Trigger did not execute a delivery: ${reason}`);
	return ANSWERED;
}

function refuse(
	context: IWebhookFunctions,
	{ address, workflowId, memory, clock }: EndpointContext,
	status: number,
	reason: RefusalReason,
): IWebhookResponseData {
	reply(context, status, { received: false, reason });
	const who = `Commerce Platform Trigger "${context.getNode().name}" at ${address}`;
	for (const text of memory.refusals.add(reason, clock.now())) {
		context.logger.warn(`${who} ${text}`, { workflowId, status });
	}
	return ANSWERED;
}

function reply(context: IWebhookFunctions, status: number, body: object): void {
	const answer = context.getResponseObject() as unknown as Answer;
	answer.status(status).json(body);
}
