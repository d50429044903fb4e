import { BATCH_FAULTS, GIVEN_UP, GIVEN_UP_STATUS, GIVEN_UP_TIMES } from '../../support/batchFaults';
import { CONTINUE, productItems, useBulkShop } from './bulkShop';

const COUNT = 10_000;
const ITEMS = productItems(COUNT);
const TITLES = ITEMS.map(({ title }) => title);

const shop = useBulkShop();

const expectEachOnce = async () => {
	expect(await shop.count()).toBe(COUNT);
	const { writesByIdempotencyKey } = await shop.platform.control.counters();
	expect(Object.values(writesByIdempotencyKey)).toEqual(Array<number>(100).fill(1));
};

it('writes 10,000 products by 100 requests, and fails exactly the bad ones', async () => {
	// Three in a hundred have no title, so they cannot be created.
	const items = ITEMS.map((item, n) => (n % 100 < 3 ? { sku: item.sku } : item));
	const { items: output } = await shop.upsert(items, {}, CONTINUE);
	expect(await shop.requests()).toEqual({ 'POST /products/batch': 100 });
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	expect(output.map(({ json }) => 'error' in json)).toEqual(items.map((_, n) => n % 100 < 3));
	expect(await shop.count()).toBe(9_700);
}, 120_000);

it('writes 10,000 products once each although one request in five fails, and none the second time', async () => {
	await shop.platform.control.setFaults([BATCH_FAULTS]);
	const { json } = await shop.upsert(ITEMS);
	expect(json.map(({ title }) => title)).toEqual(TITLES);
	expect(new Set(json.map(({ id }) => id)).size).toBe(COUNT);
	await expectEachOnce();
	await shop.platform.control.setFaults([]);
	await shop.platform.control.resetCounters();
	const again = await shop.upsert(ITEMS, { onlyIfChanged: true });
	expect(again.json.every(({ skipped }) => skipped === true)).toBe(true);
	expect(await shop.requests()).toEqual({ 'GET /products': 40 });
}, 120_000);

it('writes each product once although n8n runs the node again and again (Retry On Fail)', async () => {
	await shop.platform.control.setFaults([BATCH_FAULTS, GIVEN_UP]);
	const more = { executionId: 'execution-7', retryOnFail: { maxTries: 5 } };
	const { json } = await shop.upsert(ITEMS, {}, more);
	expect(json.map(({ title }) => title)).toEqual(TITLES);
	const sent = await shop.platform.control.requests();
	expect(sent.filter(({ status }) => status === GIVEN_UP_STATUS)).toHaveLength(GIVEN_UP_TIMES);
	await expectEachOnce();
}, 120_000);
