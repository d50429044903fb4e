import fc from 'fast-check';

import {
	differences,
	isUnchanged,
} from '../../../../../nodes/CommercePlatform/resources/product/changes';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const usd = (amount: number) => ({ amount, currency: 'USD' });

const CURRENT = {
	id: 'prod_1',
	title: 'Linen shirt',
	description: null,
	status: 'published',
	categories: ['cat_1', 'cat_2'],
	variants: [
		{ sku: 'M', title: 'M', prices: [eur(1999), usd(2199)] },
		{ sku: 'L', title: 'L', prices: [eur(2099)] },
	],
	dimensions: [1, 2, 3],
	images: ['front.jpg', 'back.jpg'],
};

const both = CURRENT.variants;
const ofM = (said: object) => ({ variants: [{ sku: 'M', ...said }, { sku: 'L' }] });

it.each([
	['an empty text where there is none', { description: '' }],
	['categories in another order', { categories: ['cat_2', 'cat_1'] }],
	['variants in another order', { variants: [both[1], both[0]] }],
	['variants with fewer fields', { variants: [{ sku: 'L' }, { sku: 'M', title: 'M' }] }],
	['prices in another order', ofM({ prices: [usd(2199), eur(1999)] })],
	['a field that was left out', { title: undefined }],
])('takes as unchanged: %s', (_what, said) => expect(isUnchanged(said, CURRENT)).toBe(true));

it.each([
	['a cleared title', { title: '' }],
	['a clearing of a field that the record does not show', { handle: null }],
	['a category twice in place of another', { categories: ['cat_1', 'cat_1'] }],
	['an amount as text', ofM({ prices: [{ amount: '1999', currency: 'EUR' }, usd(2199)] })],
	['one price of two', ofM({ prices: [eur(1999)] })],
	['one variant of two', { variants: [both[0]] }],
	['a SKU twice', { variants: [both[0], both[0]] }],
	['images in another order', { images: ['back.jpg', 'front.jpg'] }],
	['an unknown list in another order', { dimensions: [3, 2, 1] }],
	['a text for a list', { categories: 'cat_1' }],
])('takes as changed: %s', (_what, said) => expect(isUnchanged(said, CURRENT)).toBe(false));

it('names each difference, with the former value', () => {
	const entered = {
		title: 'Shirt',
		handle: 'shirt',
		categories: ['cat_1'],
		variants: [{ sku: 'M', title: 'Medium', prices: [eur(1), usd(2199)] }, { sku: 'XL' }],
	};
	expect([...differences(entered, CURRENT)]).toEqual([
		{ field: 'title', old: 'Linen shirt', new: 'Shirt' },
		{ field: 'handle', old: null, new: 'shirt' },
		{ field: 'categories', old: ['cat_1', 'cat_2'], new: ['cat_1'] },
		{ field: 'variants M title', old: 'M', new: 'Medium' },
		{ field: 'variants M prices EUR', old: eur(1999), new: eur(1) },
		{ field: 'variants L', old: both[1], new: null },
		{ field: 'variants XL', old: null, new: { sku: 'XL' } },
	]);
});

const name = fc.string().filter((one) => one !== '__proto__');
const records = fc.dictionary(name, fc.jsonValue());

it('takes a record as unchanged by itself or by any part of itself', () => {
	fc.assert(
		fc.property(records, fc.func(fc.boolean()), (record, keep) => {
			const part = Object.fromEntries(Object.entries(record).filter(([name]) => keep(name)));
			expect(isUnchanged(structuredClone(record), record)).toBe(true);
			expect(isUnchanged(part, record)).toBe(true);
		}),
	);
});

it('takes any other value of any field as a change', () => {
	fc.assert(
		fc.property(records, name, fc.string({ minLength: 1 }), (record, field, value) => {
			fc.pre(record[field] !== value);
			expect(isUnchanged({ [field]: value }, record)).toBe(false);
		}),
	);
});
