import { request } from 'node:http';
import { startPlatform } from '../index';
import { apiClient } from '../support/apiClient';
import { post, remove, usePlatform } from './usePlatform';

const { platform, control, api } = usePlatform({ products: 50, plan: 'starter' });
beforeEach(async () => await control.reset());

describe('the journal of requests', () => {
	it('counts requests by method, template and status, and the most in flight', async () => {
		for (const path of ['/products/none', '/products/none2', '/orders?limit=1', '/baskets']) {
			await api.send(path);
		}
		expect(await control.counters()).toMatchObject({
			total: 4,
			inFlight: 0,
			byRoute: [
				{ method: 'GET', route: '/products/{id}', status: 404, count: 2 },
				{ method: 'GET', route: '/orders', status: 200, count: 1 },
				{ method: 'GET', route: '(unmatched)', status: 404, count: 1 },
			],
		});
		await control.configure({ latencyMs: 60 });
		for (const count of [5, 2]) {
			await control.resetCounters();
			const sent = Array.from({ length: count }, async () => await api.send('/account'));
			await Promise.all(sent);
			const counted = { maxInFlight: count, inFlight: 0, total: count };
			expect(await control.counters()).toMatchObject(counted);
		}
	});

	it('keeps requests exactly as they came, without the key, with bodies up to the requested length', async () => {
		await api.send('/products/%2E%2e%2fx?limit=%31&q=a+b%20c');
		await api.send('/products', post({ title: 'Kite' }));
		await control.setFaults([{ fault: 'reset' }]);
		await expect(api.send('/account')).rejects.toThrow();
		const requests = await control.requests();
		expect(requests).toMatchObject([
			{ method: 'GET', target: '/v1/products/%2E%2e%2fx?limit=%31&q=a+b%20c', status: 400 },
			{ method: 'POST', target: '/v1/products', status: 201, body: '{"title":"Kite"}' },
			{ method: 'GET', target: '/v1/account', status: 0 },
		]);
		expect(requests[1].headers).toMatchObject({ 'content-type': 'application/json' });
		expect(JSON.stringify(requests)).not.toContain(platform.apiKey);
		expect((await control.requests(2, 9))[0]).toEqual({ ...requests[1], body: '{"title":' });
	});
});

it('a reset restores everything except keys and ports, or makes another shop', async () => {
	const { apiKey } = await control.createKey({ plan: 'business' });
	const before = await api.data<Array<{ id: string }>>('/products?limit=250');
	await api.send(`/products/${before[0].id}`, remove());
	await api.data('/webhooks', post({ url: 'http://127.0.0.1:9/', events: ['order.paid'] }));
	await control.configure({ minuteBudget: 1 });
	await control.setFaults([{ fault: 'slow', ms: 5 }]);
	await control.payOrder();
	await control.reset();
	expect(await api.data('/products?limit=250', { apiKey })).toEqual(before);
	for (const list of ['endpoints', 'deliveries', 'faults'] as const) {
		expect(await control[list]()).toEqual([]);
	}
	await control.reset({ products: 7, seed: 2 });
	expect(await control.records('products')).toEqual({ count: 7 });
	expect(await control.record('products', before[0].id)).toBeNull();
});

describe('the shop as its owner sees it', () => {
	it.each(['products', 'orders', 'customers', 'inventory'] as const)(
		'lists %s, the newest first except for stock, and finds each',
		async (kind) => {
			const sort = kind === 'inventory' ? 'asc' : 'desc';
			const path = kind === 'inventory' ? 'inventory/levels' : kind;
			const { records, ...rest } = await control.list({ kind, limit: 3 });
			expect(rest).toEqual({ hasMore: true, isPartial: false });
			const listed = await api.data<object[]>(`/${path}?limit=3&sort=created_at:${sort}`);
			expect(records).toMatchObject(listed);
			const [{ id, sku, location_id }] = records;
			const name = kind === 'inventory' ? `${String(sku)}@${String(location_id)}` : String(id);
			expect(await control.record(kind, name)).toEqual(records[0]);
		},
	);

	it('filters lists by state and text, and says if a large shop was not searched completely', async () => {
		const { order } = await control.createOrder({ merchant_note: 'Ring the Bell' });
		const found = await control.list({ kind: 'orders', q: ' ring the bell ' });
		expect(found).toEqual({ records: [order], hasMore: false, isPartial: false });
		const { records } = await control.list({ kind: 'orders', status: 'paid', limit: 9 });
		expect(records.map(({ status }) => status)).toEqual(Array(9).fill('paid'));
		await control.reset({ products: 30_000 });
		const none = await control.list({ kind: 'products', q: 'no such words' });
		expect(none).toEqual({ records: [], hasMore: false, isPartial: true });
	});

	it('limits deliveries to the newest', async () => {
		await api.send('/webhooks', post({ url: 'http://127.0.0.1:9/', events: ['order.created'] }));
		await control.createOrder();
		const { deliveryIds } = await control.createOrder();
		expect((await control.deliveries({ limit: 1 })).map(({ id }) => id)).toEqual(deliveryIds);
	});
});

