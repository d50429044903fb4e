import type { IDataObject } from 'n8n-workflow';

import { ONE_IN_FIVE } from '../../support/batchFaults';
import { byMode, withLeastWaits } from '../../support/engine';
import { useShop } from './shop';

const { shop, fixtures } = useShop();
const AMPLE = { minuteBudget: 1_000_000, dayBudget: 10_000_000 };

withLeastWaits();
beforeEach(async () => await shop.control.configure(AMPLE));

const set = async (items: IDataObject[], executionId?: string) => {
	const level = {
		sku: '={{ $json.sku }}',
		locationId: 'sloc_main',
		quantity: '={{ $json.quantity }}',
	};
	return await shop.run('inventory.set', level, { items, executionId });
};
const note = async (orderId: IDataObject, notes: string[]) => {
	const updateFields = { merchant_note: '={{ $json.note }}' };
	const items = notes.map((one) => ({ note: one }));
	return await shop.run('order.update', { orderId, updateFields }, { items });
};
const noteNow = async () => (await shop.read(`/orders/${fixtures.order}`)).merchant_note;

const quantityOf = async (sku: string) =>
	(await shop.list(`/inventory/levels?sku=${sku}&location_id=sloc_main`))[0]?.quantity;

const stampsOf = async (sku: string) =>
	(await shop.control.requests(10_000))
		.filter(({ method, status }) => method === 'PUT' && status === 200)
		.map(({ body }) => JSON.parse(body ?? '{}') as { sku: string; updated_at: string })
		.filter((body) => body.sku === sku)
		.map(({ updated_at }) => Date.parse(updated_at));

const isRising = (numbers: number[]) =>
	numbers.every((one, at) => at === 0 || one > numbers[at - 1]);

it('the later of two sets of one SKU wins, although the first meets a 503: 15 of 15 runs', async () => {
	const { sku } = fixtures;
	const ends: unknown[] = [];
	for (let run = 0; run < 15; run++) {
		await shop.control.setFaults([{ method: 'PUT', fault: 'status', status: 503, times: 1 }]);
		const items = [run * 2 + 1, run * 2 + 2].map((quantity) => ({ sku, quantity }));
		expect((await set(items, `run-${run}`)).error).toBeUndefined();
		ends.push(await quantityOf(sku));
	}
	expect(ends).toEqual(Array.from({ length: 15 }, (_, run) => run * 2 + 2));
	expect(isRising(await stampsOf(sku))).toBe(true);
});

it('notes on one order end with the last, although its number is written in different ways', async () => {
	const number = String((await shop.read(`/orders/${fixtures.order}`)).number);
	await shop.control.setFaults([
		{ method: 'GET', path: '/orders', fault: 'slow', ms: 80, times: 1 },
	]);
	const written = [`#${number}`, number, `# ${number}`];
	await note(byMode('number', '={{ $json.note }}'), written);
	expect(await noteNow()).toBe(written[2]);
});

it('an execution that finds the order by its number waits for one that writes to it by its ID', async () => {
	const { control } = shop.platform;
	const number = String((await shop.read(`/orders/${fixtures.order}`)).number);
	const ms = 120;
	await control.setFaults([{ method: 'PATCH', path: '/orders', fault: 'slow', ms, times: 1 }]);
	await control.resetCounters();
	await Promise.all([
		note(byMode('id', fixtures.order), ['by ID']),
		note(byMode('number', number), ['by number']),
	]);
	const [first, second, ...more] = (await control.requests(100))
		.filter(({ method }) => method === 'PATCH')
		.map(({ at }) => Date.parse(at));
	expect(more).toEqual([]);
	expect(second - first).toBeGreaterThanOrEqual(ms);
});

it('before a product is deleted by its handle, it is confirmed after the writes to it that were under way', async () => {
	const { control } = shop.platform;
	const { handle } = await shop.read(`/products/${fixtures.product}`);
	const ms = 400;
	await control.setFaults([{ method: 'PATCH', path: '/products', fault: 'slow', ms, times: 1 }]);
	await control.resetCounters();
	const [renamed, deleted] = await Promise.all([
		shop.run('product.update', {
			productId: byMode('id', fixtures.product),
			updateFields: { handle: 'renamed-meanwhile' },
		}),
		shop.run('product.delete', { productId: byMode('handle', handle) }),
	]);
	expect(renamed.error).toBeUndefined();
	expect(deleted.error?.message).toContain('does not have the handle');
	const methods = (await control.requests(100)).map(({ method }) => method);
	expect(methods).toContain('PATCH');
	expect(methods).not.toContain('DELETE');
});

it('writes to other targets go on at the same time', async () => {
	const levels = await shop.list('/inventory/levels?limit=8&location_id=sloc_main');
	await shop.control.resetCounters();
	await shop.control.configure({ latencyMs: 20 });
	await set(levels.map(({ sku }, quantity) => ({ sku, quantity })));
	await shop.control.configure({ latencyMs: 0 });
	expect((await shop.control.counters()).maxInFlight).toBe(4);
});

const FAULTS = { method: 'PUT', path: '/inventory/levels', ...ONE_IN_FIVE };

it('concurrent executions never write one target at the same time, and stamps keep rising', async () => {
	const { sku } = fixtures;
	await shop.control.setFaults([FAULTS]);
	const results = await Promise.all(
		[0, 100, 200].map(async (from) => {
			const items = Array.from({ length: 10 }, (_, at) => ({ sku, quantity: from + at }));
			return await set(items, `from-${from}`);
		}),
	);
	expect(results.map(({ error }) => error)).toEqual(Array(3).fill(undefined));
	const stamps = await stampsOf(sku);
	expect(stamps.length).toBeGreaterThanOrEqual(30);
	expect(isRising([...new Set(stamps)])).toBe(true);
});
