import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../platform/support/until';
import { withFastClock } from '../../support/engine';
import { byId } from '../../support/parameters';
import { useBulkShop } from './bulkShop';

const shop = useBulkShop();
withFastClock();

let executions = 0;
const own = () => ({ executionId: `execution-${++executions}` });
const upsert = async (
	items: IDataObject[],
	options: IDataObject = {},
	more = {},
	parameters: IDataObject = {},
) => await shop.upsert(items, options, { ...own(), ...more }, parameters);
const setPrice = async (amount: string, options: IDataObject = {}) => {
	const parameters = { sku: 'S', amount, currency: 'EUR', options };
	return await shop.run('product.setPrices', parameters, own());
};
const costing = (amount: number) => [
	{ sku: 'S', title: 'Mug', prices: [{ amount, currency: 'EUR' }] },
];

const product = async (sku: string) => {
	const data = await shop.list(`/products?sku=${sku}`);
	expect(data).toHaveLength(1);
	return data[0];
};
const sent = async () => (await shop.control.requests()).length;

/** Starts an execution, and returns when its first request has arrived. */
async function started<T>(run: () => Promise<T>): Promise<{ running: Promise<T>; ended: boolean }> {
	const before = await sent();
	const running = run();
	const start = { running, ended: false };
	void running.finally(() => (start.ended = true));
	await until('the first request', 10_000, async () => (await sent()) > before, 5);
	return start;
}

/** Starts the second execution after the first has sent its first request, which meets a fault. */
async function oneAfterTheOther(
	method: string,
	first: () => Promise<unknown>,
	second: () => Promise<unknown>,
): Promise<void> {
	// The wait before the second attempt is long.
	jest.spyOn(Math, 'random').mockReturnValue(0.99);
	await shop.control.setFaults([{ method, fault: 'status', status: 503, times: 1 }]);
	const { running } = await started(first);
	await Promise.all([running, second()]);
}

describe('of two executions that write one SKU, the later one stays', () => {
	it.each([
		['in batches', 'POST', {}],
		['in batches, Only If Changed', 'GET', { onlyIfChanged: true }],
		['one by one', 'GET', { ifBatchNotAvailable: 'single' }],
	])('%s', async (way, method, options) => {
		await upsert([{ sku: 'S', title: 'newer' }]);
		await shop.takesBatches(way !== 'one by one');
		await oneAfterTheOther(
			method,
			async () => await upsert([{ sku: 'S', title: 'older' }], options),
			async () => await upsert([{ sku: 'S', title: 'newer' }], options),
		);
		expect((await product('S')).title).toBe('newer');
	});

	it.each<[string, string, () => Promise<unknown>, IDataObject]>([
		['both by Set Prices', 'GET', async () => await setPrice('1.00'), {}],
		[
			'both by Set Prices, Only If Changed',
			'GET',
			async () => await setPrice('1.00', { onlyIfChanged: true }),
			{ onlyIfChanged: true },
		],
		['one in a batch, one by Set Prices', 'POST', async () => await upsert(costing(100)), {}],
	])('%s', async (_way, method, first, options) => {
		await upsert(costing(200));
		await oneAfterTheOther(method, first, async () => await setPrice('2.00', options));
		const [{ prices }] = (await product('S')).variants as IDataObject[];
		expect(prices).toMatchObject([{ amount: 200 }]);
	});
});

it('the later one stays also for a SKU that stands in a further row of the earlier one’s product', async () => {
	const rows = (price: string) =>
		['A', 'S'].map((sku) => ({ handle: 'mug', title: 'Mug', sku, price, currency: 'EUR' }));
	const perHandle = { specifyProduct: 'autoMapInputData', productPer: 'handle' };
	await upsert(rows('2.00'), {}, {}, perHandle);
	await oneAfterTheOther(
		'POST',
		async () => await upsert(rows('1.00'), {}, {}, perHandle),
		async () => await setPrice('2.00'),
	);
	const { variants } = await product('S');
	expect(variants).toMatchObject([
		{ sku: 'A', prices: [{ amount: 100 }] },
		{ sku: 'S', prices: [{ amount: 200 }] },
	]);
});

