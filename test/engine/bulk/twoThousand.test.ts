import { BATCH_FAULTS } from '../../support/batchFaults';
import { productItems, useBulkShop } from './bulkShop';

const COUNT = 2_000;
const ITEMS = productItems(COUNT);

const shop = useBulkShop();

it('writes 2,000 products once each although one request in five fails, and none the second time', async () => {
	await shop.control.setFaults([BATCH_FAULTS]);
	const { json } = await shop.upsert(ITEMS);
	expect(json.map(({ title }) => title)).toEqual(ITEMS.map(({ title }) => title));
	expect(new Set(json.map(({ id }) => id)).size).toBe(COUNT);
	expect(await shop.count()).toBe(COUNT);
	const { writesByIdempotencyKey } = await shop.control.counters();
	expect(Object.values(writesByIdempotencyKey)).toEqual(Array<number>(20).fill(1));
	await shop.control.setFaults([]);
	await shop.control.resetCounters();
	const again = await shop.upsert(ITEMS, { onlyIfChanged: true });
	expect(again.json.every(({ skipped }) => skipped === true)).toBe(true);
	expect(await shop.requests()).toEqual({ 'GET /products': 8 });
}, 60_000);
