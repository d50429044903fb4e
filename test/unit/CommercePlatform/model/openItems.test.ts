import type { IDataObject } from 'n8n-workflow';

import { openItemsOf } from '../../../../nodes/CommercePlatform/model/openItems';
import { InputError } from '../../../../nodes/shared/errors/errors';
import { pick, seeded } from '../../../support/random';

/** What is open, or why that cannot be told. */
function openOf(order: IDataObject, unrelated?: string[]): { items?: unknown; problem?: string } {
	try {
		return { items: openItemsOf(order, unrelated) };
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return { problem: (error as Error).message.replace(/^“Order” “[^”]*” /, '') };
	}
}

const problemOf = (order: IDataObject): string | undefined => openOf(order).problem;

/** Ways in which a platform may tell what was sent of each line; the API document shows none. */
const TELLINGS = ['open_quantity', 'fulfilledQuantity', 'quantity_shipped', 'fulfillments'];

interface Line {
	id: string;
	quantity: number;
	sent: number;
}

function orderOf(lines: Line[], telling: string): IDataObject {
	const values: Record<string, (line: Line) => IDataObject> = {
		open_quantity: ({ quantity, sent }) => ({ open_quantity: quantity - sent }),
		fulfilledQuantity: ({ sent }) => ({ fulfilledQuantity: sent }),
		quantity_shipped: ({ sent }) => ({ quantity_shipped: String(sent) }),
	};
	const line_items = lines.map((line) => ({
		line_item_id: line.id,
		quantity: line.quantity,
		...values[telling]?.(line),
	}));
	const items = lines
		.filter(({ sent }) => sent > 0)
		.map(({ id, sent }) => ({ line_item_id: id, quantity: sent }));
	const fulfillments = items.length === 0 ? [] : [{ items }, { items, status: 'cancelled' }];
	return { id: 'ord_1', line_items, ...(telling === 'fulfillments' ? { fulfillments } : {}) };
}

it.each(TELLINGS)('takes exactly what is not sent yet, told by %s', (telling) => {
	const random = seeded(TELLINGS.indexOf(telling));
	for (let round = 0; round < 300; round++) {
		const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n) => {
			const quantity = 1 + Math.floor(random() * 5);
			const sent = pick([0, quantity, Math.floor(random() * quantity)], random);
			return { id: `li_${n}`, quantity, sent };
		});
		const items = lines
			.filter(({ quantity, sent }) => quantity > sent)
			.map(({ id, quantity, sent }) => ({ line_item_id: id, quantity: quantity - sent }));
		expect(openOf(orderOf(lines, telling))).toEqual({ items });
	}
});

const LINES = [
	{ line_item_id: 'li_1', quantity: 2 },
	{ line_item_id: 'li_2', quantity: 1 },
];

/** An order of which nothing was sent, in all that an order may hold beside. */
const WHOLE: IDataObject = {
	id: 'ord_1',
	number: '1041',
	status: 'paid',
	total: { amount: 1999, currency: 'EUR' },
	email: 'ada@shop.example',
	customer_id: null,
	shipping_address: { name: 'Ada Berg', state: 'CA', delivered: true },
	merchant_note: 'shipped with care',
	payment_summary: { status: 'partially_refunded', refunded: { amount: 1, currency: 'EUR' } },
	fulfillment_state: { status: 'unfulfilled', fulfilled_quantity: 0, open_quantity: 3 },
	fulfillments: [],
	created_at: '2026-11-22T10:00:00Z',
	timestamps: { paid_at: '2026-11-22T10:00:00Z' },
	line_items: [
		{ ...LINES[0], sku: 'A', price: { amount: 1 }, fulfilled_quantity: 0, cancelled_quantity: 0 },
		{ ...LINES[1], title: 'Returned by fans', status: 'unfulfilled', shipment: null },
	],
};

it('takes an order of which nothing was sent', () => {
	expect(openOf(WHOLE)).toEqual({ items: LINES });
});

it.each<[IDataObject, unknown]>([
	[{ status: 'paid', fulfillment_state: 'unfulfilled' }, LINES],
	[{ fulfillment_state: { status: 'unfulfilled' } }, LINES],
	[{ fulfillmentStatus: 'not_shipped' }, LINES],
	[{ status: 'paid', fulfillments: [] }, LINES],
	[{ status: 'paid', fulfillment_state: 'fulfilled' }, []],
	[{ fulfillment: { state: 'SHIPPED' } }, []],
	[{ status: 'fulfilled' }, []],
	[{ status: 'cancelled', fulfillment_state: 'unfulfilled' }, []],
	[{ status: 'fulfilled', fulfillments: [{ items: [{ id: 'fli_2', quantity: 2 }] }] }, []],
	// Nothing of it, or a part of which nothing tells which.
	[{}, undefined],
	[{ status: 'paid' }, undefined],
	[{ status: 'partially_fulfilled' }, undefined],
	[{ status: 'paid', fulfillment_state: 'partial' }, undefined],
	[{ fulfillment_state: { status: 'partial' }, fulfillments: [] }, undefined],
	// Two that cannot both be true.
	[{ status: 'fulfilled', fulfillment_state: 'unfulfilled' }, undefined],
	[{ fulfillment_state: { status: 'unfulfilled', fulfilled_quantity: 1 } }, undefined],
	[{ fulfillment_state: { status: 'unfulfilled', open_quantity: 0 } }, undefined],
])('goes by the state of an order whose lines do not say it: %j', (order, items) => {
	expect(openOf({ ...order, line_items: LINES }).items).toEqual(items);
});

