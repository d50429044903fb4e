import { Report } from '../../../nodes/CommercePlatform/runner/report';
import { until } from '../../../platform/support/until';
import { INPUT_ITEM, productItems, SKU_AND_TITLE, useBulkShop } from './bulkShop';

const shop = useBulkShop({ products: 600 });

/** The progress that an operation reports, before the report drops any. */
async function progressOf(...given: Parameters<typeof shop.run>) {
	const said = jest.spyOn(Report.prototype, 'progress');
	await shop.run(...given);
	return said.mock.calls;
}

it('a long list reports its progress after each page', async () => {
	const calls = await progressOf('product.getAll', { returnAll: true });
	expect(calls).toEqual([250, 500, 600].map((read) => [read, undefined, 'records']));
});

it('a long run reports its progress after each item', async () => {
	const calls = await progressOf(
		'product.create',
		{ title: '={{ $json.title }}' },
		{ items: productItems(3) },
	);
	expect(calls).toEqual([1, 2, 3].map((done) => [done, 3, 'items']));
});

it('a batch reports its progress for all items, also for those that Only If Changed leaves out', async () => {
	await shop.upsert(productItems(8));
	const parameters = { ...INPUT_ITEM, options: { onlyIfChanged: true } };
	const calls = await progressOf('product.upsert', parameters, { items: productItems(10) });
	expect(calls.at(-1)).toEqual([10, 10, 'products']);
});

it('products that are sent one by one are counted as well', async () => {
	await shop.takesBatches(false);
	const calls = await progressOf('product.upsert', SKU_AND_TITLE, { items: productItems(2) });
	// The batch that was refused comes first.
	expect(calls).toEqual([
		[2, 2, 'products'],
		...[1, 2].map((done) => [done, 2, 'records looked up']),
		...[1, 2].map((done) => [done, 2, 'products']),
	]);
});

it('a stopped run says how many items were done, and so does the next run', async () => {
	const said = jest.spyOn(Report.prototype, 'cancelled');
	let stop = (): void => undefined;
	jest.spyOn(Report.prototype, 'progress').mockImplementationOnce(() => stop());
	await shop.control.setFaults([{ method: 'POST', script: ['ok', 'stall', 'stall'] }]);
	await shop.run(
		'product.create',
		{ title: '={{ $json.title }}' },
		{ items: productItems(3), onStart: ({ cancel }) => (stop = cancel) },
	);
	await until('the stopped run to end', 1_000, async () => said.mock.calls.length > 0);
	const progress =
		'1 of 3 items were done: 0. Items 1 to 2 may have been done as well: their answers were lost.';
	expect(said.mock.calls).toEqual([[progress]]);
	expect(await shop.count()).toBe(601);
	await shop.control.setFaults([]);
	const create = async () =>
		await shop.run('product.create', { title: '={{ $json.title }}' }, { items: productItems(2) });
	expect((await create()).hint).toContain(`The run before this was stopped. ${progress}`);
	expect((await create()).hint).not.toContain('stopped');
});
