import { startPlatform } from '../index';
import { apiClient } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform({ products: 50 });
beforeEach(async () => await platform.control.reset());

describe('the counters', () => {
	it('count requests by method, template and status', async () => {
		await api.send('/products/none');
		await api.send('/products/none2');
		await api.send('/orders?limit=1');
		await api.send('/baskets');
		expect(await platform.control.counters()).toMatchObject({
			total: 4,
			inFlight: 0,
			contractViolations: 0,
			byRoute: [
				{ method: 'GET', route: '/products/{id}', status: 404, count: 2 },
				{ method: 'GET', route: '/orders', status: 200, count: 1 },
				{ method: 'GET', route: '(unmatched)', status: 404, count: 1 },
			],
		});
	});

	it('know how many were in flight at most', async () => {
		await platform.control.configure({ latencyMs: 60 });
		await Promise.all([1, 2, 3, 4, 5].map(async () => await api.send('/account')));
		await Promise.all([1, 2].map(async () => await api.send('/account')));
		expect(await platform.control.counters()).toMatchObject({ maxInFlight: 5, inFlight: 0 });
		await platform.control.resetCounters();
		await Promise.all([1, 2].map(async () => await api.send('/account')));
		expect(await platform.control.counters()).toMatchObject({ maxInFlight: 2, total: 2 });
	});
});

describe('the journal', () => {
	it('has each target exactly as it came, without the key', async () => {
		await api.send('/products/%2E%2e%2fx?limit=%31&q=a+b%20c');
		await api.send('/products', { method: 'POST', body: { title: 'Kite' } });
		const requests = await platform.control.requests();
		expect(requests.map(({ method, target, status }) => [method, target, status])).toEqual([
			['GET', '/v1/products/%2E%2e%2fx?limit=%31&q=a+b%20c', 400],
			['POST', '/v1/products', 201],
		]);
		expect(requests[1].body).toBe('{"title":"Kite"}');
		expect(requests[1].headers).toMatchObject({ 'content-type': 'application/json' });
		expect(JSON.stringify(requests)).not.toContain(platform.apiKey);
		expect(await platform.control.requests(1)).toEqual(requests.slice(1));
	});

	it('has status 0 for a request that got no answer', async () => {
		await platform.control.setFaults([{ fault: 'reset' }]);
		await expect(api.send('/account')).rejects.toThrow();
		const [{ status }] = await platform.control.requests();
		expect(status).toBe(0);
	});
});

describe('a reset', () => {
	it('brings shop, endpoints, settings and counters back, and keeps keys and ports', async () => {
		const { apiKey } = await platform.control.createKey();
		const before = (await api.send('/products?limit=250')).json;
		const [first] = (before as { data: Array<{ id: string }> }).data;
		await api.send(`/products/${first.id}`, { method: 'DELETE' });
		await api.data('/webhooks', {
			method: 'POST',
			body: { url: 'http://127.0.0.1:9/', events: ['order.paid'] },
		});
		await platform.control.configure({ minuteBudget: 1 });
		await platform.control.payOrder();
		await platform.control.reset();
		const { data } = (await api.send('/products?limit=250', { apiKey })).json as { data: unknown };
		expect(data).toEqual((before as { data: unknown }).data);
		expect(await platform.control.endpoints()).toEqual([]);
		expect(await platform.control.deliveries()).toEqual([]);
		expect((await platform.control.counters()).total).toBe(1);
		expect((await api.send('/account', { apiKey })).status).toBe(200);
	});

	it('can give the shop another size or another seed', async () => {
		const [{ id }] = await api.data<Array<{ id: string }>>('/products?limit=1');
		await platform.control.reset({ products: 7, seed: 2 });
		expect(await platform.control.records('products')).toEqual({ count: 7 });
		expect(await platform.control.record('products', id)).toBeNull();
		await platform.control.reset();
		expect(await platform.control.records('products')).toEqual({ count: 50 });
	});
});

describe('the control API', () => {
	it('finds a record of each kind', async () => {
		const { control } = platform;
		const [product] =
			await api.data<Array<{ id: string; variants: Array<{ sku: string }> }>>('/products?limit=1');
		const [customer] = await api.data<Array<{ id: string }>>('/customers?limit=1');
		const [category] = await api.data<Array<{ id: string }>>('/categories?limit=1');
		const { order } = await control.createOrder({ merchant_note: 'by hand' });
		expect(await control.record('products', product.id)).toEqual(product);
		expect(await control.record('customers', customer.id)).toEqual(customer);
		expect(await control.record('categories', category.id)).toEqual(category);
		expect(await control.record('orders', String(order.id))).toMatchObject({
			merchant_note: 'by hand',
		});
		expect(await control.record('inventory', `${product.variants[0].sku}@sloc_main`)).toMatchObject(
			{ location_id: 'sloc_main' },
		);
		expect(await control.record('orders', 'ord_none')).toBeNull();
	});

	it('says what is wrong', async () => {
		const { control } = platform;
		await expect(control.payOrder('ord_none')).rejects.toThrow(
			'Control operation "payOrder" failed: There is no order ord_none',
		);
		await expect(control.records('baskets' as 'orders')).rejects.toThrow('no records of baskets');
		await expect(control.configure({ speed: 1 } as object)).rejects.toThrow('no setting speed');
		await expect(control.configure({ minuteWindowMs: 1_500 })).rejects.toThrow('whole seconds');
		await expect(control.configure({ plan: 'gold' as 'starter' })).rejects.toThrow('no plan gold');
	});

	it('can be used with curl alone: GET for reads, and a body of any type', async () => {
		const counters = await fetch(`${platform.controlUrl}/counters`);
		expect(await counters.json()).toMatchObject({ result: { total: 0 } });
		const paid = await fetch(`${platform.controlUrl}/payOrder`, { method: 'POST' });
		expect(await paid.json()).toMatchObject({ result: { order: { status: 'paid' } } });
		const emitted = await fetch(`${platform.controlUrl}/emit`, {
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: '{"event":"stock.low","payload":{}}',
		});
		expect(await emitted.json()).toEqual({ result: { deliveryIds: [] } });
	});
});

describe('a platform', () => {
	it('listens on loopback only and leaves nothing behind when it ends', async () => {
		const other = await startPlatform({ products: 1 });
		expect(new URL(other.baseUrl).hostname).toBe('127.0.0.1');
		expect(new URL(other.controlUrl).hostname).toBe('127.0.0.1');
		await other.close();
		await expect(fetch(`${other.baseUrl}/account`)).rejects.toThrow('fetch failed');
	});

	it('says which port is taken', async () => {
		const port = Number(new URL(platform.baseUrl).port);
		await expect(startPlatform({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
	});

	it('without validation serves the same pages', async () => {
		const fast = await startPlatform({ products: 50, validate: false });
		const page = await apiClient(fast).data('/products?limit=50');
		expect(page).toEqual(await api.data('/products?limit=50'));
		await fast.close();
	});
});
