import { retryDelayMs } from '../deliveries/schedule';
import { sign } from '../../support/delivery';
import { DOCUMENTED_EVENTS } from '../../support/documented';
import { startReceiver, type Receiver } from './receiver';
import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform({ orders: 10 });
let receiver: Receiver;
beforeEach(async () => {
	await platform.control.reset();
	receiver = await startReceiver();
});
afterEach(async () => await receiver.close());

const subscribe = async (events = ['order.paid'], url = receiver.url) =>
	await api.data<{ id: string; secret: string }>('/webhooks', {
		method: 'POST',
		body: { url, events },
	});

/** A delay of 1 min becomes this many ms. */
const fastRetries = async (ms: number) =>
	await platform.control.configure({ retryDelayFactor: ms / 60_000 });

describe('a delivery', () => {
	it('is the document, signed over its exact bytes', async () => {
		const { secret } = await subscribe();
		const { order, deliveryIds } = await platform.control.payOrder();
		await platform.control.settled();
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
		const [record] = await platform.control.deliveries();
		expect(record).toMatchObject({ state: 'delivered', body: body.toString() });
		expect(record.attempts).toEqual([
			{ at: expect.any(String), status: 200, durationMs: expect.any(Number) },
		]);
	});

	it('signs UTF-8 as it is sent', async () => {
		const { secret } = await subscribe(['customer.redacted']);
		await platform.control.emit('customer.redacted', { name: 'Søren 漢字 🎁' });
		await platform.control.settled();
		const [{ headers, body }] = receiver.received;
		expect(body.toString('utf8')).toContain('Søren 漢字 🎁');
		expect(headers['content-length']).toBe(String(body.length));
		expect(headers['x-shop-signature']).toBe(sign(body, secret));
	});

	it.each([
		[
			'also',
			[
				'x-ecom-delivery-id',
				'x-ecom-signature',
				'x-ecom-timestamp',
				'x-shop-delivery-id',
				'x-shop-event',
				'x-shop-signature',
				'x-shop-timestamp',
			],
		],
		['only', ['x-ecom-delivery-id', 'x-ecom-signature', 'x-ecom-timestamp']],
		['off', ['x-shop-delivery-id', 'x-shop-event', 'x-shop-signature', 'x-shop-timestamp']],
	] as const)('has the legacy headers %s', async (legacyHeaders, expected) => {
		await platform.control.configure({ dialect: { legacyHeaders } });
		await subscribe();
		await platform.control.payOrder();
		await platform.control.settled();
		const names = Object.keys(receiver.received[0].headers).filter((name) => name.startsWith('x-'));
		expect(names.sort()).toEqual(expected);
	});

	it('goes to every enabled endpoint that subscribes to the event, and to no other', async () => {
		const first = await subscribe();
		const second = await subscribe(['order.created', 'order.paid']);
		await subscribe(['order.created']);
		const disabled = await subscribe();
		await platform.control.setEndpointStatus(disabled.id, 'disabled');
		const { deliveryIds } = await platform.control.payOrder();
		const deliveries = await platform.control.deliveries();
		expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([first.id, second.id]);
		expect(deliveries.map(({ id }) => id)).toEqual(deliveryIds);
		expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
	});
});

