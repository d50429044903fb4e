import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';
import { INPUT_ITEM, openBulkShop, type BulkShop } from './bulkShop';

const SINGLE = { ...INPUT_ITEM, options: { ifBatchNotAvailable: 'single' } };
const EUR = (amount: number) => [{ amount, currency: 'EUR' }];

describe('variants of one product, sent one by one', () => {
	let shop: BulkShop;
	beforeAll(async () => {
		shop = await openBulkShop();
	});
	beforeEach(async () => {
		await shop.reset();
		await shop.platform.control.configure({ inDevelopment: { batch: false } });
		await shop.run('product.create', [{}], {
			title: 'Shirt',
			additionalFields: {
				variantsJson: skus.map((sku) => ({ sku, title: sku, prices: EUR(1000) })),
			},
		});
	});
	afterAll(async () => await shop.close());

	const skus = ['S', 'M', 'L', 'XL', 'XXL'];

	async function variantsNow(): Promise<IDataObject[]> {
		const { items } = await shop.run('product.getAll', [{}], { simplify: false });
		const [{ variants }] = items.map(({ json }) => json as { variants: IDataObject[] });
		return variants;
	}

	async function pricesNow(): Promise<unknown[]> {
		return (await variantsNow()).map(({ prices }) => (prices as IDataObject[])[0].amount);
	}

	it('keep every price, though each write sends all variants', async () => {
		await shop.platform.control.setFaults([{ fault: 'slow', ms: 30, method: 'PATCH' }]);
		const items = skus.map((sku, n) => ({ sku, prices: EUR(2000 + n) }));
		const { error } = await shop.run('product.upsert', items, SINGLE);
		expect(error).toBeUndefined();
		expect(await pricesNow()).toEqual([2000, 2001, 2002, 2003, 2004]);
	});

	it('stay where an item does not list them, and so do their prices in other currencies', async () => {
		const listed = { sku: 'S', variants: [{ sku: 'S', prices: EUR(2000) }] };
		const usd = { sku: 'S', prices: [{ amount: 1500, currency: 'usd' }] };
		const { error } = await shop.run('product.upsert', [listed, usd], SINGLE);
		expect(error).toBeUndefined();
		const variants = await variantsNow();
		expect(variants.map(({ sku, title }) => [sku, title])).toEqual(skus.map((sku) => [sku, sku]));
		expect(variants.map(({ prices }) => prices)).toEqual([
			[...EUR(2000), { amount: 1500, currency: 'USD' }],
			...skus.slice(1).map(() => EUR(1000)),
		]);
	});

	it('end with the last item, whichever SKU names the product', async () => {
		const items = Array.from({ length: 21 }, (_, n) => ({
			sku: skus[n % skus.length],
			title: `Title ${n}`,
		}));
		// The look-ups of some are slower than those of later items.
		await shop.platform.control.setFaults([
			{ fault: 'slow', ms: 40, method: 'GET', probability: 0.5 },
		]);
		const { items: output, error } = await shop.run('product.upsert', items, SINGLE);
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.title)).toEqual(items.map(({ title }) => title));
		const { items: now } = await shop.run('product.getAll', [{}], { simplify: false });
		expect(now[0].json.title).toBe('Title 20');
	});
});

