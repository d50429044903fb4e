import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistake, type Mistake } from './mistake';

const price = (amount: unknown, currency: unknown) =>
	({
		variant: [{ sku: 'A', title: '', prices: { price: [{ amount, currency }] } }],
	}) as IDataObject;

const product = (additionalFields: IDataObject, more: IDataObject = {}): IDataObject => ({
	title: 'Mug',
	additionalFields,
	...more,
});

const minor = { amountsAreIn: 'minor' };

const setPrices = (what: string, parameters: IDataObject, names: string): Mistake =>
	mistake(
		'product.setPrices',
		what,
		{ sku: 'A', amount: '1', currency: 'EUR', ...parameters },
		names,
	);

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
		product({ variants: price('19.99', 'EUR') }, minor),
		'Amount',
	),
	mistake(
		'product.create',
		'a too precise amount',
		product({ variants: price('19.999', 'EUR') }),
		'Amount',
	),
	mistake(
		'product.create',
		'decimals of a yen',
		product({ variants: price('1.5', 'JPY') }),
		'Amount',
	),
	mistake('product.create', 'a comma', product({ variants: price('19,99', 'EUR') }), 'Amount'),
	mistake(
		'product.create',
		'a currency that is not known, in minor units',
		product({ variants: price('1', 'Euro') }, minor),
		'Currency',
	),
	mistake(
		'product.create',
		'an amount and another decimal beside it',
		product({
			variantsJson:
				'[{ "sku": "A", "prices": [{ "amount": 7990, "currency": "EUR", "decimal": 69.9 }] }]',
		}),
		'variants[0].prices[0].decimal',
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
		product({}, { options: { idempotencyKey: 'a\nb' } }),
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
	setPrices('no SKU', { sku: '={{ "" }}' }, '“SKU” is empty'),
	setPrices('no amount', { amount: '={{ $json.none }}' }, '“Amount” is empty'),
	setPrices('a comma', { amount: '19,99' }, '“Amount” is not an amount'),
	setPrices('less than nothing', { amount: '-1' }, '“Amount” must not be less than 0'),
	setPrices('an unknown currency', { currency: 'XBT' }, '“Currency” is not a currency'),
	setPrices('decimals of a yen', { amount: '1.5', currency: 'JPY' }, '“Amount” is too precise'),
	setPrices('cents and decimals', { amount: '1.5', ...minor }, '“Amount (Minor Units)” must be'),
];
