import type { IDataObject } from 'n8n-workflow';

import { refund } from '../../../nodes/CommercePlatform/resources/order/refund';
import { InputError } from '../../../nodes/shared/rest/errors';
import type { Field, Item } from '../../../nodes/shared/values/fields';
import { told } from '../../support/told';

const extent = refund.fields.find(({ name }) => name === 'extent') as Field;

/** Reads a refund from the user's own fields, as JSON. */
function readOwn(body: IDataObject): unknown {
	const parameters: IDataObject = { json: body };
	const item = { parameter: (name: string) => parameters[name] } as unknown as Item;
	return extent.send?.read(extent.displayName, 'fields', item, {}, extent.name);
}

const saysExtent = (body: IDataObject): boolean => {
	try {
		readOwn(body);
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return false;
	}
};

const inEuros = (amount: unknown) => ({ amount, currency: 'EUR' });
const ITEM = { line_item_id: 'li_1', quantity: 1 };

const SAYING: IDataObject[] = [
	{ amount: 500, currency: 'EUR' },
	{ amount: 500, currency: 'eur', reason: '3 are broken', notify: true },
	{ amount: { amount: 500, currency: 'EUR' } },
	{ items: [ITEM] },
	{ line_items: [ITEM, { ...ITEM, tax_amount: 0 }], reason: 'Damaged' },
	{ amount: 500, currency: 'EUR', items: [ITEM] },
];

const SILENT: IDataObject[] = [
	...[{}, { reason: 'Damaged' }, { amount: 500 }, { amount: { amount: 500 } }],
	{ Amount: 500, Currency: 'EUR' },
	{ refund: { amount: 500, currency: 'EUR' } },
	{ sku: 'SHIRT-M', quantity: 1, all: true, type: 'full', lines: [ITEM], refund_amount: 500 },
	{ order_number: 1041, payment_id: '77', requestedAt: 1763812800 },
	// The right names, with values that say nothing.
	...[0, -5, 1.5, 2 ** 53, '500', '10.00', '', 'undefined', null, true, [], [500]].map(inEuros),
	...[undefined, null, '', 'EURO', 'undefined', 978].map((currency) => ({ amount: 5, currency })),
	{ amount: {}, currency: 'EUR' },
	...[[], {}, null, 'undefined', [{}], [null], 1].map((items) => ({ items })),
	...['', ' ', 'undefined', 'null', null].map((id) => ({
		line_items: [{ line_item_id: id, quantity: 1 }],
	})),
	...[null, undefined, '', 'undefined'].map((quantity) => ({
		items: [ITEM, { line_item_id: 'li_2', quantity }],
	})),
	{ full: true },
	// A valid part does not make up for an invalid one.
	{ items: [ITEM], amount: null },
	{ items: [ITEM], shipping_amount: 'undefined' },
] as IDataObject[];

const named = (bodies: IDataObject[]) =>
	bodies.map((body) => [JSON.stringify(body), body] as const);

describe('how much is refunded', () => {
	it.each(named(SAYING))('is said by %s', (_written, body) => expect(saysExtent(body)).toBe(true));

	it.each(named(SILENT))('is not said by %s', (_written, body) =>
		expect(saysExtent(body)).toBe(false),
	);

	it('is asked for with the list of names', () => {
		const listed = /'amount' with 'currency', or 'items', or 'line_items'/;
		const asked = told(() => readOwn({ reason: '3' }));
		expect(asked).toContain("'JSON' does not say how much to refund");
		expect(asked).toMatch(listed);
	});
});
