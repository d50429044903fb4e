import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform({ products: 50, plan: 'starter' });
beforeEach(async () => await platform.control.reset());

describe('the back office', () => {
	it('is served at the address of the control API, with every file that it names', async () => {
		const page = await fetch(platform.controlUrl);
		expect([page.status, page.headers.get('content-type')]).toEqual([
			200,
			'text/html; charset=utf-8',
		]);
		expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
		const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
			([, file]) => file,
		);
		expect(files.length).toBeGreaterThan(3);
		for (const file of files) expect((await fetch(platform.controlUrl + file)).status).toBe(200);
	});

	it('serves nothing else of the disk', async () => {
		for (const path of ['/office/../main.ts', '/office/%2e%2e/main.ts', '/office/none.js']) {
			expect((await fetch(platform.controlUrl + path)).status).toBe(404);
		}
	});
});

describe('budgets', () => {
	it('are told without being spent, and no key is shown in full', async () => {
		await api.send('/account');
		const other = await platform.control.createKey({ plan: 'business' });
		const budgets = await platform.control.budgets();
		expect(budgets).toEqual(await platform.control.budgets());
		expect(budgets[0]).toMatchObject({
			plan: 'starter',
			minute: { limit: 100, remaining: 99 },
			day: { limit: 20_000, remaining: 19_999 },
		});
		expect(budgets.at(-1)).toMatchObject({
			id: other.id,
			plan: 'business',
			minute: { remaining: 300 },
		});
		const shown = JSON.stringify(budgets);
		for (const { apiKey } of [platform, other]) {
			expect(shown).not.toContain(apiKey.slice(4, 12));
			expect(shown).toContain(`cpk_…${apiKey.slice(-4)}`);
		}
	});
});

describe('lists', () => {
	it('begin with the newest record', async () => {
		const { order } = await platform.control.createOrder();
		const { records, hasMore } = await platform.control.list({ kind: 'orders', limit: 2 });
		expect(records[0]).toEqual(order);
		expect([records.length, hasMore]).toEqual([2, true]);
	});

	it('are narrowed by state and by text', async () => {
		const { order } = await platform.control.createOrder({ merchant_note: 'Ring the Bell' });
		const found = await platform.control.list({ kind: 'orders', q: ' ring the bell ' });
		expect(found).toEqual({ records: [order], hasMore: false, isPartial: false });
		const { records } = await platform.control.list({ kind: 'orders', status: 'paid', limit: 9 });
		expect(records.map(({ status }) => status)).toEqual(Array(9).fill('paid'));
	});

	it('say that a large shop was not searched to its end', async () => {
		await platform.control.reset({ products: 30_000 });
		expect(await platform.control.list({ kind: 'products', q: 'no such words' })).toEqual({
			records: [],
			hasMore: false,
			isPartial: true,
		});
	});

	it('are refused by name for other kinds', async () => {
		await expect(platform.control.list({ kind: 'jobs' as 'orders' })).rejects.toThrow(
			'There is no list of jobs',
		);
	});
});

describe('what is set at present', () => {
	it('can be read: address and settings', async () => {
		await platform.control.configure({ latencyMs: 7 });
		const { baseUrl, settings } = await platform.control.platform();
		expect(baseUrl).toBe(platform.baseUrl);
		expect(settings).toMatchObject({ latencyMs: 7, plan: 'starter' });
	});

	it('can be read: fault rules, until a reset', async () => {
		const rules = [{ fault: 'slow' as const, ms: 5 }, { fault: 'duplicateDelivery' as const }];
		await platform.control.setFaults(rules);
		expect(await platform.control.faults()).toEqual(rules);
		await expect(platform.control.setFaults([{ fault: 'gremlin' as 'reset' }])).rejects.toThrow();
		expect(await platform.control.faults()).toEqual(rules);
		await platform.control.reset();
		expect(await platform.control.faults()).toEqual([]);
	});

	it('can be read: every switch of a dialect with its readings', async () => {
		const points = await platform.control.openPoints();
		const spoken = await platform.control.dialect();
		expect(points.map(({ name }) => name).sort()).toEqual(Object.keys(spoken).sort());
		for (const { name, values } of points) expect(Object.keys(values)).toContain(spoken[name]);
	});
});

describe('long lists of what happened', () => {
	it('can be cut to the newest, and bodies to their beginning', async () => {
		for (const title of ['Kite', 'Ball']) {
			await api.send('/products', { method: 'POST', body: { title } });
		}
		const [last] = await platform.control.requests(1, 9);
		expect(last.body).toBe('{"title":');
		await api.send('/webhooks', {
			method: 'POST',
			body: { url: 'http://127.0.0.1:9/', events: ['order.created'] },
		});
		await platform.control.createOrder();
		const { deliveryIds } = await platform.control.createOrder();
		const newest = await platform.control.deliveries({ limit: 1 });
		expect(newest.map(({ id }) => id)).toEqual(deliveryIds);
	});
});
