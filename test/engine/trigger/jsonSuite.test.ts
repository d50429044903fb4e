import { newDeliveryId, sign, timestampOf } from '../../support/delivery';
import { stubApi } from '../../support/engine/stubApi';
import { around, JSON_CASES, valueOf, type JsonCase } from '../../support/jsonSuite';
import { API_KEY, BASE_URL } from '../../support/testShop';
import { N8nLike } from './n8nLike';

const SECRET = 'secret of the endpoint';

let n8n: N8nLike;
let url: string;

beforeAll(async () => {
	n8n = new N8nLike({
		credentials: { baseUrl: BASE_URL, apiKey: API_KEY },
		webhookBaseUrl: 'https://n8n.example/webhook',
		webhookId: 'json-suite',
		parameters: { options: { decimalAmounts: 'number' } },
	});
	stubApi({
		'GET /webhooks': [[200, { data: [] }]],
		'POST /webhooks': [[201, { data: { id: 'wh_1', status: 'enabled', secret: SECRET } }]],
	});
	await n8n.create();
	url = await n8n.serve();
});
afterAll(async () => await n8n.close());

/** Sends a genuine delivery with these bytes; gives the answer's status and the payload that was executed. */
async function deliver(body: Buffer): Promise<{ status: number; payload?: unknown }> {
	n8n.executions.length = 0;
	const headers = {
		'content-type': 'application/json',
		'x-shop-signature': sign(body, SECRET),
		'x-shop-timestamp': timestampOf(Date.now()),
		'x-shop-delivery-id': newDeliveryId(),
		'x-shop-event': 'order.paid',
	};
	const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
	await response.arrayBuffer();
	return { status: response.status, ...n8n.executions[0] };
}

/** Whether a delivery ended as its case asks for. */
function isRight(
	one: JsonCase,
	{ status, payload }: { status: number; payload?: unknown },
): boolean {
	if (one.kind === 'n') return status === 400 && payload === undefined;
	if (one.kind === 'i') return status === 200 || (status === 400 && payload === undefined);
	return status === 200 && JSON.stringify(payload) === JSON.stringify(valueOf(one));
}

it('a delivery with each case as its payload becomes just that, or is refused', async () => {
	const wrong: unknown[] = [];
	for (const one of JSON_CASES) {
		const before = '{"event":"order.paid","timestamp":"2026-11-21T12:00:00.250Z","payload":';
		const ended = await deliver(around(before, one, '}'));
		if (!isRight(one, ended)) wrong.push([one.name, ended.status]);
	}
	expect(wrong).toEqual([]);
});

it('a delivery that is nothing but the case is refused, since it names no event', async () => {
	const wrong: unknown[] = [];
	for (const one of JSON_CASES) {
		const { status, payload } = await deliver(one.text);
		if (status !== 400 || payload !== undefined) wrong.push([one.name, status]);
	}
	expect(wrong).toEqual([]);
});
