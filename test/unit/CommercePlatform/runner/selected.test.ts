import { selectedOf } from '../../../../nodes/CommercePlatform/runner/run';

const ORDER = {
	id: 'ord_1',
	code: 'A-1',
	note: null,
	customer: { id: 'cus_1', email: 'eva@mail.example' },
	line_items: [{ sku: 'A', quantity: 1 }, { sku: 'B' }, {}],
};

it.each([
	[['code'], { code: 'A-1' }, []],
	[['note'], { note: null }, []],
	[['customer.email'], { customer: { email: 'eva@mail.example' } }, []],
	[['customer.id', 'customer.email'], { customer: ORDER.customer }, []],
	[['line_items.sku'], { line_items: [{ sku: 'A' }, { sku: 'B' }, {}] }, []],
	[
		['line_items.sku', 'line_items.quantity'],
		{ line_items: [{ sku: 'A', quantity: 1 }, { sku: 'B' }, {}] },
		[],
	],
	[['short'], { short: 'of Simplify' }, []],
	[['cod', 'customer.name', 'line_items.x.y', 'code.x', 'toString'], {}, 5],
])('Selected Fields %j of a record are %j', (names, fields, missing) => {
	const result = selectedOf(ORDER, { id: 'ord_1', short: 'of Simplify' }, names);
	expect(result).toEqual({ fields, missing: missing === 5 ? names : missing });
});
