import { retryDelayMs } from '../deliveries/schedule';
import { sign } from '../../support/delivery';
import { DOCUMENTED_EVENTS } from '../../support/documented';
import { startReceiver, type Receiver } from './receiver';
import { patch, post, remove, usePlatform } from './usePlatform';

const { control, api } = usePlatform({ orders: 10 });
let receiver: Receiver;
beforeEach(async () => {
	await control.reset();
	receiver = await startReceiver();
});
afterEach(async () => await receiver.close());

const subscribe = async (events = ['order.paid'], url = receiver.url) =>
	await api.data<{ id: string; secret: string }>('/webhooks', post({ url, events }));

/** Pays an order and waits until its deliveries have ended. */
async function pay() {
	const paid = await control.payOrder();
	await control.settled();
	return paid;
}

async function emitStock(count: number): Promise<void> {
	for (let n = 0; n < count; n++) await control.emit('stock.low', { n });
	await control.settled();
}

const received = (header: string) => receiver.received.map(({ headers }) => headers[header]);
const ids = () => received('x-shop-delivery-id');

/** A delay of 1 min becomes this many ms. */
const fastRetries = async (ms: number) =>
	await control.configure({ retryDelayFactor: ms / 60_000 });

describe('a delivery', () => {
	it('is the document, signed over its exact bytes', async () => {
		const { secret } = await subscribe();
		const { order, deliveryIds } = await pay();
		const [{ headers, body }] = receiver.received;
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'x-shop-delivery-id': deliveryIds[0],
			'x-shop-event': 'order.paid',
			'x-shop-signature': sign(body, secret),
		});
		expect(deliveryIds[0]).toMatch(/^del_/);
		expect(Math.abs(Number(headers['x-shop-timestamp']) - Date.now() / 1_000)).toBeLessThan(2);
		const { id, status, total } = order;
		expect(JSON.parse(body.toString())).toEqual({
			event: 'order.paid',
			timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
			payload: { id, status, total },
		});
		const attempts = [{ at: expect.any(String), status: 200, durationMs: expect.any(Number) }];
		const record = { state: 'delivered', body: body.toString(), attempts };
		expect(await control.deliveries({ event: 'order.paid' })).toMatchObject([record]);
	});

	it('signs UTF-8 as it is sent', async () => {
		const { secret } = await subscribe(['customer.redacted']);
		await control.emit('customer.redacted', { name: 'Søren 漢字 🎁' });
		await control.settled();
		const [{ headers, body }] = receiver.received;
		expect(body.toString('utf8')).toContain('Søren 漢字 🎁');
		expect(headers['content-length']).toBe(String(body.length));
		expect(headers['x-shop-signature']).toBe(sign(body, secret));
	});

	it('goes to every enabled endpoint that subscribes to the event, and to no other', async () => {
		const first = await subscribe();
		const second = await subscribe(['order.created', 'order.paid']);
		await subscribe(['order.created']);
		const disabled = await subscribe();
		await control.setEndpointStatus(disabled.id, 'disabled');
		const { deliveryIds } = await control.payOrder();
		const deliveries = await control.deliveries();
		expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([first.id, second.id]);
		expect(deliveries.map(({ id }) => id)).toEqual(deliveryIds);
		expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
	});

	it('is made for every write that the document names an event for', async () => {
		// A customer is deleted only in shops of an Enterprise plan.
		const events = DOCUMENTED_EVENTS.filter((name) => name !== 'customer.deleted');
		await subscribe(events);
		const product = `/products/${String((await api.data('/products', post({ title: 'Kite' }))).id)}`;
		await api.data(product, patch({ title: 'Better kite' }));
		await api.send(product, remove());
		const customer = await api.data('/customers', post({ email: 'a@b.example' }));
		await api.data(`/customers/${String(customer.id)}`, patch({ phone: '1' }));
		const { records } = await control.list({ kind: 'inventory', limit: 1 });
		const { sku, location_id } = records[0];
		await api.data('/inventory/levels/adjust', post({ sku, location_id, delta: 1 }));
		const { order: sent } = await control.payOrder();
		await api.data(`/orders/${String(sent.id)}`, patch({ status: 'fulfilled' }));
		const { order: dropped } = await control.createOrder();
		await api.data(`/orders/${String(dropped.id)}/cancel`, post());
		await control.settled();
		expect(new Set(received('x-shop-event'))).toEqual(new Set(events));
	});

	it('is one of two thousand that go out over few connections, and all arrive', async () => {
		await control.configure({ deliveryConcurrency: 10 });
		await subscribe(['stock.low']);
		const worker = async () => await emitStock(100);
		await Promise.all(Array.from({ length: 20 }, worker));
		expect(await control.settled(15_000)).toEqual({ pending: 0 });
		// The same is said twenty times, and never at the same time.
		const bodies = receiver.received.map(({ body }) => body.toString());
		expect([bodies.length, new Set(bodies).size]).toEqual([2_000, 2_000]);
		expect(new Set(receiver.received.map(({ port }) => port)).size).toBeLessThanOrEqual(12);
		const states = (await control.deliveries()).map(({ state }) => state);
		expect(new Set(states)).toEqual(new Set(['delivered']));
	}, 20_000);
});

