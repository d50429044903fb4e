import { simplifyCustomer, simplifyOrder } from '../../../../nodes/shared/model/records';

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
