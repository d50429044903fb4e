import type { IDataObject } from 'n8n-workflow';

import { openItemsOf } from '../../../../nodes/CommercePlatform/model/openItems';
import { pick, seeded } from '../../../support/random';

/** Ways in which a platform may tell what was sent of each line; the API document shows none. */
const TELLINGS = [
	'open_quantity',
	'fulfilledQuantity',
	'quantity_shipped',
	'fulfillments',
	'nothing',
] as const;

interface Line {
	id: string;
	quantity: number;
	sent: number;
}

function orderOf(lines: Line[], telling: (typeof TELLINGS)[number]): IDataObject {
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
			const sent =
				telling === 'nothing' ? 0 : pick([0, quantity, Math.floor(random() * quantity)], random);
			return { id: `li_${n}`, quantity, sent };
		});
		const items = lines
			.filter(({ quantity, sent }) => quantity > sent)
			.map(({ id, quantity, sent }) => ({ line_item_id: id, quantity: quantity - sent }));
		expect(openItemsOf(orderOf(lines, telling))).toEqual({ items });
	}
});

it.each<[string, IDataObject, RegExp]>([
	['no line items', { id: 'ord_1' }, /shows no line items/],
	['a line without a quantity', { line_items: [{ line_item_id: 'li_1' }] }, /ID and a quantity/],
	[
		'a part of which nothing tells which',
		{
			fulfillment_state: { status: 'partial' },
			line_items: [{ line_item_id: 'li_1', quantity: 2 }],
		},
		/sent in part/,
	],
	[
		'a part, and no fulfillment that holds it',
		{
			fulfillment_state: { status: 'partial' },
			fulfillments: [],
			line_items: [{ line_item_id: 'li_1', quantity: 2 }],
		},
		/sent in part/,
	],
	...[[{ id: 'ful_1' }], [{ items: [{ line_item_id: 'li_1' }] }]].map(
		(fulfillments): [string, IDataObject, RegExp] => [
			`fulfillments that do not say their pieces: ${JSON.stringify(fulfillments)}`,
			{
				fulfillments: [{ items: [{ line_item_id: 'li_1', quantity: 1 }] }, ...fulfillments],
				line_items: [{ line_item_id: 'li_1', quantity: 2 }],
			},
			/do not say what they hold/,
		],
	),
])('does not guess with %s', (_name, order, problem) => {
	expect(openItemsOf(order)).toMatchObject({ problem: expect.stringMatching(problem) });
});

it('takes nothing of an order whose state says that all is sent', () => {
	const line_items = [{ line_item_id: 'li_1', quantity: 2 }];
	expect(openItemsOf({ status: 'fulfilled', line_items })).toEqual({ items: [] });
	expect(openItemsOf({ fulfillmentState: 'Fulfilled', lineItems: line_items })).toEqual({
		items: [],
	});
});

it.each(['CANCELED', 'cancelled', 'failed', 'voided'])(
	'does not count a fulfillment that is %s, which need not say what it held',
	(status) => {
		const line_items = [{ line_item_id: 'li_1', quantity: 2 }];
		const fulfillments = [{ id: 'ful_1', status }];
		expect(openItemsOf({ line_items, fulfillments })).toEqual({ items: line_items });
	},
);

it('takes what a line says itself, whatever the fulfillments leave open', () => {
	const line_items = [{ line_item_id: 'li_1', quantity: 2, open_quantity: 1 }];
	expect(openItemsOf({ line_items, fulfillments: [{ id: 'ful_1' }] })).toEqual({
		items: [{ line_item_id: 'li_1', quantity: 1 }],
	});
});

const LINES = [
	{ line_item_id: 'li_1', quantity: 2 },
	{ line_item_id: 'li_2', quantity: 1 },
];

it.each<[IDataObject, unknown]>([
	[{ status: 'partially_refunded', fulfillment_state: 'unfulfilled' }, LINES],
	[{ status: 'partially_refunded', fulfillment_state: { status: 'unfulfilled' } }, LINES],
	[{ status: 'completed', fulfillment_state: 'unfulfilled' }, LINES],
	[{ status: 'completed', fulfillmentStatus: 'not_shipped' }, LINES],
	[{ status: 'paid', fulfillment_state: 'fulfilled' }, []],
	[{ status: 'partially_refunded', fulfillment: { state: 'FULLY_SHIPPED' } }, []],
	// Words that say nothing of what is sent leave it to the status.
	[{ status: 'fulfilled', fulfillment: { status: 'automatic' } }, []],
	[{ status: 'fulfilled', fulfillment_type: 'unfulfilled' }, []],
	[{ status: 'partially_paid' }, LINES],
	[{ status: 'partially_refunded', fulfillments: [] }, LINES],
	[{ status: 'Partially Shipped' }, undefined],
	[{ status: 'partially_fulfilled' }, undefined],
	[{ status: 'partial' }, undefined],
	[{ status: 'paid', fulfillment_state: 'partial' }, undefined],
])('goes by the fulfillment state, and by the status only without one: %j', (order, items) => {
	const open = openItemsOf({ ...order, line_items: LINES });
	expect('items' in open ? open.items : undefined).toEqual(items);
});

describe('a fulfillment line', () => {
	const openAfter = (...items: IDataObject[]) =>
		openItemsOf({
			fulfillment_state: 'partially_fulfilled',
			line_items: LINES,
			fulfillments: [{ id: 'ful_1', items }],
		});

	it.each<IDataObject>([
		{ id: 'fli_1', order_line_item_id: 'li_1', quantity: 2 },
		{ id: 'fli_1', line_item: 'li_1', quantity: 2 },
		{ id: 'li_1', quantity: 2 },
	])('is the line of the order whose ID it holds: %j', (line) => {
		expect(openAfter(line)).toEqual({ items: [LINES[1]] });
	});

	it.each<IDataObject>([
		{ id: 'fli_1', quantity: 2 },
		{ line_item_id: 'li_3', quantity: 2 },
		{ line_item_id: 'li_3', id: 'li_1', quantity: 2 },
		{ id: 'li_1', order_line_item_id: 'li_2', quantity: 1 },
	])('leaves open what was sent where it holds no ID of the order, or two: %j', (line) => {
		const problem = 'has fulfillments that do not say what they hold';
		expect(openAfter(line)).toEqual({ problem });
		expect(openAfter({ line_item_id: 'li_2', quantity: 1 }, line)).toEqual({ problem });
	});

	it('that is not known leaves nothing of an order that is sent', () => {
		const fulfillments = [
			{ items: [{ line_item_id: 'li_1', quantity: 1 }] },
			{ items: [{ id: 'fli_2', quantity: 2 }] },
		];
		expect(openItemsOf({ status: 'fulfilled', line_items: LINES, fulfillments })).toEqual({
			items: [],
		});
	});
});
