import { retryDelayMs } from '../deliveries/dispatcher';
import { sign } from '../support/delivery';
import { DOCUMENTED_EVENTS } from '../support/documented';
import { startReceiver, type Receiver } from './receiver';
import { patch, post, remove, usePlatform } from './usePlatform';

type Endpoint = { id: string; url: string; secret: string };

const { control, api } = usePlatform({ orders: 10 });
let receiver: Receiver;
beforeEach(async () => {
	await control.reset();
	receiver = await startReceiver();
});
afterEach(async () => await receiver.close());

const subscribe = async (events = ['order.paid'], url = receiver.url) =>
	await api.data<Endpoint>('/webhooks', post({ url, events }));

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
const texts = () => receiver.received.map(({ body }) => body.toString());

/** A delay of 1 min becomes this many ms. */
const fastRetries = async (ms: number) =>
	await control.configure({ retryDelayFactor: ms / 60_000 });

describe('an endpoint', () => {
	it('shows its secret once, and is in the list, which takes no query', async () => {
		const { secret, ...endpoint } = await subscribe();
		expect(secret).toMatch(/^\S{16,}$/);
		expect(await api.data(`/webhooks/${endpoint.id}`)).toEqual(endpoint);
		expect(await control.endpointSecret(endpoint.id)).toBe(secret);
		for (let n = 0; n < 30; n++) await subscribe(['order.paid'], `https://r.example/${n}`);
		const listed = await api.data<object[]>('/webhooks');
		expect([listed[0], listed.length]).toEqual([endpoint, 31]);
	});

	it.each(['127.0.0.1', 'localhost', '[::1]'])('may be at %s without TLS', async (host) => {
		const url = `http://${host}:5678/x`;
		expect(await subscribe(['order.paid'], url)).toMatchObject({ url, status: 'enabled' });
	});

	it('can be changed, get a new secret and get a test event once these are released', async () => {
		const { id, secret } = await subscribe();
		const released = { webhookUpdate: true, rotateSecret: true, webhookTest: true };
		await control.configure({ inDevelopment: released });
		const change = { events: ['order.created'], status: 'disabled' };
		expect(await api.data(`/webhooks/${id}`, patch(change))).toMatchObject(change);
		const rotated = await api.data<Endpoint>(`/webhooks/${id}/rotate_secret`, post());
		expect(rotated.secret).not.toBe(secret);
		expect(await control.endpointSecret(id)).toBe(rotated.secret);
		const sent = await api.data(`/webhooks/${id}/test`, post());
		await control.settled();
		expect(ids()).toEqual([sent.delivery_id]);
	});
});

describe('a delivery', () => {
	it('has the documented form, signed over its exact bytes', async () => {
		const { secret } = await subscribe(['customer.redacted']);
		const payload = { name: 'Søren 漢字 🎁' };
		const { deliveryIds } = await control.emit('customer.redacted', payload);
		await control.settled();
		const [{ headers, body }] = receiver.received;
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'content-length': String(body.length),
			'x-shop-delivery-id': deliveryIds[0],
			'x-shop-event': 'customer.redacted',
			'x-shop-signature': sign(body, secret),
		});
		expect(deliveryIds[0]).toMatch(/^del_/);
		expect(Math.abs(Number(headers['x-shop-timestamp']) - Date.now() / 1_000)).toBeLessThan(2);
		const timestamp: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
		expect(JSON.parse(texts()[0])).toEqual({ event: 'customer.redacted', timestamp, payload });
		const attempts = [{ at: expect.any(String), status: 200, durationMs: expect.any(Number) }];
		const record = { state: 'delivered', body: texts()[0], attempts };
		expect(await control.deliveries({ event: 'customer.redacted' })).toMatchObject([record]);
	});

	it('goes to every enabled endpoint that subscribes to the event, and to no other', async () => {
		const first = await subscribe();
		const second = await subscribe(['order.created', 'order.paid']);
		await subscribe(['order.created']);
		const disabled = await subscribe();
		await control.setEndpointStatus(disabled.id, 'disabled');
		const { deliveryIds } = await pay();
		const deliveries = await control.deliveries();
		expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([first.id, second.id]);
		expect(deliveries.map(({ id }) => id)).toEqual(deliveryIds);
		expect(new Set(texts()).size).toBe(1);
	});

	it('is sent for every write for which the document names an event', async () => {
		// A customer is deleted only in shops of an Enterprise plan.
		const events = DOCUMENTED_EVENTS.filter((name) => name !== 'customer.deleted');
		await subscribe(events);
		const product = `/products/${String((await api.data('/products', post({ title: 'Kite' }))).id)}`;
		await api.data(product, patch({ title: 'Better kite' }));
		await api.send(product, remove());
		const customer = await api.data('/customers', post({ email: 'a@b.example' }));
		await api.data(`/customers/${String(customer.id)}`, patch({ phone: '1' }));
		const { sku, location_id } = (await control.list({ kind: 'inventory', limit: 1 })).records[0];
		await api.data('/inventory/levels/adjust', post({ sku, location_id, delta: 1 }));
		const { order: sent } = await control.payOrder();
		await api.data(`/orders/${sent.id}`, patch({ status: 'fulfilled' }));
		const { order: dropped } = await control.createOrder();
		await api.data(`/orders/${dropped.id}/cancel`, post());
		await control.settled();
		expect(new Set(received('x-shop-event'))).toEqual(new Set(events));
	});

	it('is a different delivery for equal events, over few connections', async () => {
		await control.configure({ deliveryConcurrency: 10 });
		await subscribe(['stock.low']);
		await Promise.all(Array.from({ length: 200 }, async () => await control.emit('stock.low', {})));
		expect(await control.settled()).toEqual({ pending: 0 });
		expect([texts().length, new Set(texts()).size]).toEqual([200, 200]);
		expect(new Set(receiver.received.map(({ port }) => port)).size).toBeLessThanOrEqual(20);
	});
});