describe('of the fields of a line', () => {
	const withLine = (more: IDataObject): IDataObject => ({
		...WHOLE,
		line_items: [LINES[0], { ...LINES[1], ...more }],
	});

	it.each<IDataObject>([
		...'delivered dispatched in_transit sent cancelled returned refunded zorp'
			.split(' ')
			.flatMap((word) => [{ state: word }, { status: word }, { fulfillment_status: word }]),
		{ cancelled_quantity: 1 },
		{ refunded_quantity: '1' },
		{ returned_quantity: -1 },
		{ delivered_quantity: 0 },
		{ open_quantity: 'one' },
		{ open_quantity: 1.5 },
		{ fulfilled_quantity: '0x1' },
		{ fulfilled_quantity: { units: 0 } },
		{ delivered: true },
		{ fulfillable: false },
		{ shipped_at: '2026-11-22T10:00:00Z' },
		{ shipment_id: 'shp_1' },
		{ returns: [{ quantity: 1 }] },
	])('%j is not understood, which names the line and the field', (more) => {
		const [field] = Object.keys(more);
		const problem = problemOf(withLine(more));
		expect(problem).toMatch(new RegExp(`^says “${field}[^”]*” of the line “li_2”, which is not`));
	});

	it.each<IDataObject>([
		{ fulfilled_quantity: 2 },
		{ open_quantity: 2 },
		{ open_quantity: 1, fulfilled_quantity: 1 },
		{ status: 'shipped', fulfilled_quantity: 0 },
		{ state: 'partial', open_quantity: 1 },
		{ fulfilled_quantity: 1 },
	])('%j contradicts itself or the order', (more) => {
		expect(problemOf(withLine(more))).toMatch(/contradicts itself|do not say/);
	});

	it.each<[string, IDataObject[]]>([
		['no quantity', [{ line_item_id: 'li_1' }]],
		['a quantity that cannot be read', [{ line_item_id: 'li_1', quantity: '1.0' }]],
		['no ID', [{ id: 'li_1', quantity: 1 }]],
		['the ID of another', [LINES[0], LINES[0]]],
	])('%s is a problem', (_name, line_items) => {
		expect(problemOf({ ...WHOLE, line_items })).toMatch(/shows a line item/);
	});
});

describe('of the fields of an order', () => {
	it.each<IDataObject>([
		...'delivered refunded partially_refunded completed on_hold zorp'
			.split(' ')
			.flatMap((word) => [
				{ status: word },
				{ fulfillment_state: word },
				{ fulfillment_state: { status: word } },
				{ delivery_status: word },
			]),
		{ fulfillment_state: { status: 'unfulfilled', in_transit: 2 } },
		{ fulfilled: true },
		{ shipped: true },
		{ deliveries: 2 },
		{ dispatched_at: '2026-11-22T10:00:00Z' },
		{ cancelled_items: [{ line_item_id: 'li_1', quantity: 2 }] },
		{ returns: [{ reason: 'torn', lines: { first: 'li_2' } }] },
		{ shipment: 'delivered' },
		{ shipping: { progress: 'at the door' } },
		{ dispatch: 'yes' },
		{ parcels: ['00340434161094042557'] },
		{ timestamps: { created: 1, dispatched: 2 } },
	])('%j is not understood', (more) => {
		expect(problemOf({ ...WHOLE, ...more })).toMatch(/^says “.*”, which is not understood$/);
	});

	it('that are not understood are named all at once, each once', () => {
		const line_items = LINES.map((line) => ({ ...line, lot: 7 }));
		expect(problemOf({ ...WHOLE, depot: 'B', route: ['b2'], line_items })).toBe(
			'says “lot: 7” of the line “li_1”, “depot: B”, “route”, which is not understood',
		);
	});

	it('a list of lines under another name is not that of its lines, wherever it stands', () => {
		const cancelled_items = [{ line_item_id: 'li_9', quantity: 9 }];
		const open = openOf({ cancelled_items, ...WHOLE }, ['cancelled_items']);
		expect(open).toEqual({ items: LINES });
		expect(problemOf({ ...WHOLE, cancelled_items, line_items: null })).toBe('shows no line items');
	});
});

