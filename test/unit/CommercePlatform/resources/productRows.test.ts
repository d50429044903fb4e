import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	productOfRows,
	rowWithVariant,
} from '../../../../nodes/CommercePlatform/products/productRows';
import { InputError } from '../../../../nodes/shared/rest/errors';

const rowOf = (columns: IDataObject) => rowWithVariant('Input Item', columns, 'major');
const productOf = (...rows: IDataObject[]) =>
	productOfRows(rows.map((columns, index) => ({ row: index + 2, product: rowOf(columns) })));

/** The sentences that refuse an input: what is wrong, and what to do. */
function refusal(read: () => unknown): string {
	try {
		read();
	} catch (error) {
		if (error instanceof InputError) return `${error.message}. ${error.description}`;
		throw error;
	}
	return 'not refused';
}

describe('a row that is a variant', () => {
	it.each<[string, IDataObject, IDataObject]>([
		['of Shopify', { 'Variant SKU': 'S-M', 'Variant Barcode': '1' }, { sku: 'S-M', barcode: '1' }],
		['with short names', { sku: 'S-M', variant_title: 'M' }, { sku: 'S-M', title: 'M' }],
		['with options', { sku: 'S-M', 'Option1 Value': 'M' }, { sku: 'S-M', 'Option1 Value': 'M' }],
		[
			'written in other ways',
			{ ' SKU ': 'S-M', 'VARIANT - Compare_at  Price': '9' },
			{ sku: 'S-M', compare_at_price: '9' },
		],
		[
			'with a price',
			{ 'Variant SKU': 'S-M', 'Variant Price': '19.99', Currency: 'EUR' },
			{ sku: 'S-M', prices: [{ amount: 1999, currency: 'EUR' }] },
		],
	])('has its columns, the product all others: %s', (_what, columns, variant) => {
		expect(rowOf({ handle: 'shirt', title: 'Shirt', ...columns })).toEqual({
			handle: 'shirt',
			title: 'Shirt',
			variants: [variant],
		});
	});

	it('leaves the product a column that only contains the word option', () => {
		const columns = { sku: 'S-M', 'Gift Option 1': 'Wrapped' };
		expect(rowOf(columns)).toEqual({ 'Gift Option 1': 'Wrapped', variants: [{ sku: 'S-M' }] });
	});

	it('may have no variant fields, like a row for a further picture', () => {
		expect(rowOf({ handle: 'shirt', currency: 'EUR' })).toEqual({ handle: 'shirt' });
	});

	it.each<[string, IDataObject, string]>([
		['no SKU', { variant_title: 'M' }, '“Input Item: sku” is empty'],
		['two SKUs', { sku: 'A', 'Variant SKU': 'B' }, 'two columns for the variant’s “sku”'],
		[
			'a list of variants',
			{ sku: 'A', variants: [] },
			'“Input Item: variants” cannot stand in a row that is a variant itself. Nothing was sent for this product. Set “One Product Per” to SKU.',
		],
		['a price without a currency', { sku: 'A', price: '1' }, 'Input Item: currency'],
		['a price that is none', { sku: 'A', price: 'x', currency: 'EUR' }, 'Input Item: price'],
		['two kinds of prices', { sku: 'A', price: '1', prices: [] }, 'both “price” and “prices”'],
		['prices as a text', { sku: 'A', prices: '[{"amount":1}]' }, 'prices” is not a list of prices'],
		[
			'prices as a number',
			{ sku: 'A', prices: 5 },
			'“Input Item: prices” is not a list of prices. It is 5. Nothing was sent for this product. Use the columns “price” and “currency”.',
		],
	])('is refused by its column: %s', (_what, columns, told) => {
		expect(refusal(() => rowOf({ handle: 'h', ...columns }))).toContain(told);
	});
});

describe('rows of one handle', () => {
	it('are one product with the variants in order, if later rows leave its fields out', () => {
		const product = productOf(
			{ handle: 'shirt', title: 'Shirt', description: 'Linen', sku: 'S-M', variant_title: 'M' },
			{ handle: 'shirt', sku: 'S-L', variant_title: 'L' },
			{ handle: 'shirt' },
		);
		expect(product).toEqual({
			...{ sku: 'S-M', handle: 'shirt', title: 'Shirt', description: 'Linen' },
			variants: [
				{ sku: 'S-M', title: 'M' },
				{ sku: 'S-L', title: 'L' },
			],
		});
	});

	it('say nothing by an empty cell, and nothing new by an equal one', () => {
		const own = { handle: 'shirt', sku: 'S-M', price: '19.99', currency: 'EUR' };
		const [one, two] = [
			{ ...own, title: '', variant_title: 'M' },
			{ ...own, title: 'Shirt', variant_title: '' },
		];
		const product = {
			...{ sku: 'S-M', handle: 'shirt', title: 'Shirt' },
			variants: [{ sku: 'S-M', title: 'M', prices: [{ amount: 1999, currency: 'EUR' }] }],
		};
		expect(productOf(one, two)).toEqual(product);
		expect(productOf(two, one)).toEqual(product);
	});

	it('are one variant with a price for each currency, if they have one SKU', () => {
		const own = { handle: 'shirt', sku: 'S-M' };
		const product = productOf(
			{ ...own, price: '19.99', currency: 'EUR' },
			{ ...own, price: '21', currency: 'USD' },
		);
		expect(product.variants).toEqual([
			{
				sku: 'S-M',
				prices: [
					{ amount: 1999, currency: 'EUR' },
					{ amount: 2100, currency: 'USD' },
				],
			},
		]);
	});

	const OWN = { handle: 'shirt', sku: 'S-M', price: '1', currency: 'EUR' };
	it.each<[string, IDataObject, string]>([
		[
			'a field',
			{ ...OWN, title: 'Other' },
			'“Row 3” says another “title” of the product than row 2',
		],
		[
			'a variant',
			{ ...OWN, variant_title: 'L' },
			'“Row 3” says another “title” of the SKU “S-M” than row 2',
		],
		[
			'a price',
			{ ...OWN, price: '2' },
			'says another “prices in EUR” of the SKU “S-M” than row 2. Nothing was sent for this product. Rows of one handle are one product: leave the cell empty, or enter the same.',
		],
	])('that contradict each other are refused by their rows: %s', (_what, later, told) => {
		const first = { ...OWN, title: 'Shirt', variant_title: 'M' };
		expect(refusal(() => productOf(first, later))).toContain(told);
	});

	it('need a SKU in one of them', () => {
		expect(refusal(() => productOf({ handle: 'shirt', title: 'Shirt' }))).toBe(
			'“SKU” is empty in all rows of the handle “shirt”. Nothing was sent for this product.',
		);
	});

	it('lose nothing: every SKU, title and price comes out once, in order', () => {
		const variant = fc.record({ title: fc.string({ minLength: 1 }), cents: fc.nat(99_999) });
		fc.assert(
			fc.property(fc.array(variant, { minLength: 1, maxLength: 20 }), (variants) => {
				const rows = variants.map(({ title, cents }, n) => ({
					...{ handle: 'h', sku: `S${n}`, currency: 'EUR', price: (cents / 100).toFixed(2) },
					...(title.trim() !== '' && { variant_title: title }),
					...(n === 0 && { title: 'Product' }),
				}));
				expect(productOf(...rows)).toEqual({
					...{ sku: 'S0', handle: 'h', title: 'Product' },
					variants: variants.map(({ title, cents }, n) => ({
						sku: `S${n}`,
						...(title.trim() !== '' && { title }),
						prices: [{ amount: cents, currency: 'EUR' }],
					})),
				});
			}),
		);
	});
});
