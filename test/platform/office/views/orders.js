import { call } from '../control.js';
import { el } from '../dom.js';
import { money, plural, when } from '../format.js';
import { listing } from '../listing.js';
import { say } from '../notices.js';
import { attempt, badge, button, head, search, segments } from '../parts.js';
import { stateTone } from '../tones.js';

const STATES = [
	['', 'All'],
	['created', 'Unpaid'],
	['paid', 'Paid'],
	['fulfilled', 'Fulfilled'],
	['cancelled', 'Cancelled'],
];

const COLUMNS = [
	{ name: 'Order' },
	{ name: 'State' },
	{ name: 'Customer' },
	{ name: 'Total', kind: 'end' },
	{ name: 'Merchant note' },
];

async function open(place) {
	const list = listing({
		kind: 'orders',
		caption: 'Orders, the newest first',
		columns: COLUMNS,
		keyOf: ({ id }) => id,
		render: row,
		nothing: ['No orders here', 'Choose another state, or place an order.'],
	});
	const placed = button('Place an order', async () => {
		const { order, deliveryIds } = await call('createOrder');
		say(`Order #${order.number} was placed. ${goesOut('order.created', deliveryIds)}`);
		await list.refresh();
	});
	place.append(
		head('Orders', 'Be the customer: pay an order, and see in n8n what comes of it.', placed),
		el(
			'div.tools',
			{},
			segments('State', STATES, (status) =>
				attempt(async () => await list.narrow({ status: status || undefined })),
			),
			search('Search orders', (q) => attempt(async () => await list.narrow({ q }))),
		),
		...list.elements,
	);
	return list.refresh;
}

const row = (order) =>
	el(
		'tr',
		{},
		el('td.near', {}, el('span.title', {}, `#${order.number}`), el('small.mono', {}, order.id)),
		el(
			'td.near',
			{},
			badge(order.status === 'created' ? 'unpaid' : order.status, stateTone(order.status)),
			' ',
			order.status === 'created' && payButton(order),
			el('small', {}, el('time', { datetime: order.created_at }, when(order.created_at))),
		),
		el(
			'td.near',
			{},
			order.shipping_address?.name ?? '–',
			el('small.cut', { title: order.email }, order.email),
		),
		el('td.end', {}, money(order.total), el('small', {}, plural(itemsOf(order), 'item'))),
		el('td.note', {}, order.merchant_note || el('span.soft', {}, '–')),
	);

const itemsOf = ({ line_items: lines = [] }) =>
	lines.reduce((sum, { quantity }) => sum + quantity, 0);

const payButton = ({ id, number }) =>
	button(
		'Pay',
		async () => {
			const { deliveryIds } = await call('payOrder', { orderId: id });
			const tone = deliveryIds.length === 0 ? 'warn' : 'good';
			say(`Order #${number} is paid. ${goesOut('order.paid', deliveryIds)}`, tone);
		},
		{ act: 'pay', kind: 'primary', name: `Pay order #${number}` },
	);

const goesOut = (event, deliveryIds) =>
	deliveryIds.length === 0
		? `Nobody listens for ${event}: publish a workflow with the Commerce Platform Trigger in n8n.`
		: `${plural(deliveryIds.length, 'delivery', 'deliveries')} of ${event} went out.`;

export const orders = { title: 'Orders', open };
