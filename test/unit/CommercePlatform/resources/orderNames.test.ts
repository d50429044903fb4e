import type { IDataObject } from 'n8n-workflow';

import { CUSTOMERS } from '../../../../nodes/CommercePlatform/resources/customer';
import { byOrderNumber, orderNumberOf } from '../../../../nodes/shared/shop/records';

it.each<[IDataObject, string[]]>([
	[{ number: '1041' }, ['1041']],
	[{ number: 7, order_number: '#1041', name: '# 1041' }, ['7', '1041']],
	[{ name: 'Ada Berg', orderNumber: 1041 }, ['1041']],
	[{ no: 1041, numbers: ['1041'], shipping: { number: '1041' } }, []],
	[{ display_id: 1041, order_number: null }, ['1041']],
	[{ code: 'QDS7YZBV6ABDQ2WU', displayId: 7 }, ['QDS7YZBV6ABDQ2WU', '7']],
	[{ reference: 'XKBKNABJK' }, ['XKBKNABJK']],
])('an order has every number of its number fields: %j', (order, numbers) => {
	expect(byOrderNumber.keysOf(order)).toEqual(numbers);
	expect(orderNumberOf(order)?.replace(/^# ?/, '')).toBe(numbers.at(0));
});

it.each<[IDataObject, string[]]>([
	[{ email: ' Ada@Shop.example ' }, ['ada@shop.example']],
	[{ contact: { email: 'ada@shop.example', phone: '1' } }, ['ada@shop.example']],
	[
		{
			email: 'ada@shop.example',
			shipping_address: { email: 'bob@shop.example' },
			address: { email: 'bob@shop.example' },
			addresses: [{ email: 'bob@shop.example' }],
			billingAddress: { contact: { email: 'bob@shop.example' } },
			referred_by_email: 'bob@shop.example',
			emails: ['bob@shop.example'],
			mail2: 'bob@shop.example',
		},
		['ada@shop.example'],
	],
])('a customer has its own addresses only: %j', (customer, emails) =>
	expect(CUSTOMERS.names.get('email')?.keysOf(customer)).toEqual(emails),
);
