import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { useBulkShop } from './bulkShop';

const shop = useBulkShop({ products: 300 });
const PATCH = 'PATCH /products/{id}';

let products: Array<IDataObject & { title: string; variants: IDataObject[] }>;
let levels: IDataObject[];
// The shop is the same before each test.
beforeEach(async () => {
	products ??= await shop.all('product');
	levels ??= await shop.all('inventory');
});

const update = async (items: IDataObject[], options: IDataObject = {}, more: IDataObject = {}) =>
	await shop.run(
		'product.update',
		{
			productId: byId('={{ $json.id }}'),
			updateFields: { title: '={{ $json.title }}' },
			options,
			...more,
		},
		{ items },
	);
const set = async (items: IDataObject[], options: IDataObject = {}) =>
	await shop.run(
		'inventory.set',
		{
			sku: '={{ $json.sku }}',
			locationId: '={{ $json.location_id }}',
			quantity: '={{ $json.quantity }}',
			options,
		},
		{ items },
	);
const ONLY_IF_CHANGED = { onlyIfChanged: true };
const renamed = () => products.map(({ id }) => ({ id, title: 'New' }));

describe('Only If Changed', () => {
	it('updates only the products that differ, after one walk through the list', async () => {
		const items = products.map(({ id, title }, n) => ({ id, title: n === 7 ? 'Other' : title }));
		const { json } = await update(items as IDataObject[], ONLY_IF_CHANGED);
		expect(await shop.requests()).toEqual({ 'GET /products': 2, [PATCH]: 1 });
		expect(json.map(({ skipped }) => skipped ?? false)).toEqual(items.map((_, n) => n !== 7));
		expect(json.map(({ id }) => id)).toEqual(products.map(({ id }) => id));
	});

	it.each(['true', 1, 'yes'])(
		'counts if an expression gives it as %j, as does a dry run',
		async (on) => {
			const [level] = levels;
			const { json } = await set([{ ...level, on }], { onlyIfChanged: '={{ $json.on }}' });
			expect(json).toMatchObject([{ ...level, skipped: true }]);
			await update([{ ...products[0], on }], { onlyIfChanged: '={{ $json.on }}' });
			const shown = await set([{ ...level, quantity: 4711, on }], { dryRun: '={{ $json.on }}' });
			expect(shown.json).toMatchObject([
				{ old: level.quantity, new: 4711, result: 'would change' },
			]);
			expect(await shop.requests()).toEqual({
				'GET /inventory/levels': 2,
				'GET /products/{id}': 1,
			});
		},
	);

	it('gets few products one by one, by ID or by handle', async () => {
		await update([products[0]], ONLY_IF_CHANGED);
		const byHandle = { productId: byMode('handle', '={{ $json.handle }}') };
		await update([products[1]], ONLY_IF_CHANGED, byHandle);
		expect(await shop.requests()).toEqual({ 'GET /products/{id}': 1, 'GET /products': 1 });
	});

	it('sets only the stock levels that differ', async () => {
		const items = levels.map((level, n) => (n === 3 ? { ...level, quantity: 4711 } : level));
		const { json } = await set(items, ONLY_IF_CHANGED);
		const reads = Math.ceil(levels.length / 250);
		const counts = { 'GET /inventory/levels': reads, 'PUT /inventory/levels': 1 };
		expect(await shop.requests()).toEqual(counts);
		expect(json.map(({ skipped }) => skipped ?? false)).toEqual(items.map((_, n) => n !== 3));
	});

	it('sends nothing if an item cannot be read', async () => {
		const { error } = await set([...levels, { ...levels[0], quantity: 'many' }], ONLY_IF_CHANGED);
		expect(error?.message).toContain("'Quantity'");
		expect(await shop.requests()).toEqual({});
	});
});

describe('Dry Run of writes that go one by one', () => {
	const DRY = { dryRun: true };

	it('shows what each item would change, and the cost of all', async () => {
		const items = renamed().slice(0, 5) as IDataObject[];
		items[1].title = products[1].title;
		const { items: output, hint } = await update(items, DRY);
		expect(await shop.requests()).toEqual({ 'GET /products/{id}': 5 });
		const { id, title, variants } = products[4];
		const sku = variants.map((one) => one.sku).join(', ');
		const about = { dryRun: true, id, sku, title, result: 'would change', field: 'title' };
		const json = { ...about, old: title, new: 'New' };
		expect(output[4]).toEqual({ json, pairedItem: { item: 4 } });
		expect(output[1].json).toMatchObject({ result: 'no change' });
		expect(hint).toContain('Dry run: nothing was written. It would be 5 requests');
	});
});

describe('a long run', () => {
	it('says at its end what it cost, what is left of the day, and a cheaper way', async () => {
		const { hint } = await update(renamed() as IDataObject[]);
		expect(hint).toContain('This run sent 300 requests. 9,999,');
		expect(hint).toContain('Create or Update sends up to 100 products in one request');
	});

	it('says nothing if it was short', async () =>
		expect((await update(products.slice(0, 5))).hints).toEqual([]));
});
