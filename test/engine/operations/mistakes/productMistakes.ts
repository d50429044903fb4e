import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistake, type Mistake } from './mistake';

const price = (amount: unknown, currency: unknown) =>
	({
		variant: [{ sku: 'A', title: '', prices: { price: [{ amount, currency }] } }],
	}) as IDataObject;

const product = (fields: IDataObject, options: IDataObject = {}): IDataObject => ({
	title: 'Mug',
	additionalFields: fields,
	options,
});

const major = { amountsInMajorUnits: true };

export const productMistakes: Mistake[] = [
	mistake('product.create', 'no title', { title: '={{ "" }}' }, 'Title'),
	mistake('product.create', 'a title of the wrong type', { title: '={{ ["a"] }}' }, 'Title'),
	mistake(
		'product.create',
		'an unknown currency',
		product({ variants: price('1', 'EURO') }),
		'Currency',
	),
	mistake('product.create', 'no currency', product({ variants: price('1', '') }), 'Currency'),
	mistake('product.create', 'no amount', product({ variants: price('', 'EUR') }), 'Amount'),
	mistake(
		'product.create',
		'decimals in minor units',
		product({ variants: price('19.99', 'EUR') }),
		'Amount',
	),
	mistake(
		'product.create',
		'a too precise amount',
		product({ variants: price('19.999', 'EUR') }, major),
		'Amount',
	),
	mistake(
		'product.create',
		'decimals of a yen',
		product({ variants: price('1.5', 'JPY') }, major),
		'Amount',
	),
	mistake(
		'product.create',
		'a comma',
		product({ variants: price('19,99', 'EUR') }, major),
		'Amount',
	),
	mistake('product.create', 'malformed JSON', product({ variantsJson: '[{]' }), 'Variants (JSON)'),
	mistake('product.create', 'no JSON list', product({ variantsJson: '{}' }), 'Variants (JSON)'),
	mistake(
		'product.create',
		'variants twice',
		product({ variants: price('1', 'EUR'), variantsJson: '[{ "sku": "A" }]' }),
		'Variants',
	),
	mistake(
		'product.create',
		'a variant without a SKU',
		product({ variantsJson: '[{ "sku": "A" }, { "title": "M" }]' }),
		'Variants (JSON) 2: SKU',
	),
	mistake(
		'product.create',
		'categories of the wrong type',
		product({ categories: '={{ [{ id: 1 }] }}' }),
		'Category',
	),
	mistake(
		'product.create',
		'an own key over two lines',
		product({}, { idempotencyKey: 'a\nb' }),
		'Idempotency Key',
	),
	mistake(
		'product.create',
		'prices that are no list',
		product({ variantsJson: '[{ "sku": "A", "prices": { "amount": 5, "currency": "EUR" } }]' }),
		'Variants (JSON) 1: Prices',
	),
	mistake(
		'product.update',
		'nothing',
		{ productId: byId('prod_1'), updateFields: {} },
		'Update Fields',
	),
	mistake(
		'product.update',
		'only what is empty',
		{ productId: byId('prod_1'), updateFields: { title: '', description: '', variants: {} } },
		'Update Fields',
	),
	mistake(
		'product.update',
		'an unknown currency',
		{ productId: byId('prod_1'), updateFields: { variants: price('1', 'ABC') } },
		'Currency',
	),
];
