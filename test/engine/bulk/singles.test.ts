import type { IDataObject } from 'n8n-workflow';

import type { DialectChange } from '../../platform';
import { runOperation } from '../../support/engine/runNode';
import { stubApi, type StubAnswer } from '../../support/engine/stubApi';
import { INPUT_ITEM, useBulkShop } from './bulkShop';

const SINGLE = { ifBatchNotAvailable: 'single' };
const EUR = (amount: number) => [{ amount, currency: 'EUR' }];

describe('variants of one product, sent one by one', () => {
	const shop = useBulkShop();
	const SKUS = ['S', 'M', 'L', 'XL', 'XXL'];

	beforeEach(async () => {
		await shop.takesBatches(false);
		const variantsJson = SKUS.map((sku) => ({ sku, title: sku, prices: EUR(1000) }));
		await shop.run('product.create', [{}], { title: 'Shirt', additionalFields: { variantsJson } });
	});

	const product = async () =>
		(await shop.all<IDataObject & { variants: IDataObject[] }>('product'))[0];

	it('keep every price, though each write sends all variants', async () => {
		await shop.platform.control.setFaults([{ fault: 'slow', ms: 30, method: 'PATCH' }]);
		await shop.upsert(
			SKUS.map((sku, n) => ({ sku, prices: EUR(2000 + n) })),
			SINGLE,
		);
		const { variants } = await product();
		expect(variants.map(({ prices }) => prices)).toEqual(SKUS.map((_, n) => EUR(2000 + n)));
	});

	it('stay where an item does not list them, and so do their prices in other currencies', async () => {
		const listed = { sku: 'S', variants: [{ sku: 'S', prices: EUR(2000) }] };
		const usd = { sku: 'S', prices: [{ amount: 1500, currency: 'usd' }] };
		await shop.upsert([listed, usd], SINGLE);
		const { variants } = await product();
		const prices = [...EUR(2000), { amount: 1500, currency: 'USD' }];
		expect(variants).toMatchObject(
			SKUS.map((sku) => ({ sku, title: sku, prices: sku === 'S' ? prices : EUR(1000) })),
		);
	});

	it('end with the last item, whichever SKU names the product', async () => {
		const items = Array.from({ length: 21 }, (_, n) => ({ sku: SKUS[n % 5], title: `Title ${n}` }));
		// The look-ups of some are slower than those of later items.
		const slow = { fault: 'slow' as const, ms: 40, method: 'GET', probability: 0.5 };
		await shop.platform.control.setFaults([slow]);
		const { json } = await shop.upsert(items, SINGLE);
		expect(json.map(({ title }) => title)).toEqual(items.map(({ title }) => title));
		expect((await product()).title).toBe('Title 20');
	});
});

describe('a product that is read before it is written', () => {
	/** With digits that a number would not hold. */
	const OTHER =
		'{"sku":"B","gtin":"12345678901234567890","weight":1.1,"prices":[{"amount":5,"currency":"USD"}]}';
	const PRODUCT = `{"data":{"id":"prod_1","variants":[{"sku":"A","title":"a","prices":[]},${OTHER}]}}`;
	const FOUND = [{ id: 'prod_1', sku: 'A', title: 'Shirt' }];

	/** On a platform without batches, whose list shows of products what `found` has. */
	async function upsert(item: IDataObject, read?: string, found: IDataObject[] = FOUND) {
		const answer: StubAnswer = [200, read, { etag: '"7"' }];
		const sent = stubApi({
			'POST /products/batch': [[501, {}]],
			'GET /products': [[200, { data: found }]],
			...(read !== undefined && { 'GET /products/prod_1': [answer] }),
			'PATCH *': [[204]],
		});
		const parameters = { ...INPUT_ITEM, options: SINGLE };
		const { error } = await runOperation('product.upsert', parameters, { items: [item] });
		return { error, patches: sent.filter(({ route }) => route.startsWith('PATCH')) };
	}

	it('keeps the variants that the list does not show, digit for digit', async () => {
		const { patches } = await upsert({ sku: 'A', title: 'New', prices: EUR(1999) }, PRODUCT);
		const own = '{"sku":"A","title":"a","prices":[{"amount":1999,"currency":"EUR"}]}';
		expect(patches.map(({ text }) => text)).toEqual([
			`{"title":"New","variants":[${own},${OTHER}]}`,
		]);
		expect(patches[0].headers['if-match']).toBe('"7"');
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
		const { error, patches } = await upsert({ sku: 'A', prices: EUR(1999) }, shown);
		expect(error?.message).toContain(`“Variants” ${message}`);
		expect(patches).toEqual([]);
	});

	it.each<[IDataObject[]]>([[[]], [FOUND]])(
		'is not written with variants and prices, of which one would be lost: %j',
		async (found) => {
			const both = { sku: 'A', prices: EUR(1), variants: [{ sku: 'A' }] };
			const { error } = await upsert(both, undefined, found);
			expect(error?.message).toBe('“Product” holds both “variants” and “prices”');
		},
	);

	it.each<[IDataObject, string]>([
		[{ variants: 'A' }, '“Product: variants” must be a list of objects'],
		[{ variants: [{ title: 'a' }] }, '“Variants: SKU” is empty'],
		[{ prices: [{ amount: 1 }] }, '“Variants: A: currency” is empty'],
		[{ prices: { amount: 1 } }, '“Variants: A: prices” must be a list of objects'],
	])('is not written with %j', async (fields, message) => {
		const { error, patches } = await upsert({ sku: 'A', ...fields }, PRODUCT);
		expect(error?.message).toContain(message);
		expect(patches).toEqual([]);
	});
});

describe('a product that could not be found again, or is not found for certain', () => {
	const COUNT = 1_500;
	const shop = useBulkShop({ products: COUNT });
	beforeEach(async () => await shop.takesBatches(false));

	it.each<[string, DialectChange, IDataObject, string]>([
		[
			'none of its variants has the SKU',
			'default',
			{ sku: 'SHIRT', title: 'Shirt', variants: [{ sku: 'M' }, { sku: 'L' }] },
			'“SKU” “SHIRT” is not the SKU of one of the product’s variants',
		],
		[
			'the search for its SKU was not read to its end',
			{ skuSearch: 'ignored' },
			{ sku: 'A', title: 'A' },
			'“SKU” “A” is not among the first products',
		],
	])('is not created: %s', async (_why, dialect, product, message) => {
		await shop.platform.control.configure({ dialect });
		const { error } = await shop.upsert([product], SINGLE);
		expect(error?.message).toContain(message);
		expect(await shop.count()).toBe(COUNT);
	});

	it('is found among those that have other SKUs', async () => {
		await shop.platform.control.configure({ dialect: { skuSearch: 'words' } });
		const [{ id, variants }] = await shop.all<{ id: string; variants: IDataObject[] }>('product');
		const { json } = await shop.upsert([{ sku: variants[0].sku, title: 'New' }], SINGLE);
		expect(json).toMatchObject([{ id, title: 'New' }]);
	});
});
