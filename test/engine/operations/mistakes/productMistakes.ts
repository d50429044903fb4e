import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../../support/parameters';
import { mistakesOf, rowsOf, type Mistake } from './mistake';

const priced = (amount: string, currency: string): IDataObject => ({
	variants: { variant: [{ sku: 'A', title: '', prices: { price: [{ amount, currency }] } }] },
});

const TWO_PRICES = {
	variants: {
		variant: ['EUR', 'eur'].map((currency) => ({
			sku: 'A',
			prices: { price: [{ amount: '1', currency }] },
		})),
	},
};

const created = (additionalFields: IDataObject, more: IDataObject = {}): IDataObject => ({
	title: 'Mug',
	additionalFields,
	...more,
});

const listed = (variantsJson: string): IDataObject => created({ variantsJson });

const MINOR = { amountsAreIn: 'minor' };
const PRICE = { sku: 'A', amount: '1', currency: 'EUR' };

/** What is no whole number of the smallest unit, which is what the API takes. */
const AMBIGUOUS = [19.99, '19.99', '20.00', '20,00', '1.000', '1e3', null, true, '', 'masked'];

export const productMistakes: Mistake[] = [
	...AMBIGUOUS.flatMap((amount) => {
		const refused = (operations: string, entered: IDataObject, names: string) =>
			mistakesOf(operations, entered, { [`the amount ${JSON.stringify(amount)}`]: [{}, names] });
		const variants = [{ sku: 'A', prices: [{ amount, currency: 'EUR' }] }];
		const productJson = JSON.stringify({ sku: 'A', variants });
		const product = { specifyProduct: 'json', productJson };
		const price = { ...PRICE, ...MINOR, amount: `={{ ${JSON.stringify(amount)} }}` };
		const otherFieldsJson = JSON.stringify({ fee: { amount, currency: 'EUR' } });
		const order = { orderId: byId('ord_1'), updateFields: { otherFieldsJson } };
		return [
			...refused('product.upsert product.importCatalog', product, 'amount'),
			...refused('product.create', listed(JSON.stringify(variants)), 'Variants (JSON)'),
			...refused('product.setPrices', price, 'Amount'),
			...refused('order.update', order, 'amount'),
		];
	}),
	...mistakesOf(
		'product.create',
		{},
		{
			'no title': [{ title: '={{ "" }}' }, 'Title'],
			'an unknown currency': [created(priced('1', 'EURO')), 'Currency'],
			'no currency': [created(priced('1', '')), 'Currency'],
			'a currency that is not known, in minor units': [
				created(priced('1', 'Euro'), MINOR),
				'Currency',
			],
			'no amount': [created(priced('', 'EUR')), 'Amount'],
			'decimals in minor units': [created(priced('19.99', 'EUR'), MINOR), 'Amount'],
			'decimals of a yen': [created(priced('1.5', 'JPY')), 'Amount'],
			'an amount and another decimal beside it': [
				listed(
					'[{ "sku": "A", "prices": [{ "amount": 7990, "currency": "EUR", "decimal": 69.9 }] }]',
				),
				'variants[0].prices[0].decimal',
			],
			'no JSON list': [listed('{}'), 'Variants (JSON)'],
			'variants twice': [
				created({ ...priced('1', 'EUR'), variantsJson: '[{ "sku": "A" }]' }),
				'Variants',
			],
			'a variant without a SKU': [
				listed('[{ "sku": "A" }, { "title": "M" }]'),
				'Variants (JSON) 2: SKU',
			],
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
			...rowsOf<IDataObject>(
				[{}, { options: { onlyIfChanged: true } }, { productId: byMode('handle', 'shirt') }],
				(more) => ({
					[`two prices in one currency, with ${JSON.stringify(more)}`]: [
						{ updateFields: TWO_PRICES, ...more },
						'“Variants: A” has two prices in EUR',
					],
				}),
			),
		},
	),
	...mistakesOf('product.setPrices', PRICE, {
		'no SKU': [{ sku: '={{ "" }}' }, '“SKU” is empty'],
		'no amount': [{ amount: '={{ $json.none }}' }, '“Amount” is empty'],
		'less than nothing': [{ amount: '-1' }, '“Amount” must not be less than 0'],
		'an unknown currency': [{ currency: 'XBT' }, '“Currency” is not a currency'],
		'decimals of a yen': [{ amount: '1.5', currency: 'JPY' }, '“Amount” is too precise'],
		'cents and decimals': [{ amount: '1.5', ...MINOR }, '“Amount (Minor Units)” must be'],
	}),
];
