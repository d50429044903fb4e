import { productOperations } from '../../../../nodes/CommercePlatform/resources/product/product';
import type { EachOperation } from '../../../../nodes/CommercePlatform/runner/operation';
import { simplifyCustomer, simplifyOrder } from '../../../../nodes/shared/shop/records';

describe('simplifyOrder', () => {
	it.each(['merchant_note', 'merchantNote', 'payment summary', 'fulfillmentState', 'ID'])(
		'keeps %s, however the platform spells it',
		(name) => expect(simplifyOrder({ [name]: 'x', other: 'y' })).toEqual({ [name]: 'x' }),
	);

	it('finds line items by their content, under any name', () => {
		const items = [{ line_item_id: 'li_1', quantity: 1 }];
		expect(simplifyOrder({ positions: items, notes: [{ text: 'x' }], tags: [] })).toEqual({
			positions: items,
		});
	});
});

describe('simplifyCustomer', () => {
	it('keeps single values, and consent in any form', () => {
		const consent = { marketing_consent: { email: false }, optIn: ['sms'] };
		const kept = { id: 'c', phone: null, vip: false, ...consent };
		expect(simplifyCustomer({ ...kept, address: { city: 'Bergen' }, tags: ['a'] })).toEqual(kept);
	});
});

const get = productOperations.find(({ option }) => option.value === 'get') as EachOperation;
const simplifyProduct = get.simplify!;

describe('simplifyProduct', () => {
	const prices = [{ amount: 1999, currency: 'EUR', list: null }];
	const texts = { id: 'prod_1', title: 'Shirt', handle: 'shirt', status: 'draft', description: 'x' };
	const variant = { sku: 'M', title: 'Medium', prices };
	const product = { ...texts, variants: [variant], categories: ['cat_1'] };

	it('keeps the documented fields', () => {
		const variants = [{ ...variant, barcode: '4006' }];
		const whole = { ...product, variants, seo: {}, created_at: 'x' };
		expect(simplifyProduct(whole)).toEqual(product);
	});

	it('makes nothing up if fields are missing or differ from the document', () => {
		expect(simplifyProduct({ id: 'prod_1' })).toEqual({ id: 'prod_1' });
		const odd = { variants: ['M', null], categories: null };
		expect(simplifyProduct(odd)).toEqual(odd);
	});
});
