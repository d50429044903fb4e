import { openLines } from '../../../nodes/CommercePlatform/search';
import { amountOf, join, orderLabel } from '../../../nodes/CommercePlatform/search';
import { nameOf } from '../../../nodes/shared/shop/records';

it.each([
	[{ title: 'Lamp', name: 'x' }, 'Lamp'],
	[{ name: ' Lamps ' }, 'Lamps'],
	[{ first_name: 'Ada', last_name: 'Berg' }, 'Ada Berg'],
	[{ first_name: '', last_name: 'Berg' }, 'Berg'],
	[{ title: { en: 'Lamp' } }, undefined],
	[{}, undefined],
])('calls %j %s', (record, name) => expect(nameOf(record)).toBe(name));

it('writes amounts in major units if these are known, and joins the present parts', () => {
	const amounts = [1999, 500, 7, '***'].map((amount, at) => {
		return amountOf({ amount, currency: ['EUR', 'JPY', 'XYZ', 'EUR'][at] });
	});
	expect([...amounts, amountOf(null)]).toEqual(['19.99 EUR', '500 JPY', '7 XYZ', '*** EUR', '']);
	expect(join('a', '', undefined, null, {}, 5)).toBe('a · 5');
});

it('names the day of an order’s last change, by which the list is sorted, in the workflow’s timezone', () => {
	const order = {
		...{ id: 'ord_1', number: '1041' },
		...{ created_at: '2025-01-01T00:00:00Z', updated_at: '2026-11-22T03:00:00Z' },
	};
	expect(orderLabel(order, 'America/New_York')).toBe('#1041 · changed 21 Nov 2026');
	expect(orderLabel({ ...order, updated_at: 'soon' }, 'UTC')).toBe('#1041');
});

it('shows the e-mail address of an order only if it has neither a name nor a number', () => {
	const order = { id: 'ord_1', email: 'ada@example.com' };
	expect(orderLabel(order, 'UTC')).toBe('ord_1 · ada@example.com');
	for (const more of [{ number: '1041' }, { customer: { name: 'Ada Berg' } }])
		expect(orderLabel({ ...order, ...more }, 'UTC')).not.toContain('@');
});

describe('the line items of an order', () => {
	const lines = [
		{ line_item_id: 'li_1', title: 'Shirt', sku: 'S', quantity: 2 },
		{ line_item_id: 'li_2', product_title: 'Lamp', quantity: 1 },
		{ line_item_id: 'li_3', quantity: 3 },
	];

	it('are named by title and SKU, else by ID, and all are listed if the order does not say what is open', () => {
		const order = { status: 'partially_fulfilled', line_items: lines };
		expect(openLines(order)).toEqual([
			{ name: 'Shirt · S', value: 'li_1' },
			{ name: 'Lamp', value: 'li_2' },
			{ name: 'li_3', value: 'li_3' },
		]);
	});
});