describe('the retry policy', () => {
	it('is 1 min, 5 min, 30 min, 2 h, 24 h, and then dead', () => {
		const minutes = [1, 2, 3, 4, 5, 6].map((failures) => {
			const ms = retryDelayMs(failures, 1);
			return ms === undefined ? 'dead' : ms / 60_000;
		});
		expect(minutes).toEqual([1, 5, 30, 120, 1_440, 'dead']);
	});

	it('sends the same id and body again until a 2xx comes', async () => {
		await fastRetries(4);
		receiver.script = [500, 302, 404];
		await subscribe();
		await platform.control.payOrder();
		await platform.control.settled();
		const ids = receiver.received.map(({ headers }) => headers['x-shop-delivery-id']);
		const bodies = receiver.received.map(({ body }) => body.toString());
		expect([ids.length, new Set(ids).size, new Set(bodies).size]).toEqual([4, 1, 1]);
		const [{ state, attempts }] = await platform.control.deliveries();
		expect(state).toBe('delivered');
		expect(attempts.map(({ status }) => status)).toEqual([500, 302, 404, 200]);
	});

	it.each([
		['attempt', 1],
		['first', 0],
	] as const)('stamps a retry as the %s (retryTimestamp)', async (retryTimestamp, least) => {
		await platform.control.configure({ dialect: { retryTimestamp } });
		await fastRetries(1_100);
		receiver.script = [500];
		await subscribe();
		await platform.control.payOrder();
		await platform.control.settled();
		const [first, second] = receiver.received.map(({ headers }) => headers['x-shop-timestamp']);
		expect(Math.min(1, Number(second) - Number(first))).toBe(least);
	});

	it('ends dead after five retries, and a replay revives it', async () => {
		await fastRetries(0.05);
		receiver.script = [500, 500, 500, 500, 500, 500];
		await subscribe();
		const { deliveryIds } = await platform.control.payOrder();
		await platform.control.settled();
		const [dead] = await platform.control.deliveries({ state: 'dead' });
		expect(dead).toMatchObject({ id: deliveryIds[0], nextAttemptAt: null });
		expect(dead.attempts).toHaveLength(6);
		await platform.control.replay(dead.id);
		const [revived] = await platform.control.deliveries();
		expect(revived.state).toBe('delivered');
		expect(receiver.received.at(-1)!.headers['x-shop-delivery-id']).toBe(dead.id);
	});

	it('counts a receiver that takes too long or is not there as failed', async () => {
		await platform.control.configure({ deliveryTimeoutMs: 100 });
		receiver.script = [0];
		await subscribe();
		await subscribe(['order.paid'], 'http://127.0.0.1:9/');
		await platform.control.payOrder();
		await platform.control.settled(600);
		const deliveries = await platform.control.deliveries();
		expect(deliveries.map(({ attempts }) => attempts[0].error)).toEqual([
			'timeout',
			'ECONNREFUSED',
		]);
		expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'pending']);
		expect(deliveries[0].nextAttemptAt).toMatch(/Z$/);
	});

	it('follows a change of the delays at once', async () => {
		receiver.script = [500];
		await subscribe();
		await platform.control.payOrder();
		expect(await platform.control.settled(200)).toEqual({ pending: 1 });
		await fastRetries(1);
		expect(await platform.control.settled()).toEqual({ pending: 0 });
		expect(receiver.received).toHaveLength(2);
	});

	it('goes on after the endpoint was deleted, signed with its secret', async () => {
		receiver.script = [500];
		const { id, secret } = await subscribe();
		await platform.control.payOrder();
		expect(await platform.control.settled(100)).toEqual({ pending: 1 });
		await api.send(`/webhooks/${id}`, { method: 'DELETE' });
		await fastRetries(1);
		await platform.control.settled();
		const { headers, body } = receiver.received[1];
		expect(headers['x-shop-signature']).toBe(sign(body, secret));
		expect(await platform.control.endpointSecret(id)).toBe(secret);
		await platform.control.payOrder();
		expect(await platform.control.deliveries()).toHaveLength(1);
	});
});

describe('a replay', () => {
	it('can come under fresh headers: other id, same body and signature', async () => {
		await subscribe();
		const { deliveryIds } = await platform.control.payOrder();
		await platform.control.settled();
		await platform.control.replay(deliveryIds[0], { freshHeaders: true });
		const [first, second] = receiver.received;
		expect(second.body.equals(first.body)).toBe(true);
		expect(second.headers['x-shop-signature']).toBe(first.headers['x-shop-signature']);
		expect(second.headers['x-shop-delivery-id']).not.toBe(first.headers['x-shop-delivery-id']);
	});

	it('of an unknown delivery is an error', async () => {
		await expect(platform.control.replay('del_none')).rejects.toThrow('no delivery del_none');
	});
});

