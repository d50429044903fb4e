import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../platform';
import { byId, byMode } from '../../support/parameters';
import { useShop, type Fixtures, type Shop } from './shop';

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});
beforeEach(async () => {
	// Waits between attempts have full jitter: with this every wait is its least.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	await shop.platform.control.configure({ minuteBudget: 1_000_000, dayBudget: 10_000_000 });
});
afterEach(() => jest.restoreAllMocks());

const set = {
	resource: 'inventory',
	operation: 'set',
	sku: '={{ $json.sku }}',
	locationId: 'sloc_main',
	quantity: '={{ $json.quantity }}',
};

const quantityOf = async (sku: string) =>
	(await shop.list(`/inventory/levels?sku=${sku}&location_id=sloc_main`))[0]?.quantity;

const stampsOf = async (sku: string) => {
	const requests = await shop.platform.control.requests(10_000);
	return requests
		.filter(({ method, status }) => method === 'PUT' && status === 200)
		.map(({ body }) => JSON.parse(body ?? '{}') as { sku: string; updated_at: string })
		.filter((body) => body.sku === sku)
		.map(({ updated_at }) => Date.parse(updated_at));
};

const isRising = (numbers: number[]) =>
	numbers.every((one, at) => at === 0 || one > numbers[at - 1]);

it('the later of two sets of one SKU wins, although the first meets a 503: 15 of 15 runs', async () => {
	const ends: unknown[] = [];
	for (let run = 0; run < 15; run++) {
		await shop.platform.control.setFaults([
			{ method: 'PUT', fault: 'status', status: 503, times: 1 },
		]);
		const items = [run * 2 + 1, run * 2 + 2].map((quantity) => ({ sku: fixtures.sku, quantity }));
		const { error } = await shop.run(set, { items, executionId: `run-${run}` });
		expect(error).toBeUndefined();
		ends.push(await quantityOf(fixtures.sku));
	}
	expect(ends).toEqual(Array.from({ length: 15 }, (_, run) => run * 2 + 2));
	expect(isRising(await stampsOf(fixtures.sku))).toBe(true);
});

it('three notes on one order end with the last', async () => {
	await shop.platform.control.setFaults([
		{ method: 'PATCH', fault: 'status', status: 503, times: 2 },
	]);
	const items = ['first', 'second', 'third'].map((note) => ({ note }));
	await shop.run(
		{
			resource: 'order',
			operation: 'update',
			orderId: byId(fixtures.order),
			updateFields: { merchant_note: '={{ $json.note }}' },
		},
		{ items },
	);
	expect((await shop.read(`/orders/${fixtures.order}`)).merchant_note).toBe('third');
});

it('notes on one order end with the last, although its number is written in different ways', async () => {
	const { number } = await shop.read(`/orders/${fixtures.order}`);
	await shop.platform.control.setFaults([
		{ method: 'GET', path: '/orders', fault: 'slow', ms: 80, times: 1 },
	]);
	const items = [`#${String(number)}`, String(number), `# ${String(number)}`].map((written) => ({
		written,
	}));
	const { error } = await shop.run(
		{
			resource: 'order',
			operation: 'update',
			orderId: byMode('number', '={{ $json.written }}'),
			updateFields: { merchant_note: '={{ $json.written }}' },
		},
		{ items },
	);
	expect(error).toBeUndefined();
	expect((await shop.read(`/orders/${fixtures.order}`)).merchant_note).toBe(items[2].written);
});

it('writes to other targets go on at the same time', async () => {
	const skus = (await shop.list('/inventory/levels?limit=8&location_id=sloc_main')).map(({ sku }) =>
		String(sku),
	);
	const items = skus.map((sku, quantity) => ({ sku, quantity }));
	await shop.platform.control.resetCounters();
	await shop.platform.control.configure({ latencyMs: 20 });
	await shop.run(set, { items });
	await shop.platform.control.configure({ latencyMs: 0 });
	expect((await shop.platform.control.counters()).maxInFlight).toBe(4);
});

/** One request in five meets a fault; the worst is the answer lost after the write was applied. */
const FAULTS: FaultRule = {
	method: 'PUT',
	path: '/inventory/levels',
	probability: 0.2,
	seed: 11,
	anyOf: [
		{ fault: 'status', status: 429, retryAfter: 0 },
		{ fault: 'status', status: 500 },
		{ fault: 'status', status: 503 },
		{ fault: 'reset' },
		{ fault: 'lostAnswer' },
	],
};

it('1,000 writes over 100 targets end with each target’s last value, in four executions at once', async () => {
	await shop.platform.control.reset({ products: 120, orders: 0, customers: 0, categories: 0 });
	await shop.platform.control.configure({ minuteBudget: 1_000_000, dayBudget: 10_000_000 });
	const levels = await shop.list('/inventory/levels?limit=250&location_id=sloc_main');
	const skus = [...new Set(levels.map(({ sku }) => String(sku)))].slice(0, 100);
	expect(skus).toHaveLength(100);
	await shop.platform.control.setFaults([FAULTS]);
	await shop.platform.control.resetCounters();
	const items = Array.from({ length: 1_000 }, (_, at) => ({ sku: skus[at % 100], quantity: at }));
	// Each execution has targets of its own; the next test shares one among several.
	const results = await Promise.all(
		[0, 1, 2, 3].map(
			async (part) =>
				await shop.run(set, {
					executionId: `execution-${part}`,
					items: items.filter(({ quantity }) => (quantity % 100) % 4 === part),
				}),
		),
	);
	expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
	await shop.platform.control.setFaults([]);
	for (const [at, sku] of skus.entries()) {
		expect([sku, await quantityOf(sku)]).toEqual([sku, 900 + at]);
		expect(isRising(await stampsOf(sku))).toBe(true);
	}
});

it('concurrent executions never write one target at the same time, and stamps keep rising', async () => {
	const items = (from: number): IDataObject[] =>
		Array.from({ length: 10 }, (_, at) => ({ sku: fixtures.sku, quantity: from + at }));
	await shop.platform.control.setFaults([FAULTS]);
	const results = await Promise.all(
		[0, 100, 200].map(
			async (from) => await shop.run(set, { executionId: `from-${from}`, items: items(from) }),
		),
	);
	expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	const stamps = await stampsOf(fixtures.sku);
	expect(stamps.length).toBeGreaterThanOrEqual(30);
	expect(isRising([...new Set(stamps)])).toBe(true);
});