describe('a fulfillment', () => {
	const after = (...fulfillments: unknown[]) =>
		openOf({ status: 'paid', line_items: LINES, fulfillments } as IDataObject);
	const items = [{ line_item_id: 'li_1', quantity: 2 }];

	it('holds what the document’s request does, and an ID of its own', () => {
		const line = { id: 'fli_1', sku: 'A', line_item_id: 'li_1', quantity: 2, note: null };
		const sent = { id: 'ful_1', status: 'delivered', carrier: 'dhl', items: [line] };
		expect(after(sent)).toEqual({ items: [LINES[1]] });
	});

	it.each(['CANCELED', 'cancelled'])('that is %s need not say what it held', (status) => {
		expect(after({ id: 'ful_1', status })).toEqual({ items: LINES });
	});

	it.each<IDataObject>([
		{ status: 'failed' },
		{ status: 'voided' },
		{ state: 'cancelled' },
		{ cancelled_at: '2026-11-22T10:00:00Z' },
		{ cancelled: true },
		{ is_active: false },
		{ zorp: 'blip' },
	])('that may have been cancelled is not counted, and not left out: %j', (more) => {
		const { problem } = after({ id: 'ful_1', items, ...more });
		expect(problem).toMatch(/^has a fulfillment that says “.*not understood$/);
	});

	it.each<unknown>([
		{ id: 'ful_1' },
		'ful_1',
		{ items: [{ line_item_id: 'li_1' }] },
		{ items: [{ id: 'fli_1', quantity: 2 }] },
		{ items: [{ id: 'li_1', quantity: 2 }] },
		{ items: [{ id: 'fli_1', order_line_item_id: 'li_1', quantity: 2 }] },
		{ items: [{ line_item_id: 'li_3', id: 'li_1', quantity: 2 }] },
		{ items: [{ id: 'li_1', order_line_item_id: 'li_2', quantity: 1 }] },
		{ items: [{ line_item_id: 'li_1', quantity: 2, cancelled_quantity: 1 }] },
	])('leaves open what was sent where it does not say it plainly: %j', (one) => {
		const problem = 'has fulfillments that do not say what they hold';
		expect(after(one)).toEqual({ problem });
		expect(after({ items: [{ line_item_id: 'li_2', quantity: 1 }] }, one)).toEqual({ problem });
	});

	it('without its pieces leaves a line what it says itself, and one with others does not', () => {
		const line_items = [{ line_item_id: 'li_1', quantity: 2, open_quantity: 1 }];
		const open = openOf({ line_items, fulfillments: [{ id: 'ful_1' }] });
		expect(open).toEqual({ items: [{ line_item_id: 'li_1', quantity: 1 }] });
		expect(problemOf({ line_items, fulfillments: [{ items }] })).toMatch(/contradicts itself/);
	});
});

describe('what a shop has of its own', () => {
	const OWN = { is_gift: true, weight: 250, position: 2, tax_rate: 19, color: 'red', grams: 1 };
	const WORN = { engraving: true, lot: 2, expected_at: '2026-11-24', fabric: 'linen' };
	const withOwn = (own: IDataObject): IDataObject => ({
		...WHOLE,
		line_items: LINES.map((line) => ({ ...line, fulfilled_quantity: 0, ...own })),
	});

	it('says nothing where it describes articles as shops do', () => {
		expect(openOf(withOwn(OWN))).toEqual({ items: LINES });
	});

	it.each(Object.entries(WORN))('is not understood before it is named: %s', (name, value) => {
		const own = { [name]: value };
		expect(problemOf(withOwn(own))).toContain('not understood');
		expect(openOf(withOwn(own), [name])).toEqual({ items: LINES });
		const open = openOf({ ...WHOLE, [name]: value, loyal: 2 }, [name, 'loyal']);
		expect(open).toEqual({ items: LINES });
	});

	it('names nothing but itself', () => {
		const open = openOf(withOwn({ ...WORN, delivered: true }), Object.keys(WORN));
		expect(open.problem).toMatch(/^says “delivered: true” of the line “li_1”/);
	});

	it.each(
		'status State quantity open_quantity cancelledQuantity fulfillment_status fulfilled_by'.split(
			' ',
		),
	)('cannot be %s, which says what was sent', (name) => {
		expect(() => openItemsOf(WHOLE, [name])).toThrow(`“Unrelated Fields” cannot hold “${name}”`);
	});
});

/** Words, numbers and switches as a platform may invent them, under any name. */
const NAMES = 'shipped sent zorp qty_done dispatch delivery_state openQuantity2'.split(' ');
const VALUES = [0, 1, 2, true, false, 'done', 'unfulfilled', 'li_1', '1', [1], { of: 'li_1' }];

it('counts nothing unknown as open, wherever it stands', () => {
	const random = seeded(7);
	const tells: IDataObject[] = [{ fulfilled_quantity: 0 }, { open_quantity: 1 }, {}];
	for (let round = 0; round < 2_000; round++) {
		const unknown = { [pick(NAMES, random)]: pick(VALUES, random) } as IDataObject;
		const line_items = [LINES[0], { ...LINES[1], ...pick(tells, random), ...unknown }];
		expect(problemOf({ ...WHOLE, line_items })).toContain('not understood');
		const fulfillments = [{ items: [LINES[1]], ...unknown }];
		const sent = { ...WHOLE, fulfillments, fulfillment_state: null, line_items: LINES };
		expect(problemOf(sent)).toContain('not understood');
		expect(problemOf({ ...WHOLE, ...unknown })).toContain('not understood');
	}
});
