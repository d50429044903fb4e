import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistakesOf, type Mistake } from './mistake';

const priced = (amount: string, currency: string): IDataObject => ({
	variants: { variant: [{ sku: 'A', title: '', prices: { price: [{ amount, currency }] } }] },
});

const created = (additionalFields: IDataObject, more: IDataObject = {}): IDataObject => ({
	title: 'Mug',
	additionalFields,
	...more,
});

const listed = (variantsJson: string): IDataObject => created({ variantsJson });

const MINOR = { amountsAreIn: 'minor' };

export const productMistakes: Mistake[] = [
	...mistakesOf(
		'product.create',
		{},
		{
			'no title': [{ title: '={{ "" }}' }, 'Title'],
			'a title of the wrong type': [{ title: '={{ ["a"] }}' }, 'Title'],
			'an unknown currency': [created(priced('1', 'EURO')), 'Currency'],
			'no currency': [created(priced('1', '')), 'Currency'],
			'a currency that is not known, in minor units': [
				created(priced('1', 'Euro'), MINOR),
				'Currency',
			],
			'no amount': [created(priced('', 'EUR')), 'Amount'],
			'decimals in minor units': [created(priced('19.99', 'EUR'), MINOR), 'Amount'],
			'a too precise amount': [created(priced('19.999', 'EUR')), 'Amount'],
			'decimals of a yen': [created(priced('1.5', 'JPY')), 'Amount'],
			'a comma': [created(priced('19,99', 'EUR')), 'Amount'],
			'an amount and another decimal beside it': [
				listed(
					'[{ "sku": "A", "prices": [{ "amount": 7990, "currency": "EUR", "decimal": 69.9 }] }]',
				),
				'variants[0].prices[0].decimal',
			],
			'malformed JSON': [listed('[{]'), 'Variants (JSON)'],
			'no JSON list': [listed('{}'), 'Variants (JSON)'],
			'variants twice': [
				created({ ...priced('1', 'EUR'), variantsJson: '[{ "sku": "A" }]' }),
				'Variants',
			],
			'a variant without a SKU': [
				listed('[{ "sku": "A" }, { "title": "M" }]'),
				'Variants (JSON) 2: SKU',
			],
			'categories of the wrong type': [created({ categories: '={{ [{ id: 1 }] }}' }), 'Category'],
			'an own key over two lines': [
				created({}, { options: { idempotencyKey: 'a\nb' } }),
				'Idempotency Key',
			],
			'prices that are no list': [
				listed('[{ "sku": "A", "prices": { "amount": 5, "currency": "EUR" } }]'),
				'Variants (JSON) 1: Prices',
			],
		},
	),
	...mistakesOf(
		'product.update',
		{ productId: byId('prod_1') },
		{
			nothing: [{ updateFields: {} }, 'Update Fields'],
			'only what is empty': [
				{ updateFields: { title: '', description: '', variants: {} } },
				'Update Fields',
			],
			'an unknown currency': [{ updateFields: priced('1', 'ABC') }, 'Currency'],
		},
	),
	...mistakesOf(
		'product.setPrices',
		{ sku: 'A', amount: '1', currency: 'EUR' },
		{
			'no SKU': [{ sku: '={{ "" }}' }, '“SKU” is empty'],
			'no amount': [{ amount: '={{ $json.none }}' }, '“Amount” is empty'],
			'a comma': [{ amount: '19,99' }, '“Amount” is not an amount'],
			'less than nothing': [{ amount: '-1' }, '“Amount” must not be less than 0'],
			'an unknown currency': [{ currency: 'XBT' }, '“Currency” is not a currency'],
			'decimals of a yen': [{ amount: '1.5', currency: 'JPY' }, '“Amount” is too precise'],
			'cents and decimals': [{ amount: '1.5', ...MINOR }, '“Amount (Minor Units)” must be'],
		},
	),
];