it('a product that only a handle names is made once, however many executions write it', async () => {
	const perHandle = { specifyProduct: 'autoMapInputData', productPer: 'handle' };
	const write = async (title: string) =>
		await upsert([{ handle: 'gift-card', title }], {}, {}, perHandle);
	await Promise.all([write('first'), write('second')]);
	const found = (await shop.list('/products?q=gift-card')).filter(
		({ handle }) => handle === 'gift-card',
	);
	expect(found.map(({ title }) => title)).toEqual(['second']);
});

it('runs that name the same SKUs in another order all end, and the last one’s values stay', async () => {
	const skus = ['A', 'B', 'C', 'D'];
	const runs = Array.from({ length: 6 }, async (_, run) => {
		const order = run % 2 === 0 ? skus : [...skus].reverse();
		const items = ['early', `run ${run}`].flatMap((title) => order.map((sku) => ({ sku, title })));
		return await upsert(items, { batchSize: 1 });
	});
	const results = await Promise.all(runs);
	expect(results.map(({ error }) => error)).toEqual(Array(6).fill(undefined));
	const titles = await Promise.all(skus.map(async (sku) => (await product(sku)).title));
	expect(new Set(titles).size).toBe(1);
	expect(titles[0]).toMatch(/^run/);
});

describe('while an execution waits in the middle of its writes', () => {
	/** Two batches; the first is answered late. */
	const slowRun = async () => {
		await shop.control.setFaults([{ method: 'POST', fault: 'slow', ms: 300, times: 1 }]);
		const items = ['A', 'B'].map((sku) => ({ sku, title: 'first' }));
		return await started(async () => await upsert(items, { batchSize: 1 }));
	};

	it('another one writes other SKUs', async () => {
		const slow = await slowRun();
		const { error } = await upsert([{ sku: 'C', title: 'second' }]);
		expect([error, slow.ended]).toEqual([undefined, false]);
		await slow.running;
	});

	it('another one that waits for it can be cancelled, and takes nothing with it', async () => {
		const slow = await slowRun();
		const before = await sent();
		const onStart = ({ cancel }: { cancel: () => void }) => setTimeout(cancel, 50);
		await upsert([{ sku: 'A', title: 'second' }], {}, { onStart });
		expect([await sent(), slow.ended]).toEqual([before, false]);
		await slow.running;
		expect((await upsert([{ sku: 'A', title: 'third' }])).error).toBeUndefined();
		expect((await product('A')).title).toBe('third');
	});
});

it('a price that waits for another execution is not written once its own run has failed', async () => {
	await upsert(['S', 'T'].map((sku) => ({ sku, title: 'Mug' })));
	const [{ id: slowId }, { id: refusedId }] = await Promise.all(['S', 'T'].map(product));
	await shop.control.setFaults([
		{ method: 'PATCH', path: `/products/${String(slowId)}`, fault: 'slow', ms: 300, times: 1 },
		{ method: 'PATCH', path: `/products/${String(refusedId)}`, fault: 'status', status: 422 },
	]);
	const renamed = { productId: byId(String(slowId)), updateFields: { title: 'Cup' } };
	const slow = await started(async () => await shop.run('product.update', renamed, own()));
	const parameters = { sku: '={{ $json.sku }}', amount: '2.00', currency: 'EUR' };
	const items = [{ sku: 'S' }, { sku: 'T' }];
	const { error } = await shop.run('product.setPrices', parameters, { items, ...own() });
	expect(error?.message).toMatch(/422|refused|not valid/i);
	await slow.running;
	const [{ prices }] = (await product('S')).variants as IDataObject[];
	expect(prices).toEqual([]);
	expect((await product('S')).title).toBe('Cup');
});
