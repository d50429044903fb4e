import { spokenPlatform, type Switches } from './spoken';

const shop = spokenPlatform();

const key = (name: string) => ({ 'idempotency-key': name });
const create = async (dialect: Switches, title: string, name = 'k1') =>
	await shop.in(dialect, '/products', { method: 'POST', body: { title }, headers: key(name) });

async function paidOrder(): Promise<string> {
	const { order } = await shop.platform.control.payOrder();
	return `/orders/${String(order.id)}`;
}

describe('idempotency', () => {
	it.each([
		['replayed', [201, 201, 422], 1],
		['anyBody', [201, 201, 201], 1],
		['refused', [201, 409, 409], 1],
		['ignored', [201, 201, 201], 3],
	])('is %s', async (idempotency, statuses, made) => {
		const { count } = await shop.platform.control.records('products');
		const got = [];
		for (const title of ['Kite', 'Kite', 'Drum']) {
			got.push((await create({ idempotency }, title)).status);
		}
		expect(got).toEqual(statuses);
		expect(await shop.platform.control.records('products')).toEqual({ count: count + made });
	});
});

describe('scopes that are not shown', () => {
	it('accountScope lets any key in, or none of the usual ones', async () => {
		const own = { accountScope: 'own' };
		expect((await shop.in({}, '/account')).status).toBe(200);
		expect((await shop.in(own, '/account')).status).toBe(403);
		const { apiKey } = await shop.platform.control.createKey({ scopes: ['account.read'] });
		expect((await shop.in(own, '/account', { apiKey })).status).toBe(200);
	});

	it('categoryScope is that of products, or none', async () => {
		const { apiKey } = await shop.platform.control.createKey({ scopes: ['orders.read'] });
		expect((await shop.in({}, '/categories', { apiKey })).status).toBe(403);
		const open = await shop.in({ categoryScope: 'none' }, '/categories', { apiKey });
		expect(open.status).toBe(200);
	});
});

describe('equalUpdatedAt', () => {
	it('is taken or stale', async () => {
		const [{ sku, location_id }] = await shop.api.data<Array<Record<string, string>>>(
			'/inventory/levels?limit=1',
		);
		const updated_at = new Date().toISOString();
		const request = { method: 'PUT', body: { sku, location_id, quantity: 5, updated_at } };
		expect((await shop.in({}, '/inventory/levels', request)).status).toBe(200);
		expect((await shop.in({}, '/inventory/levels', request)).status).toBe(200);
		const stale = await shop.in({ equalUpdatedAt: 'stale' }, '/inventory/levels', request);
		expect(stale).toMatchObject({ status: 409, json: { error: { code: 'CONFLICT' } } });
	});
});

describe('fulfillmentWithoutItems', () => {
	it.each([
		['everything', 201, 'fulfilled'],
		['nothing', 201, 'unfulfilled'],
		['refused', 400, 'unfulfilled'],
	])('does %s', async (fulfillmentWithoutItems, status, state) => {
		const order = await paidOrder();
		const request = { method: 'POST', body: { carrier: 'dhl' } };
		const answer = await shop.in({ fulfillmentWithoutItems }, `${order}/fulfillments`, request);
		expect(answer.status).toBe(status);
		expect(await shop.json({}, order)).toMatchObject({
			data: { fulfillment_state: { status: state } },
		});
	});
});

describe('refundWithoutAmount', () => {
	it('pays back the rest, or is refused', async () => {
		const path = `${await paidOrder()}/refunds`;
		const refused = await shop.in({ refundWithoutAmount: 'refused' }, path, { method: 'POST' });
		expect(refused.status).toBe(400);
		expect((await shop.in({}, path, { method: 'POST' })).status).toBe(201);
	});
});

describe('repeatedMove', () => {
	it('is refused or taken', async () => {
		const path = `${await paidOrder()}/cancel`;
		expect((await shop.in({}, path, { method: 'POST' })).status).toBe(200);
		expect((await shop.in({}, path, { method: 'POST' })).status).toBe(409);
		expect((await shop.in({ repeatedMove: 'taken' }, path, { method: 'POST' })).status).toBe(200);
	});
});

describe('retryAfter', () => {
	it('is in whole seconds or has a fraction', async () => {
		await shop.platform.control.setFaults([{ fault: 'status', status: 429, retryAfter: 2 }]);
		expect((await shop.in({}, '/orders')).headers['retry-after']).toBe('2');
		const { headers } = await shop.in({ retryAfter: 'fraction' }, '/orders');
		expect(headers['retry-after']).toBe('2.5');
	});
});

describe('budgetHeaders', () => {
	it.each([
		['everyAnswer', true, true],
		['successes', true, false],
		['absent', false, false],
	])('are on %s', async (budgetHeaders, onSuccess, onError) => {
		const success = await shop.in({ budgetHeaders }, '/orders');
		const error = await shop.in({ budgetHeaders }, '/orders/none');
		expect('x-ratelimit-remaining' in success.headers).toBe(onSuccess);
		expect('x-ratelimit-remaining-day' in success.headers).toBe(onSuccess);
		expect('x-ratelimit-remaining' in error.headers).toBe(onError);
	});
});
