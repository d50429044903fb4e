import type { IDataObject } from 'n8n-workflow';

import { openItemsOf } from '../../../../nodes/CommercePlatform/model/openItems';
import { InputError } from '../../../../nodes/shared/errors/errors';
import { pick, seeded } from '../../../../platform/support/random';

/** What is open, or why that cannot be told. */
function openOf(order: IDataObject, unrelated?: string[]): unknown {
	try {
		return openItemsOf(order, unrelated);
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return (error as Error).message.replace(/^“Order” “[^”]*” /, '');
	}
}

interface Line {
	line_item_id: string;
	quantity: number;
	sent: number;
}

/** Ways in which a platform may tell what was sent of each line; the API document shows none. */
const TELLINGS: Record<string, (line: Line) => IDataObject> = {
	open_quantity: ({ quantity, sent }) => ({ open_quantity: quantity - sent }),
	fulfilledQuantity: ({ sent }) => ({ fulfilledQuantity: sent }),
	quantity_shipped: ({ sent }) => ({ quantity_shipped: String(sent) }),
	fulfillments: () => ({}),
};

it.each(Object.entries(TELLINGS))(
	'takes exactly what is not sent yet, told by %s',
	(name, telling) => {
		const random = seeded(name.length);
		for (let round = 0; round < 300; round++) {
			const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n): Line => {
				const quantity = 1 + Math.floor(random() * 5);
				const sent = pick([0, quantity, Math.floor(random() * quantity)], random);
				return { line_item_id: `li_${n}`, quantity, sent };
			});
			const line_items = lines.map(({ sent, ...line }) => ({
				...line,
				...telling({ ...line, sent }),
			}));
			const items = lines
				.filter(({ sent }) => sent > 0)
				.map(({ line_item_id, sent }) => ({ line_item_id, quantity: sent }));
			const fulfillments = items.length === 0 ? [] : [{ items }, { items, status: 'cancelled' }];
			const order = { id: 'ord_1', line_items, ...(name === 'fulfillments' && { fulfillments }) };
			const open = lines
				.filter(({ quantity, sent }) => quantity > sent)
				.map(({ line_item_id, quantity, sent }) => ({ line_item_id, quantity: quantity - sent }));
			expect(openOf(order)).toEqual(open);
		}
	},
);

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
/** What its second line says, and what a shop's lines have of their own. */
const withLine = (more: IDataObject) => ({
	...WHOLE,
	line_items: [LINES[0], { ...LINES[1], ...more }],
});
const withOwn = (own: IDataObject) => ({
	...WHOLE,
	line_items: LINES.map((line) => ({ ...line, fulfilled_quantity: 0, ...own })),
});
const withFulfillments = (...fulfillments: unknown[]) =>
	({ status: 'paid', line_items: LINES, fulfillments }) as IDataObject;

const ITEMS = [{ line_item_id: 'li_1', quantity: 2 }];
/** Says what the document's request does, with an ID of its own. */
const SENT_LINE = { id: 'fli_1', sku: 'A', line_item_id: 'li_1', quantity: 2, note: null };
const ONE_OPEN = { line_items: [{ ...LINES[0], open_quantity: 1 }] };

it.each<[IDataObject, unknown[]]>([
	[WHOLE, LINES],
	// By the state of an order whose lines do not say it.
	[{ status: 'paid', fulfillment_state: 'unfulfilled' }, LINES],
	[{ fulfillmentStatus: 'not_shipped' }, LINES],
	[{ status: 'paid', fulfillment_state: 'fulfilled' }, []],
	[{ status: 'fulfilled' }, []],
	[{ status: 'cancelled', fulfillment_state: 'unfulfilled' }, []],
	// By its fulfillments. One that is cancelled need not say what it held.
	[withFulfillments({ status: 'delivered', carrier: 'dhl', items: [SENT_LINE] }), [LINES[1]]],
	[withFulfillments({ id: 'ful_1', status: 'CANCELED' }), LINES],
	[{ ...ONE_OPEN, fulfillments: [{ id: 'ful_1' }] }, [{ ...LINES[0], quantity: 1 }]],
])('of %j are open: %j', (order, items) =>
	expect(openOf({ line_items: LINES, ...order })).toEqual(items),
);

const NOT_UNDERSTOOD = /^says “.*”, which is not understood$/;
const UNTOLD = /^has fulfillments that do not say what they hold$/;

