import type { IDataObject } from 'n8n-workflow';

import { customer as customers } from '../../../../nodes/CommercePlatform/resources/customer';
import { requestWithId } from '../../../../nodes/CommercePlatform/runner/lookup';
import type { Call, EachOperation } from '../../../../nodes/CommercePlatform/runner/operation';
import { ORDERS } from '../../../../nodes/CommercePlatform/resources/order/order';
import { orderNumberOf } from '../../../../nodes/shared/shop/records';

it.each<[IDataObject, string[]]>([
	[{ number: '1041' }, ['1041']],
	[{ number: 7, order_number: '#1041', name: '# 1041' }, ['7', '1041']],
	[{ name: 'Ada Berg', orderNumber: 1041 }, ['1041']],
	[{ no: 1041, numbers: ['1041'], shipping: { number: '1041' } }, []],
	[{ display_id: 1041, order_number: null }, ['1041']],
	[{ code: 'QDS7YZBV6ABDQ2WU', displayId: 7 }, ['QDS7YZBV6ABDQ2WU', '7']],
	[{ reference: 'XKBKNABJK' }, ['XKBKNABJK']],
])('an order has every number of its number fields: %j', (order, numbers) => {
	expect(ORDERS.locator.names.get('number')?.keysOf(order)).toEqual(numbers);
	expect(orderNumberOf(order)?.replace(/^# ?/, '')).toBe(numbers.at(0));
});

const { locator } = customers.operations.find(
	({ option }) => option.value === 'get',
) as Required<EachOperation>;

/** Whether an e-mail address names the only customer of a shop. */
async function isFoundBy(email: string, customer: IDataObject): Promise<boolean> {
	const record = { id: 'cust_1', ...customer };
	const client = {
		page: async () => await Promise.resolve({ records: [record], hasMore: false }),
		request: async () => await Promise.resolve({ record }),
	};
	const pathParams = { customerId: email };
	const call = {
		client,
		request: { method: 'GET', path: '/customers/{customerId}', pathParams },
	} as unknown as Call;
	const { field, names } = locator;
	const byMail = { field, key: names.get('email')! };
	const found = await requestWithId(call, byMail).catch(() => undefined);
	return found?.request.pathParams?.customerId === 'cust_1';
}

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
])('a customer is found by its own addresses only: %j', async (customer, emails) => {
	const written = JSON.stringify(customer).match(/[\w.]+@[\w.]+/g) ?? [];
	const found = await Promise.all(written.map(async (email) => await isFoundBy(email, customer)));
	const own = written.filter((_email, at) => found[at]).map((email) => email.toLowerCase());
	expect([...new Set(own)]).toEqual(emails);
});
