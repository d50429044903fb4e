import { Report } from '../../../nodes/CommercePlatform/run/report';
import { INPUT_ITEM, openBulkShop, productItems, type BulkShop } from './bulkShop';

let shop: BulkShop;
beforeAll(async () => {
	shop = await openBulkShop({ products: 600 });
});
beforeEach(async () => await shop.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await shop.close());

/** What an operation says of its progress; the report itself chooses what it passes on. */
async function progressOf(run: () => Promise<unknown>) {
	const said = jest.spyOn(Report.prototype, 'progress');
	await run();
	return said.mock.calls;
}

describe('a long run says how far it is', () => {
	it('after each page of a list', async () => {
		const walk = async () => await shop.run('product.getAll', [{}], { returnAll: true, simplify: false });
		expect(await progressOf(walk)).toEqual(
			[250, 500, 600].map((read) => [read, undefined, 'records']),
		);
	});

	it('after each of several items', async () => {
		const items = [1, 2, 3].map((n) => ({ title: `Product ${n}` }));
		const create = async () =>
			await shop.run('product.create', items, { title: '={{ $json.title }}' });
		expect(await progressOf(create)).toEqual([1, 2, 3].map((done) => [done, 3, 'items']));
	});

	it('of all items, also of those that Only If Changed leaves out', async () => {
		await shop.run('product.upsert', productItems(8), INPUT_ITEM);
		const items = productItems(10);
		const options = { onlyIfChanged: true };
		const upsert = async () => await shop.run('product.upsert', items, { ...INPUT_ITEM, options });
		expect((await progressOf(upsert)).at(-1)).toEqual([10, 10, 'products']);
	});
});