describe('the retry policy', () => {
	it('is 1 min, 5 min, 30 min, 2 h, 24 h, and then dead', () => {
		const delays = [1, 2, 3, 4, 5, 6].map((failures) => retryDelayMs(failures, 1 / 60_000));
		expect(delays).toEqual([1, 5, 30, 120, 1_440, undefined]);
	});

	it('sends the same id and body again until a 2xx comes', async () => {
		await fastRetries(4);
		receiver.script.push(500, 302, 404);
		await subscribe();
		await pay();
		const bodies = receiver.received.map(({ body }) => body.toString());
		expect([ids().length, new Set(ids()).size, new Set(bodies).size]).toEqual([4, 1, 1]);
		const [{ state, attempts }] = await control.deliveries();
		const statuses = attempts.map(({ status }) => status);
		expect([state, ...statuses]).toEqual(['delivered', 500, 302, 404, 200]);
	});

	it.each([
		['attempt', 1],
		['first', 0],
	] as const)('stamps a retry as the %s (retryTimestamp)', async (retryTimestamp, least) => {
		await control.configure({ dialect: { retryTimestamp } });
		await fastRetries(1_100);
		receiver.script.push(500);
		await subscribe();
		await pay();
		const [first, second] = received('x-shop-timestamp').map(Number);
		expect(Math.min(1, second - first)).toBe(least);
	});

	it('ends dead after five retries, and a replay revives it', async () => {
		await fastRetries(0.05);
		receiver.script.push(...Array<number>(6).fill(500));
		await subscribe();
		const { deliveryIds } = await pay();
		const [dead] = await control.deliveries({ state: 'dead' });
		expect(dead).toMatchObject({ id: deliveryIds[0], nextAttemptAt: null });
		expect(dead.attempts).toHaveLength(6);
		await control.replay(dead.id);
		expect((await control.deliveries())[0].state).toBe('delivered');
		expect(ids().at(-1)).toBe(dead.id);
	});

	it('counts a receiver that takes too long or is not there as failed', async () => {
		await control.configure({ deliveryTimeoutMs: 100 });
		receiver.script.push(0);
		await subscribe();
		await subscribe(['order.paid'], 'http://127.0.0.1:9/');
		await control.payOrder();
		await control.settled(600);
		expect(await control.deliveries()).toMatchObject(
			['timeout', 'ECONNREFUSED'].map((error) => ({
				state: 'pending',
				attempts: [{ error }],
				nextAttemptAt: expect.stringMatching(/Z$/),
			})),
		);
	});

	it('follows a change of the delays at once, also for an endpoint that was deleted since', async () => {
		receiver.script.push(500);
		const { id, secret } = await subscribe();
		await control.payOrder();
		expect(await control.settled(200)).toEqual({ pending: 1 });
		await api.send(`/webhooks/${id}`, remove());
		await fastRetries(1);
		await pay();
		expect(receiver.received).toHaveLength(2);
		const { headers, body } = receiver.received[1];
		expect(headers['x-shop-signature']).toBe(sign(body, secret));
		expect(await control.endpointSecret(id)).toBe(secret);
	});
});

it('a replay can come under fresh headers: other id, same body and signature', async () => {
	await subscribe();
	const { deliveryIds } = await pay();
	await control.replay(deliveryIds[0], { freshHeaders: true });
	const [first, second] = receiver.received;
	expect(second.body.equals(first.body)).toBe(true);
	expect(new Set(received('x-shop-signature')).size).toBe(1);
	expect(new Set(ids()).size).toBe(2);
});

describe('delivery faults', () => {
	it.each([0, 300])('send every delivery twice, the copy up to %d ms later', async (ms) => {
		await subscribe(['stock.low']);
		await control.setFaults([{ fault: 'duplicateDelivery', ms, seed: 2 }]);
		await emitStock(20);
		expect([ids().length, new Set(ids()).size]).toEqual([40, 20]);
		const isTwiceAtOnce = new Set(ids().slice(0, 8)).size === 4;
		expect(isTwiceAtOnce).toBe(ms === 0);
		const [{ state, attempts }] = await control.deliveries();
		expect([state, attempts.length]).toEqual(['delivered', 2]);
	});

	it('let later deliveries overtake earlier ones', async () => {
		await subscribe(['stock.low']);
		const fault = 'reorderDelivery';
		await control.setFaults([{ fault, probability: 0.5, ms: 100, event: 'stock.low' }]);
		await emitStock(20);
		const order = receiver.received.map(({ body }) => /"n":\d+/.exec(body.toString())?.[0]);
		const sent = Array.from({ length: 20 }, (_, n) => `"n":${n}`);
		expect(order).not.toEqual(sent);
		expect(new Set(order)).toEqual(new Set(sent));
	});
});
