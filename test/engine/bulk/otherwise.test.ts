import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, stubApi } from '../../support/engine';

const product = (amount: number, more: IDataObject = {}) => ({
	id: 'prod_1',
	title: 'Shirt',
	variants: [{ sku: 'A', prices: [{ amount, currency: 'EUR' }] }],
	...more,
});

/** Writes to a shop with one product, which answers so. */
async function write(operation: string, data: IDataObject | undefined) {
	stubApi({
		'GET /products': [[200, { data: [product(500)] }]],
		'GET *': [[200, { data: product(500) }]],
		'PATCH *': [data === undefined ? [204] : [200, { data }]],
	});
	return await runOperation(operation, {
		...{ sku: 'A', amount: '11.00', currency: 'EUR' },
		...{ productId: byId('prod_1'), updateFields: { title: 'New', description: 'Soft' } },
	});
}

const OTHER_PRICES = 'answered some items with another price';
const NO_PRICES = { variants: [{ sku: 'A', prices: [] }] };
const OTHER_TITLE = 'shows other values than you entered: title.';

it.each<[string, string, IDataObject | undefined, string | undefined]>([
	['product.setPrices', 'another price', product(1200), OTHER_PRICES],
	['product.setPrices', 'prices without it', product(0, NO_PRICES), OTHER_PRICES],
	['product.setPrices', 'the price', product(1100), undefined],
	['product.setPrices', 'no price', { id: 'prod_1' }, undefined],
	['product.setPrices', 'nothing', undefined, undefined],
	['product.update', 'another title', product(500, { description: 'Soft' }), OTHER_TITLE],
	['product.update', 'its fields', product(500, { title: 'New', description: 'Soft' }), undefined],
	['product.update', 'none of its fields', { id: 'prod_1' }, undefined],
	['product.update', 'nothing', undefined, undefined],
])(
	'where the answer to %s shows %s, a hint tells only what is another: %j',
	async (operation, _what, data, said) => {
		const { error, json, hint } = await write(operation, data);
		expect(error).toBeUndefined();
		if (said === undefined) expect(hint).not.toMatch(/other (prices|values)/);
		else expect(hint).toContain(said);
		if (operation === 'product.update') return;
		const amount = said === undefined ? 1100 : data?.variants === NO_PRICES.variants ? null : 1200;
		expect(json).toMatchObject([amount === null ? { price: null } : { price_minor: amount }]);
		if (said !== undefined) expect(json).toMatchObject([{ written: 11, written_minor: 1100 }]);
		expect('written' in json[0]).toBe(said !== undefined);
	},
);

it('categories that the answer shows in another order are no other values', async () => {
	const categories = ['cat_2', 'cat_1'];
	stubApi({ 'PATCH *': [[200, { data: product(500, { categories }) }]] });
	const { hint } = await runOperation('product.update', {
		productId: byId('prod_1'),
		updateFields: { categories: ['cat_1', 'cat_2'] },
	});
	expect(hint).not.toContain('other values');
});

it('a variant’s price is compared with the price at the variant, not at its product', async () => {
	const prices = [{ amount: 1, currency: 'EUR' }];
	stubApi({
		'GET /products': [[200, { data: [{ ...product(2), prices }] }]],
		'POST /products/batch': [[200, { data: [{ sku: 'A', status: 'updated' }] }]],
	});
	const items = [{ sku: 'A', title: 'Shirt', prices }];
	const parameters = { specifyProduct: 'autoMapInputData', options: { onlyIfChanged: true } };
	const { json } = await runOperation('product.upsert', parameters, { items });
	expect(json).toEqual([{ sku: 'A', result: 'updated', written: true }]);
});
