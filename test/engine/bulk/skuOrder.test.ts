import type { IDataObject } from 'n8n-workflow';

import { until } from '../../support/until';
import { useBulkShop, type BulkShop } from './bulkShop';

let shop: BulkShop;

useBulkShop((opened) => {
	shop = opened;
});

const FROM_JSON = { specifyProduct: 'json', productJson: '={{ JSON.stringify($json) }}' };
const PRICE = { sku: '={{ $json.sku }}', amount: '={{ $json.price }}', currency: 'EUR' };

let executions = 0;
const own = () => ({ executionId: `execution-${++executions}` });

const upsert = async (items: IDataObject[], parameters: IDataObject = {}, more = {}) =>
	await shop.run('product.upsert', items, { ...FROM_JSON, ...parameters }, { ...own(), ...more });
const setPrice = async (price: string, options: IDataObject = {}) =>
	await shop.run('product.setPrices', [{ sku: 'S', price }], { ...PRICE, options }, own());

const product = async (sku: string): Promise<IDataObject> => {
	const { baseUrl, apiKey } = shop.platform;
	const headers = { authorization: `Bearer ${apiKey}` };
	const answer = await fetch(`${baseUrl}/products?sku=${sku}`, { headers });
	const { data } = (await answer.json()) as { data: IDataObject[] };
	expect(data).toHaveLength(1);
	return data[0];
};
const priceOf = async (sku: string) => {
	const { variants } = (await product(sku)) as {
		variants: Array<{ prices: Array<{ amount: number }> }>;
	};
	return variants[0].prices[0].amount;
};

const sent = async () => (await shop.platform.control.requests()).length;

/** Starts an execution, and goes on once its first request has arrived. */
async function started<T>(run: () => Promise<T>): Promise<{ running: Promise<T>; ended: boolean }> {
	const before = await sent();
	const running = run();
	const start = { running, ended: false };
	void running.finally(() => (start.ended = true));
	await until('the first request', 10_000, async () =>
		(await sent()) > before ? true : undefined,
	);
	return start;
}

/** Runs the second once the first has sent its first request, which meets a fault. */
async function oneAfterTheOther(
	method: string,
	first: () => Promise<unknown>,
	second: () => Promise<unknown>,
): Promise<void> {
	// The wait before the second attempt is long.
	jest.spyOn(Math, 'random').mockReturnValue(0.99);
	await shop.platform.control.setFaults([{ method, fault: 'status', status: 503, times: 1 }]);
	const { running } = await started(first);
	await Promise.all([running, second()]);
}

describe('of two executions that write one SKU, the later one stays', () => {
	it.each([
		['in batches', {}],
		['in batches, Only If Changed', { options: { onlyIfChanged: true } }],
		['one by one', { options: { ifBatchNotAvailable: 'single' } }],
	])('%s', async (way, parameters) => {
		await upsert([{ sku: 'S', title: 'newer' }]);
		if (way === 'one by one')
			await shop.platform.control.configure({ inDevelopment: { batch: false } });
		await oneAfterTheOther(
			way === 'in batches' ? 'POST' : 'GET',
			async () => await upsert([{ sku: 'S', title: 'older' }], parameters),
			async () => await upsert([{ sku: 'S', title: 'newer' }], parameters),
		);
		expect((await product('S')).title).toBe('newer');
	});

	it.each([
		['Set Prices', {}],
		['Set Prices, Only If Changed', { onlyIfChanged: true }],
	])('%s', async (_way, options) => {
		await upsert([{ sku: 'S', title: 'Mug', prices: [{ amount: 200, currency: 'EUR' }] }]);
		await oneAfterTheOther(
			'GET',
			async () => await setPrice('1.00', options),
			async () => await setPrice('2.00', options),
		);
		expect(await priceOf('S')).toBe(200);
	});

	it('one in a batch, one by Set Prices', async () => {
		await upsert([{ sku: 'S', title: 'Mug', prices: [{ amount: 300, currency: 'EUR' }] }]);
		await oneAfterTheOther(
			'POST',
			async () => await upsert([{ sku: 'S', prices: [{ amount: 100, currency: 'EUR' }] }]),
			async () => await setPrice('2.00'),
		);
		expect(await priceOf('S')).toBe(200);
	});
});

it('runs that name the same SKUs in another order all end, and the last one’s values stay', async () => {
	const skus = ['A', 'B', 'C', 'D'];
	const itemsOf = (title: string, order: string[]) => order.map((sku) => ({ sku, title }));
	const options = { batchSize: 1 };
	const runs = [];
	for (let run = 0; run < 6; run++) {
		const order = run % 2 === 0 ? skus : [...skus].reverse();
		runs.push(upsert([...itemsOf('early', order), ...itemsOf(`run ${run}`, order)], { options }));
	}
	const results = await Promise.all(runs);
	expect(results.map(({ error }) => error)).toEqual(Array(6).fill(undefined));
	const titles = await Promise.all(skus.map(async (sku) => (await product(sku)).title));
	expect(new Set(titles).size).toBe(1);
	expect(titles[0]).toMatch(/^run/);
});

describe('while an execution waits in the middle of its writes', () => {
	/** Two batches, of which the first is not answered for a while. */
	const slowRun = async () => {
		await shop.platform.control.setFaults([{ method: 'POST', fault: 'slow', ms: 1_500, times: 1 }]);
		const items = ['A', 'B'].map((sku) => ({ sku, title: 'first' }));
		return await started(async () => await upsert(items, { options: { batchSize: 1 } }));
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
		await upsert(
			[{ sku: 'A', title: 'second' }],
			{},
			{
				onStart: ({ cancel }: { cancel: () => void }) => setTimeout(cancel, 200),
			},
		);
		expect([await sent(), slow.ended]).toEqual([before, false]);
		await slow.running;
		const { error } = await upsert([{ sku: 'A', title: 'third' }]);
		expect(error).toBeUndefined();
		expect((await product('A')).title).toBe('third');
	});
});

it('a SKU is free again after a run that failed', async () => {
	await shop.platform.control.setFaults([
		{ method: 'POST', fault: 'status', status: 400, times: 1 },
	]);
	const options = { ifBatchNotAvailable: 'stop' };
	expect((await upsert([{ sku: 'A', title: 'first' }], { options })).error).toBeDefined();
	expect((await upsert([{ sku: 'A', title: 'second' }])).error).toBeUndefined();
});
