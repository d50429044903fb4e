import { BATCH_FAULTS, GIVEN_UP, GIVEN_UP_STATUS, GIVEN_UP_TIMES } from '../../support/batchFaults';
import { INPUT_ITEM, productItems, useBulkShop, type BulkShop } from './bulkShop';

const COUNT = 10_000;

let shop: BulkShop;

useBulkShop((opened) => {
	shop = opened;
});

const writes = async () => (await shop.requests())['POST /products/batch'] ?? 0;
const products = async () => (await shop.platform.control.records('products')).count;

it('writes 10,000 products by 100 requests, and fails exactly the bad ones', async () => {
	// Three in a hundred have no title, so they cannot be created.
	const items = productItems(COUNT).map((item, n) => (n % 100 < 3 ? { sku: item.sku } : item));
	const { items: output } = await shop.run('product.upsert', items, INPUT_ITEM, {
		onError: 'continueRegularOutput',
	});
	expect(await writes()).toBe(100);
	expect(output.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(
		items.map((_, n) => n),
	);
	expect(output.map(({ json }) => 'error' in json)).toEqual(items.map((_, n) => n % 100 < 3));
	expect(await products()).toBe(9_700);
}, 120_000);

it('writes 10,000 products once each although one request in five fails, and none the second time', async () => {
	await shop.platform.control.setFaults([BATCH_FAULTS]);
	const { items, error } = await shop.run('product.upsert', productItems(COUNT), INPUT_ITEM);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.title)).toEqual(
		productItems(COUNT).map(({ title }) => title),
	);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(COUNT);
	expect(await products()).toBe(COUNT);
	const { writesByIdempotencyKey } = await shop.platform.control.counters();
	expect(Object.values(writesByIdempotencyKey)).toEqual(Array<number>(100).fill(1));

	await shop.platform.control.setFaults([]);
	await shop.platform.control.resetCounters();
	const again = await shop.run('product.upsert', productItems(COUNT), {
		...INPUT_ITEM,
		options: { onlyIfChanged: true },
	});
	expect(again.items.every(({ json }) => json.skipped === true)).toBe(true);
	expect(await shop.requests()).toEqual({ 'GET /products': 40 });
}, 120_000);

it('writes each product once although n8n runs the node again and again (Retry On Fail)', async () => {
	await shop.platform.control.setFaults([BATCH_FAULTS, GIVEN_UP]);
	const { items, error } = await shop.run('product.upsert', productItems(COUNT), INPUT_ITEM, {
		executionId: 'execution-7',
		retryOnFail: { maxTries: 5 },
	});
	expect(error).toBeUndefined();
	const sent = await shop.platform.control.requests();
	expect(sent.filter(({ status }) => status === GIVEN_UP_STATUS)).toHaveLength(GIVEN_UP_TIMES);
	expect(items.map(({ json }) => json.title)).toEqual(
		productItems(COUNT).map(({ title }) => title),
	);
	expect(await products()).toBe(COUNT);
	const { writesByIdempotencyKey } = await shop.platform.control.counters();
	expect(Object.values(writesByIdempotencyKey)).toEqual(Array<number>(100).fill(1));
}, 120_000);
