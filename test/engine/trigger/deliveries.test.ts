import { forgetAddress } from '../../../nodes/CommercePlatformTrigger/memory';
import { type Delivery, signedDelivery, timestampOf } from '../../../platform/support/delivery';
import { type StubAnswer, stubApi } from '../../support/engine';
import { N8nLike } from './n8nLike';

const SECRET = 'secret of the endpoint';
const DONE = [200, { received: true }];
const SEEN = [200, { received: true, executed: false, reason: 'seen before' }];
const BUSY = [503, { received: false, reason: 'the same delivery is still being received' }];
const SHOP: Record<string, StubAnswer[]> = {
	'GET /webhooks': [[200, { data: [] }]],
	'POST /webhooks': [[201, { data: { id: 'wh_1', status: 'enabled', secret: SECRET } }]],
};

let n8n: N8nLike;
let sent: Delivery;

beforeEach(async () => {
	const parameters = { options: { decimalAmounts: 'off' } };
	n8n = new N8nLike({ webhookBaseUrl: 'https://n8n.example/webhook', parameters });
	stubApi(SHOP);
	await n8n.create();
	sent = signedDelivery({ url: await n8n.serve(), secret: SECRET });
});

/** Sends it, with these headers changed. @returns the status and the whole answer */
async function send(headers: Record<string, string> = {}) {
	const { url, body } = sent;
	const all = { ...sent.headers, ...headers };
	const response = await fetch(url, { method: 'POST', body, headers: all });
	return [response.status, await response.json()] as [number, { reason?: string }];
}

it('a delivery becomes one item, even if it comes again at once or after a restart', async () => {
	const answers = await Promise.all(Array.from({ length: 20 }, async () => await send()));
	expect(answers).toContainEqual(DONE);
	for (const answer of answers) expect([DONE, BUSY, SEEN]).toContainEqual(answer);
	const { event, timestamp, payload } = JSON.parse(sent.body) as Record<string, unknown>;
	const deliveryId = sent.headers['x-shop-delivery-id'];
	expect(n8n.executions).toEqual([{ event, timestamp, deliveryId, payload }]);
	forgetAddress(n8n.address);
	expect(await send()).toEqual(SEEN);
});

it('a repeat saves again what another process has saved over', async () => {
	const before = { ...n8n.database };
	expect(await send()).toEqual(DONE);
	const first = sent;
	sent = signedDelivery({ url: first.url, secret: SECRET });
	expect(await send()).toEqual(DONE);
	Object.assign(n8n.database, before);
	expect(await send()).toEqual(SEEN);
	forgetAddress(n8n.address);
	expect(await send()).toEqual(SEEN);
	sent = first;
	expect(await send()).toEqual(SEEN);
	expect(n8n.executions).toHaveLength(2);
});

it('a delivery that arrives during publishing is known after a restart', async () => {
	let lists = 0;
	const list = async (): Promise<StubAnswer> => {
		if (++lists === 2) expect(await send()).toEqual(DONE);
		return [200, { data: [] }];
	};
	stubApi({ ...SHOP, 'GET /webhooks': list });
	await n8n.create();
	forgetAddress(n8n.address);
	expect(await send()).toEqual(SEEN);
});

describe('deliveries that are not genuine', () => {
	const FORGED = { 'x-shop-signature': 'ab'.repeat(32) };

	it.each([
		['unsigned', { 'x-shop-signature': '' }, 401],
		['six minutes old', { 'x-shop-timestamp': timestampOf(Date.now() - 360_000) }, 400],
	])('%s: refused, logged, not executed', async (_what, headers, expected) => {
		const [status, answer] = await send(headers);
		expect([status, answer]).toEqual([expected, { received: false, reason: expect.any(String) }]);
		expect(n8n.executions).toEqual([]);
		expect(n8n.warnings).toEqual([expect.stringContaining(String(answer.reason))]);
		expect(JSON.stringify([n8n.warnings, answer])).not.toContain(SECRET);
	});

	it('do not flood the log when they are refused again and again', async () => {
		const nowMs = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(nowMs);
		await Promise.all(Array.from({ length: 50 }, async () => await send(FORGED)));
		expect(n8n.warnings).toHaveLength(10);
		clock.mockReturnValue(nowMs + 60_000);
		await send(FORGED);
		clock.mockRestore();
		expect(n8n.warnings.slice(10)).toEqual([
			expect.stringContaining('refused a delivery: signature does not match'),
		]);
	});
});