it.each<[string, () => Promise<unknown>]>([
	['There is no order ord_none', async () => await control.payOrder('ord_none')],
	['no delivery del_none', async () => await control.replay('del_none')],
	['no such key', async () => await control.revokeKey('cpk_none')],
	['no scope all', async () => await control.createKey({ scopes: ['all'] })],
	['no records of baskets', async () => await control.records('baskets' as 'orders')],
	['no setting speed', async () => await control.configure({ speed: 1 } as object)],
	['whole seconds', async () => await control.configure({ minuteWindowMs: 1_500 })],
	['no plan gold', async () => await control.configure({ plan: 'gold' as 'starter' })],
	['no order ord_none', async () => await control.writeRecord('orders', { id: 'ord_none' })],
	['now is no time', async () => await control.writeRecord('orders', { updatedAt: 'now' })],
	['names its record', async () => await control.writeRecord('inventory')],
])('what is wrong with an operation is said: %s', async (reason, call) => {
	await expect(call()).rejects.toThrow(reason);
});

/** Status of a request with these headers, `Host` among them, which fetch would not send. */
const statusOf = async (asked: string, headers: Record<string, string> = {}) =>
	await new Promise<number | undefined>((resolve, reject) => {
		const [method, path] = asked.split(' ');
		request(platform.controlUrl + path, { method, headers }, (response) => {
			response.resume().once('end', () => resolve(response.statusCode));
		})
			.once('error', reject)
			.end();
	});

describe('the control API', () => {
	it.each<[string, Record<string, string>]>([
		['POST /payOrder', {}],
		['POST /payOrder', { host: 'localhost:1', origin: 'http://localhost:1' }],
		['POST /payOrder', { host: 'LOCALHOST:8080', 'sec-fetch-site': 'same-origin' }],
		['POST /payOrder', { host: '[::1]:8080' }],
		['GET /counters', { 'sec-fetch-site': 'none' }],
		// The page itself is shown to who follows a link of another.
		['GET /', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
	])('by its own page, programs and what the user opens: %s %j', async (asked, headers) => {
		expect(await statusOf(asked, headers)).toBe(200);
	});

	const others = [
		'evil.example',
		'127.0.0.1.evil.example',
		'evil.example:80@localhost',
		'0.0.0.0',
		'',
	];

	it.each<Record<string, string>>([
		{ origin: 'https://elsewhere.example' },
		{ origin: 'null' },
		{ origin: 'http://127.0.0.1:1' },
		// An image, a link, a read without CORS: the page does not name itself.
		{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
		{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
		...others.flatMap((name): Array<Record<string, string>> => [
			{ host: `${name}:1` },
			{ host: `${name}:1`, origin: `http://${name}:1` },
		]),
	])('by no other page, and by nobody under another name: %j', async (headers) => {
		const pages = 'host' in headers ? ['GET /'] : [];
		for (const asked of [...pages, 'GET /counters', 'GET /payOrder', 'POST /payOrder']) {
			expect([asked, await statusOf(asked, headers)]).toEqual([asked, 403]);
		}
	});

	it('takes GET only for reads that change nothing, and POST with a body of any type', async () => {
		const read = [];
		const before = await control.list({ kind: 'orders' });
		for (const name of Object.keys(platform.control)) {
			const status = await statusOf(`GET /${name}`);
			expect([name, [200, 405].includes(status ?? 0)]).toEqual([name, true]);
			expect(await control.list({ kind: 'orders' })).toEqual(before);
			if (status === 200) read.push(name);
		}
		expect(read.join(', ')).toBe(
			'platform, deliveries, endpoints, counters, requests, budgets, dialect, openPoints, faults',
		);
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		const body = '{"event":"stock.low","payload":{}}';
		const emitted = await fetch(`${platform.controlUrl}/emit`, { method: 'POST', headers, body });
		expect(await emitted.json()).toEqual({ result: { deliveryIds: [] } });
	});
});

describe('the back office', () => {
	it('is served at the address of the control API, with every file that it names', async () => {
		const page = await fetch(platform.controlUrl);
		expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
		const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)];
		expect(files.length).toBeGreaterThan(3);
		for (const [, file] of files) expect((await fetch(platform.controlUrl + file)).ok).toBe(true);
	});

	it.each(['/office/../main.ts', '/office/%2e%2e/main.ts', '/office/none.js', '/main.ts'])(
		'serves no other file of the disk: %s',
		async (path) => {
			expect((await fetch(platform.controlUrl + path)).status).toBe(404);
		},
	);
});

it('a platform listens on loopback only, serves the same without validation, and leaves nothing behind', async () => {
	const fast = await startPlatform({ products: 50, validate: false });
	expect(new URL(fast.baseUrl).hostname).toBe('127.0.0.1');
	expect(new URL(fast.controlUrl).hostname).toBe('127.0.0.1');
	expect(await fast.control.platform()).toMatchObject({ baseUrl: fast.baseUrl });
	const page = await apiClient(fast).data('/products?limit=50');
	expect(page).toEqual(await api.data('/products?limit=50'));
	await fast.close();
	await expect(fetch(`${fast.baseUrl}/account`)).rejects.toThrow('fetch failed');
});