it.each<[string, RegExp, IDataObject[]]>([
	[
		'its lines and its state do not say it, or say a part of which nothing tells which',
		/does not say which|do not say|contradicts itself/,
		[
			...[{}, { status: 'paid' }, { status: 'partially_fulfilled' }],
			{ fulfillment_state: { status: 'partial' }, fulfillments: [] },
			{ status: 'fulfilled', fulfillment_state: 'unfulfilled' },
			{ fulfillment_state: { status: 'unfulfilled', open_quantity: 0 } },
		],
	],
	[
		'a line says what is not understood',
		/^says “[^”]*” of the line “li_2”, which is not understood$/,
		[
			...[{ state: 'delivered' }, { status: 'cancelled' }, { fulfillment_status: 'returned' }],
			...[{ cancelled_quantity: 1 }, { refunded_quantity: '1' }, { returned_quantity: -1 }],
			...[{ open_quantity: 'one' }, { open_quantity: 1.5 }, { fulfilled_quantity: '0x1' }],
		].map(withLine),
	],
	[
		'a line contradicts itself or the order',
		/contradicts itself|do not say/,
		[
			...[{ fulfilled_quantity: 2 }, { fulfilled_quantity: 1 }, { open_quantity: 2 }],
			{ open_quantity: 1, fulfilled_quantity: 1 },
			{ status: 'shipped', fulfilled_quantity: 0 },
		].map(withLine),
	],
	[
		'a line has no ID of its own, or no quantity',
		/shows a line item/,
		[
			[{ line_item_id: 'li_1' }],
			[{ line_item_id: 'li_1', quantity: '1.0' }],
			[{ id: 'li_1', quantity: 1 }],
			[LINES[0], LINES[0]],
		].map((line_items) => ({ ...WHOLE, line_items })),
	],
	[
		'the order says what is not understood',
		NOT_UNDERSTOOD,
		[
			...[{ status: 'completed' }, { fulfillment_state: 'refunded' }, { delivery_status: 'zorp' }],
			{ fulfillment_state: { status: 'delivered' } },
			{ fulfillment_state: { status: 'unfulfilled', in_transit: 2 } },
			...[{ fulfilled: true }, { payment_status: 'refunded' }, { financial_status: 'voided' }],
			{ payment_summary: { status: 'refunded' } },
			{ cancelled_items: [{ line_item_id: 'li_1', quantity: 2 }] },
			{ timestamps: { created: 1, dispatched: 2 } },
		].map((more) => ({ ...WHOLE, ...more })),
	],
	[
		'a fulfillment may have been cancelled',
		/^has a fulfillment that says “.*not understood$/,
		[
			...[{ status: 'failed' }, { state: 'cancelled' }, { is_active: false }, { zorp: 'blip' }],
			{ status: 'cancelled', state: 'shipped' },
			{ line_items: [LINES[1]] },
		].map((more) => withFulfillments({ id: 'ful_1', items: ITEMS, ...more })),
	],
	[
		'a fulfillment does not say plainly what it holds',
		UNTOLD,
		[
			...[{ id: 'ful_1' }, 'ful_1', { status: 'shipped', items: [] }],
			...[
				{ line_item_id: 'li_1' },
				{ id: 'li_1', quantity: 2 },
				{ line_item_id: 'li_3', id: 'li_1', quantity: 2 },
				{ ...ITEMS[0], cancelled_quantity: 1 },
			].map((item) => ({ items: [item] })),
		]
			.map((one) => withFulfillments({ items: [LINES[1]] }, one))
			.concat({ ...withFulfillments(), shipments: [{ items: ITEMS }] }),
	],
	[
		'a line contradicts a fulfillment',
		/contradicts itself/,
		[{ ...ONE_OPEN, fulfillments: [{ items: ITEMS }] }],
	],
])('is not told where %s', (_what, problem, orders) => {
	for (const order of orders) {
		const said = openOf({ line_items: LINES, ...order });
		expect([order, said]).toEqual([order, expect.stringMatching(problem)]);
	}
});

it('what is not understood is named all at once, each once', () => {
	const line_items = LINES.map((line) => ({ ...line, lot: 7 }));
	expect(openOf({ ...WHOLE, depot: 'B', route: ['b2'], line_items })).toBe(
		'says “lot: 7” of the line “li_1”, “depot: B”, “route”, which is not understood',
	);
});

it('a list of lines under another name is not that of its lines, wherever it stands', () => {
	const cancelled_items = [{ line_item_id: 'li_9', quantity: 9 }];
	expect(openOf({ cancelled_items, ...WHOLE }, ['cancelled_items'])).toEqual(LINES);
	expect(openOf({ ...WHOLE, cancelled_items, line_items: null })).toBe('shows no line items');
});

describe('a field that is named as unrelated', () => {
	it('says nothing, of a line and of the order, and names nothing but itself', () => {
		const own = { engraving: true, lot: 2 };
		expect(openOf({ ...withOwn(own), ...own }, ['Engraving', 'lot'])).toEqual(LINES);
		expect(openOf(withOwn({ ...own, delivered: true }), Object.keys(own))).toMatch(
			/^says “delivered: true” of the line “li_1”/,
		);
	});

	it('cannot be one that says what was sent', () => {
		const quantities = ['quantity', 'open_quantity', 'cancelledQuantity'];
		for (const name of ['status', 'State', ...quantities, 'fulfillment_status', 'fulfilled_by'])
			expect(() => openItemsOf(WHOLE, [name])).toThrow(`“Unrelated Fields” cannot hold “${name}”`);
	});
});

/** Words, numbers and switches as a platform may invent them, under any name. */
const NAMES = 'shipped sent zorp qty_done dispatched_at delivery_state openQuantity2'.split(' ');
const VALUES = [0, 1, 2, true, false, 'done', 'unfulfilled', 'li_1', '1', [1], { of: 'li_1' }];

it('counts nothing unknown as open, wherever it stands', () => {
	const random = seeded(7);
	const tells: IDataObject[] = [{ fulfilled_quantity: 0 }, { open_quantity: 1 }, {}];
	for (let round = 0; round < 2_000; round++) {
		const unknown = { [pick(NAMES, random)]: pick(VALUES, random) } as IDataObject;
		const fulfilled = { ...withFulfillments({ items: [LINES[1]], ...unknown }) };
		for (const order of [
			withLine({ ...pick(tells, random), ...unknown }),
			{ ...WHOLE, ...fulfilled, fulfillment_state: null },
			{ ...WHOLE, ...unknown },
		])
			expect(openOf(order)).toContain('not understood');
	}
});
