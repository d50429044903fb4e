import { simplifyCustomer } from '../../../../nodes/shared/model/simplifyCustomer';
import { simplifyProduct } from '../../../../nodes/shared/model/simplifyProduct';
import { simplifyOrder } from '../../../../nodes/shared/model/simplifyOrder';

describe('simplifyOrder', () => {
	it.each([['merchant_note'], ['merchantNote'], ['payment summary'], ['fulfillmentState'], ['ID']])(
		'keeps %s, however the platform spells it',
		(name) => {
			expect(simplifyOrder({ [name]: 'x', other: 'y' })).toEqual({ [name]: 'x' });
		},
	);

	it('finds line items by what they hold, under any name', () => {
		const items = [{ line_item_id: 'li_1', quantity: 1 }];
		expect(simplifyOrder({ positions: items, notes: [{ text: 'x' }], tags: [] })).toEqual({
			positions: items,
		});
	});

	it('does not touch masked values', () => {
		const total = { amount: '***', currency: '***' };
		expect(simplifyOrder({ id: 'ord_1', total })).toEqual({ id: 'ord_1', total });
	});
});

describe('simplifyProduct', () => {
	const prices = [{ amount: 1999, currency: 'EUR', list: null }];
	const product = {
		id: 'prod_1',
		title: 'Shirt',
		handle: 'shirt',
		status: 'draft',
		variants: [{ sku: 'M', title: 'Medium', prices }],
		categories: ['cat_1'],
	};

	it('keeps what the API document names, but for the description', () => {
		const variants = product.variants.map((variant) => ({ ...variant, barcode: '4006' }));
		const whole = { ...product, variants, description: '<p>…</p>', seo: {}, created_at: 'x' };
		expect(simplifyProduct(whole)).toEqual(product);
	});

	it('makes nothing up where fields are missing, or are not as the document has them', () => {
		expect(simplifyProduct({ id: 'prod_1' })).toEqual({ id: 'prod_1' });
		const odd = { variants: ['M', null], categories: null };
		expect(simplifyProduct(odd)).toEqual(odd);
	});
});

describe('simplifyCustomer', () => {
	it('keeps single values, and consent in whatever form', () => {
		const customer = {
			id: 'c',
			phone: null,
			vip: false,
			address: { city: 'Bergen' },
			marketing_consent: { email: false },
			optIn: ['sms'],
			tags: ['a'],
		};
		expect(simplifyCustomer(customer)).toEqual({
			id: 'c',
			phone: null,
			vip: false,
			marketing_consent: { email: false },
			optIn: ['sms'],
		});
	});
});
