import type { IDataObject } from 'n8n-workflow';

import {
	onlyPage,
	runOperation,
	type StubAnswer,
	stubApi,
	type StubRequest,
	writesIn,
} from '../../support/engine';
import { CONTINUE } from './bulkShop';

/** Rows as exports of shops and spreadsheets write them. */

const operationsOf = ({ body }: StubRequest) => (body as { operations: IDataObject[] }).operations;

const created = (request: StubRequest): StubAnswer => [
	200,
	{ data: operationsOf(request).map(({ sku }) => ({ sku, status: 'created' })) },
];

/** Writes rows to a shop with these products. @returns the operations that were sent, and the run */
async function write(items: IDataObject[], products: IDataObject[] = [], more: IDataObject = {}) {
	const hasSku = (product: IDataObject, sku: string) =>
		(product.variants as IDataObject[]).some((variant) => variant.sku === sku);
	const sent = stubApi({
		'GET *': ({ query }) =>
			onlyPage(products.filter((one) => query.sku === undefined || hasSku(one, query.sku))),
		'POST *': created,
	});
	const parameters = { specifyProduct: 'autoMapInputData', currency: 'EUR', ...more };
	const run = await runOperation('product.upsert', parameters, { items, ...CONTINUE });
	return { ...run, operations: writesIn(sent).flatMap(operationsOf) };
}

it('a blank price is no price, whatever the column Amount counts', async () => {
	const { operations, hint } = await write([
		{ SKU: 'A', Title: 'Mug', Price: '', Amount: '12' },
		{ SKU: 'B', Title: 'Cup', Price: '9.90', Amount: '7' },
	]);
	const prices = [{ amount: 990, currency: 'EUR' }];
	expect(operations).toEqual([
		{ op: 'upsert', sku: 'A', title: 'Mug' },
		{ op: 'upsert', sku: 'B', title: 'Cup', variants: [{ sku: 'B', prices }] },
	]);
	expect(hint).toContain('“Amount”');
});

it('a discount in percent is no price', async () => {
	const { operations } = await write([{ sku: 'A', title: 'Mug', 'Price %': '20' }]);
	expect(operations).toEqual([{ op: 'upsert', sku: 'A', title: 'Mug' }]);
});

it('a price in one currency beside another is refused', async () => {
	const row = { title: 'Mug', price: '10.00 EUR' };
	const { operations, failures } = await write([
		{ ...row, sku: 'A', currency: 'USD' },
		{ ...row, sku: 'B', currency: ' eur' },
	]);
	expect(operations).toMatchObject([{ sku: 'B' }]);
	expect(failures[0]?.message).toContain('10.00 EUR');
});

it.each([
	["'-100", '-100'],
	["'+49-A", '+49-A'],
	["'=B2", '=B2'],
	['="00123"', '00123'],
	['TEE-S\u200b', 'TEE-S'],
])('the cell %j names the product %s, and makes no second one', async (cell, sku) => {
	const product = { id: 'prod_1', title: 'Tee', variants: [{ sku, title: 'S', prices: [] }] };
	const { operations } = await write([{ SKU: cell, Title: 'Tee', Price: '9.90' }], [product]);
	expect(operations).toMatchObject([{ sku, variants: [{ sku, title: 'S' }] }]);
});

it('a title that WooCommerce keeps from being a formula loses its apostrophe', async () => {
	const { operations } = await write([{ SKU: 'A', Name: "'+1 Pillow", 'Regular price': '9.90' }]);
	expect(operations).toMatchObject([{ title: '+1 Pillow' }]);
});