describe('delivery faults', () => {
	it('send every delivery twice', async () => {
		await platform.control.setFaults([{ fault: 'duplicateDelivery' }]);
		await subscribe(['stock.low']);
		for (let n = 0; n < 20; n++) await platform.control.emit('stock.low', { n });
		await platform.control.settled();
		const ids = receiver.received.map(({ headers }) => headers['x-shop-delivery-id']);
		expect([ids.length, new Set(ids).size]).toEqual([40, 20]);
	});

	it('send the copy later when told so', async () => {
		await platform.control.setFaults([{ fault: 'duplicateDelivery', ms: 300, seed: 2 }]);
		await subscribe(['stock.low']);
		for (let n = 0; n < 10; n++) await platform.control.emit('stock.low', { n });
		await platform.control.settled();
		const ids = receiver.received.map(({ headers }) => headers['x-shop-delivery-id']);
		expect(ids).toHaveLength(20);
		expect(new Set(ids.slice(0, 8)).size).toBeGreaterThan(4);
		const [{ state, attempts }] = await platform.control.deliveries();
		expect([state, attempts.length]).toEqual(['delivered', 2]);
	});

	it('let later deliveries overtake earlier ones', async () => {
		await platform.control.setFaults([
			{ fault: 'reorderDelivery', probability: 0.5, ms: 100, event: 'stock.low' },
		]);
		await subscribe(['stock.low']);
		for (let n = 0; n < 20; n++) await platform.control.emit('stock.low', { n });
		await platform.control.settled();
		const order = receiver.received.map(
			({ body }) => (JSON.parse(body.toString()) as { payload: { n: number } }).payload.n,
		);
		expect(order).not.toEqual([...order].sort((a, b) => a - b));
		expect(new Set(order).size).toBe(20);
	});
});

describe('two thousand deliveries', () => {
	it('go out over few connections that are kept alive, and all arrive', async () => {
		await platform.control.configure({ deliveryConcurrency: 10 });
		await subscribe(['stock.low']);
		const worker = async (first: number) => {
			for (let n = first; n < 2_000; n += 20) await platform.control.emit('stock.low', { n });
		};
		await Promise.all(Array.from({ length: 20 }, async (_, first) => await worker(first)));
		expect(await platform.control.settled(15_000)).toEqual({ pending: 0 });
		expect(receiver.received).toHaveLength(2_000);
		const sockets = new Set(receiver.received.map(({ socket }) => socket));
		expect(sockets.size).toBeLessThanOrEqual(12);
		const states = (await platform.control.deliveries()).map(({ state }) => state);
		expect(new Set(states)).toEqual(new Set(['delivered']));
	}, 20_000);
});

describe('what happens in the shop is an event', () => {
	/** A customer is deleted only in shops of an Enterprise plan. */
	const ALL = DOCUMENTED_EVENTS.filter((name) => name !== 'customer.deleted');

	it('for every write that the document names an event for', async () => {
		await subscribe(ALL);
		const post = (body?: unknown) => ({ method: 'POST', body });
		const product = await api.data('/products', post({ title: 'Kite' }));
		const productPath = `/products/${String(product.id)}`;
		await api.data(productPath, { method: 'PATCH', body: { title: 'Better kite' } });
		await api.send(productPath, { method: 'DELETE' });
		const customer = await api.data('/customers', post({ email: 'a@b.example' }));
		await api.data(`/customers/${String(customer.id)}`, { method: 'PATCH', body: { phone: '1' } });
		const [{ sku, location_id }] = await api.data<Array<Record<string, unknown>>>(
			'/inventory/levels?limit=1',
		);
		await api.data('/inventory/levels/adjust', post({ sku, location_id, delta: 1 }));
		const { order: sent } = await platform.control.createOrder();
		await platform.control.payOrder(String(sent.id));
		await api.data(`/orders/${String(sent.id)}`, {
			method: 'PATCH',
			body: { status: 'fulfilled' },
		});
		const { order: dropped } = await platform.control.createOrder();
		await api.data(`/orders/${String(dropped.id)}/cancel`, { method: 'POST' });
		await platform.control.settled();
		const seen = receiver.received.map(({ headers }) => String(headers['x-shop-event']));
		expect(new Set(seen)).toEqual(new Set(ALL));
	});
});
