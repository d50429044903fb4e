import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { openMemory } from '../../../nodes/CommercePlatformTrigger/memory';
import { receiveDelivery } from '../../../nodes/CommercePlatformTrigger/receive';
import { Answer } from '../../../lab/simulate/context';
import { family, sign, timestampOf } from '../../../platform/support/delivery';
import { FakeClock } from '../fakeClock';

const SECRET = 'signing secret of the endpoint';

let addresses = 0;

interface Arrival {
	/** The exact bytes, signed. */
	body: string | Buffer;
	/** Beside those of the delivery. */
	headers?: Record<string, string | string[] | undefined>;
	/** The node's; those that are left out have their defaults, and no record is fetched. */
	parameters?: IDataObject;
	clock?: FakeClock;
	/** n8n's helper, with the signal that ends the request. */
	send?: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * Receives a genuine delivery at an address of its own.
 *
 * @returns the JSON of its item, or why it was not executed
 */
export async function received({
	body,
	headers,
	parameters,
	clock = new FakeClock(),
	send,
}: Arrival): Promise<IDataObject | string | undefined> {
	const address = `https://n8n.example/webhook/${addresses++}`;
	const values: IDataObject = { events: ['order.paid'], getFullRecord: false, ...parameters };
	const staticData: IDataObject = {};
	let reason: string | undefined;
	const answer = new Answer((_status, said) => (reason = said));
	const rawBody = Buffer.from(body);
	const sent = family('x-shop', sign(rawBody, SECRET), timestampOf(clock.now()), 'del_1');
	const context = {
		getNode: () => ({ name: 'Trigger', type: 'trigger', parameters: {} }),
		getWorkflow: () => ({ id: 'w1' }),
		getMode: () => 'webhook',
		getNodeWebhookUrl: () => address,
		getWorkflowStaticData: () => staticData,
		getNodeParameter: (name: string, fallback: unknown) => values[name] ?? fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.shop.example/v1', apiKey: 'key' }),
		getRequestObject: () => ({ headers: { ...sent, ...headers }, rawBody }),
		getResponseObject: () => answer,
		logger: { warn: () => {} },
		helpers: {
			async httpRequestWithAuthentication(this: { getExecutionCancelSignal(): AbortSignal }) {
				return await send?.(this.getExecutionCancelSignal());
			},
		},
	} as unknown as IWebhookFunctions;
	const memory = openMemory(context, address, clock);
	await memory.readSealKeys(context, true);
	const secret = memory.seals.seal(SECRET);
	memory.change({ endpoint: { id: 'wh_1', secret, events: [], status: null } }, staticData);
	const { workflowData } = await receiveDelivery(context, clock);
	answer.send(200);
	return workflowData?.[0][0].json ?? reason;
}