describe('a product that is read before it is written', () => {
	/** With digits that a number would not hold. */
	const OTHER =
		'{"sku":"B","gtin":"12345678901234567890","weight":1.1,"prices":[{"amount":5,"currency":"USD"}]}';
	const PRODUCT = `{"data":{"id":"prod_1","variants":[{"sku":"A","title":"a","prices":[]},${OTHER}]}}`;

	afterEach(() => {
		expect(nock.pendingMocks()).toEqual([]);
		nock.cleanAll();
	});
	afterAll(() => nock.restore());

	/** A platform without batches, whose list shows of products what `found` has. */
	function serve(found: IDataObject[], reads: string[]): void {
		nock(BASE_URL).post('/products/batch').reply(501, {});
		nock(BASE_URL).get('/products').query(true).reply(200, { data: found });
		for (const body of reads)
			nock(BASE_URL).get('/products/prod_1').reply(200, body, { etag: '"7"' });
	}

	const upsert = async (product: IDataObject) =>
		await runNode({
			parameters: { resource: 'product', operation: 'upsert', ...SINGLE },
			items: [product],
		});

	it('keeps the variants that the list does not show, digit for digit', async () => {
		serve([{ id: 'prod_1', sku: 'A', title: 'Shirt' }], [PRODUCT]);
		const sent: string[] = [];
		nock(BASE_URL, { reqheaders: { 'if-match': '"7"' } })
			.patch('/products/prod_1', (_body) => true)
			.reply(function () {
				const { requestBodyBuffers = [] } = this.req as unknown as {
					requestBodyBuffers?: Buffer[];
				};
				sent.push(Buffer.concat(requestBodyBuffers).toString());
				return [204];
			});
		const { error } = await upsert({ sku: 'A', title: 'New', prices: EUR(1999) });
		expect(error).toBeUndefined();
		const own = '{"sku":"A","title":"a","prices":[{"amount":1999,"currency":"EUR"}]}';
		expect(sent).toEqual([`{"title":"New","variants":[${own},${OTHER}]}`]);
	});

	it.each([
		['{"data":{"id":"prod_1"}}', 'cannot be merged'],
		[PRODUCT.replace('"A"', '"C"'), 'names the SKU “A”, which the product does not have'],
		[PRODUCT.replace('"B"', '"A"'), 'cannot be merged'],
		[
			PRODUCT.replace('1.1', '12345678901234567890'),
			'cannot be merged: “prod_1” holds 12345678901234567890',
		],
	])('is not written where it does not show the one variant: %s', async (shown, message) => {
		serve([{ id: 'prod_1', sku: 'A' }], [shown]);
		const { error } = await upsert({ sku: 'A', prices: EUR(1999) });
		expect(error?.message).toContain(`“Variants” ${message}`);
	});

	it.each([[[]], [[{ id: 'prod_1', sku: 'A' }]]])(
		'is not written with variants and prices, of which one would be lost: %j',
		async (found) => {
			serve(found, []);
			const { error } = await upsert({ sku: 'A', prices: EUR(1), variants: [{ sku: 'A' }] });
			expect(error?.message).toBe('“Product” holds both “variants” and “prices”');
		},
	);

	it.each<[IDataObject, string]>([
		[{ variants: 'A' }, '“Product: variants” must be a list of objects'],
		[{ variants: [{ title: 'a' }] }, '“Product: variants 1: sku” is empty'],
		[{ prices: [{ amount: 1 }] }, '“Product: variants 1: currency” is empty'],
		[{ prices: { amount: 1 } }, '“Product: variants 1: prices” must be a list of objects'],
	])('is not written with %j', async (fields, message) => {
		serve([{ id: 'prod_1', sku: 'A' }], []);
		const { error } = await upsert({ sku: 'A', ...fields });
		expect(error?.message).toContain(message);
	});
});

describe('a product that could not be found again, or is not found for certain', () => {
	const SHIRT = { sku: 'SHIRT', title: 'Shirt', variants: [{ sku: 'M' }, { sku: 'L' }] };
	let shop: BulkShop;
	beforeAll(async () => {
		shop = await openBulkShop({ products: 1_500 });
		await shop.platform.control.configure({ inDevelopment: { batch: false } });
	});
	afterAll(async () => await shop.close());

	const isNotCreated = async (product: IDataObject, message: string) => {
		const { error } = await shop.run('product.upsert', [product], SINGLE);
		expect(error?.message).toContain(message);
		expect((await shop.platform.control.records('products')).count).toBe(1_500);
	};

	it('is not created: none of its variants has the SKU', async () => {
		await isNotCreated(SHIRT, '“SKU” “SHIRT” is not the SKU of one of the product’s variants');
	});

	it('is not created: the search for its SKU was not read to its end', async () => {
		await shop.platform.control.configure({ dialect: { skuSearch: 'ignored' } });
		await isNotCreated({ sku: 'A', title: 'A' }, '“SKU” “A” is not among the first products');
	});

	it('is found among those that have other SKUs', async () => {
		await shop.platform.control.configure({ dialect: { skuSearch: 'words' } });
		const { items } = await shop.run('product.getAll', [{}], { limit: 1, simplify: false });
		const [{ sku }] = items[0].json.variants as IDataObject[];
		const { error, items: written } = await shop.run(
			'product.upsert',
			[{ sku, title: 'New' }],
			SINGLE,
		);
		expect(error).toBeUndefined();
		expect(written[0].json).toMatchObject({ id: items[0].json.id, title: 'New' });
	});
});