describe('the retry policy', () => {
	it('is 1 min, 5 min, 30 min, 2 h, 24 h, and then dead', () => {
		const delays = [1, 2, 3, 4, 5, 6].map((failures) => retryDelayMs(failures, 1 / 60_000));
		expect(delays).toEqual([1, 5, 30, 120, 1_440, undefined]);
	});

	it('sends the same id and body again until a 2xx arrives', async () => {
		await fastRetries(4);
		receiver.script.push(500, 302, 404);
		await subscribe();
		await pay();
		expect([ids().length, new Set(ids()).size, new Set(texts()).size]).toEqual([4, 1, 1]);
		const [{ state, attempts }] = await control.deliveries();
		const statuses = attempts.map(({ status }) => status);
		expect([state, ...statuses]).toEqual(['delivered', 500, 302, 404, 200]);
	});

	it('is dead after five retries; a replay revives it, with new headers on request', async () => {
		await fastRetries(0.05);
		receiver.script.push(...Array<number>(6).fill(500));
		await subscribe();
		const [id] = (await pay()).deliveryIds;
		const [dead] = await control.deliveries({ state: 'dead' });
		expect([dead.id, dead.nextAttemptAt, dead.attempts.length]).toEqual([id, null, 6]);
		await control.replay(id);
		expect((await control.deliveries())[0].state).toBe('delivered');
		await control.replay(id, { freshHeaders: true });
		expect([ids()[6], ids()[7] === id]).toEqual([id, false]);
		expect(new Set(received('x-shop-signature')).size).toBe(1);
	});

	it('counts an attempt as failed if the receiver is too slow or does not exist', async () => {
		await control.configure({ deliveryTimeoutMs: 100 });
		receiver.script.push(0);
		await subscribe();
		const gone = await startReceiver();
		await gone.close();
		await subscribe(['order.paid'], gone.url);
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

	it('follows a change of the delays at once, with a new timestamp, also for a deleted endpoint', async () => {
		receiver.script.push(500);
		const { id, secret } = await subscribe();
		await control.payOrder();
		expect(await control.settled(200)).toEqual({ pending: 1 });
		await api.send(`/webhooks/${id}`, remove());
		await control.configure({ clockOffsetMs: 3_600_000 });
		await fastRetries(1);
		await pay();
		expect(receiver.received).toHaveLength(2);
		const { headers, body } = receiver.received[1];
		expect(headers['x-shop-signature']).toBe(sign(body, secret));
		const [first, again] = received('x-shop-timestamp').map(Number);
		expect(again - first).toBeGreaterThanOrEqual(3_600);
	});
});

describe('delivery faults', () => {
	it.each([0, 300])('send every delivery twice, the copy up to %d ms later', async (ms) => {
		await subscribe(['stock.low']);
		await control.setFaults([{ fault: 'duplicateDelivery', ms, seed: 2 }]);
		await emitStock(20);
		expect([ids().length, new Set(ids()).size]).toEqual([40, 20]);
		expect(new Set(ids().slice(0, 8)).size === 4).toBe(ms === 0);
	});

	it('let later deliveries overtake earlier ones', async () => {
		await subscribe(['stock.low']);
		const fault = 'reorderDelivery';
		await control.setFaults([{ fault, probability: 0.5, ms: 100, event: 'stock.low' }]);
		await emitStock(20);
		const order = texts().map((text) => /"n":\d+/.exec(text)?.[0]);
		const sent = Array.from({ length: 20 }, (_, n) => `"n":${n}`);
		expect(order).not.toEqual(sent);
		expect(new Set(order)).toEqual(new Set(sent));
	});
});