describe('a WooCommerce export whose parents have no SKU', () => {
	const sizes = ['S', 'M'];
	const parent = { ID: '10', Type: 'variable', SKU: '', Name: 'T-Shirt', Parent: '' };
	const variations = sizes.map((size, n) => ({
		...{ ID: `${11 + n}`, Type: 'variation', SKU: `TS-${size}`, Name: `T-Shirt - ${size}` },
		...{ Parent: 'id:10', 'Regular price': '19.90' },
	}));
	const variants = sizes.map((size) => ({ sku: `TS-${size}`, title: size, prices: [] }));
	const product = { id: 'prod_1', title: 'T-Shirt', variants };

	it('is one product, with the title of the parent', async () => {
		const rows = [{ ...parent, 'Regular price': '' }, ...variations];
		const { operations, failures } = await write(rows, [], { productPer: 'handle' });
		expect(failures.filter(Boolean)).toEqual([]);
		const titles = sizes.map((size) => ({ sku: `TS-${size}`, title: `T-Shirt - ${size}` }));
		expect(operations).toMatchObject([{ sku: 'TS-S', title: 'T-Shirt', variants: titles }]);
	});

	it('fails where nothing would find the product again', async () => {
		const rows = [{ ...parent, 'Regular price': '10.00' }];
		const { operations, failures } = await write(rows, [], { productPer: 'handle' });
		expect(operations).toEqual([]);
		expect(failures[0]?.message).toContain('handle');
	});

	it('does not rename the product if the parent is missing', async () => {
		const { operations } = await write(variations, [product], { productPer: 'handle' });
		expect(operations).toHaveLength(1);
		expect(operations[0]).not.toHaveProperty('title');
	});
});

it('rows that rename a product with further SKUs are told of', async () => {
	const variants = ['S', 'M'].map((size) => ({ sku: `TEE-${size}`, title: size, prices: [] }));
	const shop = [{ id: 'prod_1', title: 'Tee', status: 'published', variants }];
	for (const dryRun of [false, true]) {
		const row = { sku: 'TEE-S', status: 'draft', title: 'Tee' };
		const some = await write([row], shop, { options: { dryRun } });
		expect(some.hint).toContain('since they are of the same product: row 1.');
	}
	const rows = ['S', 'M'].map((size) => ({ sku: `TEE-${size}`, status: 'draft', title: 'Tee' }));
	const all = await write(rows, shop);
	const same = await write([{ sku: 'TEE-S', title: 'Tee', price: '9.90' }], shop);
	expect([all.hint, same.hint].join()).not.toContain('no row names');
});

it('a title that a sheet has made TRUE is refused', async () => {
	const { failures, operations } = await write([{ sku: 'A', title: true }]);
	expect(operations).toEqual([]);
	expect(failures[0]?.message).toContain('title');
});

it('an empty SKU is not explained by capitals, which do not matter', async () => {
	const { failures } = await write([{ SKU: '', Title: 'Mug' }]);
	expect(failures[0]?.message).toContain('is empty');
	expect(JSON.stringify(failures[0])).not.toContain('capitals');
});

it('a name keeps the characters without a width within it', async () => {
	const { operations } = await write([{ sku: 'S\u200c1', handle: ' a\u200cb\u200b', title: 'x' }]);
	expect(operations).toMatchObject([{ sku: 'S\u200c1', handle: 'a\u200cb' }]);
});

it('a feed with a further column Parent keeps the title of its product', async () => {
	const row = { item_group_id: 'vest', Parent: 'Clothes', title: 'Vest', price: '19.00 EUR' };
	const rows = [1, 2].map((n) => ({ ...row, id: `V-${n}`, currency: '€' }));
	const { operations } = await write(rows, [], { productPer: 'handle' });
	expect(operations).toMatchObject([{ title: 'Vest', variants: [{ sku: 'V-1' }, { sku: 'V-2' }] }]);
});

it('a product that the platform refused is told of as no change', async () => {
	const variants = ['S', 'M'].map((size) => ({ sku: `TEE-${size}`, title: size, prices: [] }));
	stubApi({
		'GET *': [onlyPage([{ id: 'prod_1', title: 'Tee', status: 'published', variants }])],
		'POST *': [[200, { data: [{ sku: 'TEE-S', status: 422, error: 'No' }] }]],
	});
	const parameters = { specifyProduct: 'autoMapInputData' };
	const items = [{ sku: 'TEE-S', status: 'draft' }];
	const { hint } = await runOperation('product.upsert', parameters, { items, ...CONTINUE });
	expect(String(hint)).not.toContain('no row names');
});
