import { call } from '../control.js';
import { el } from '../dom.js';
import { money, plural } from '../format.js';
import { listView } from '../listing.js';
import { say } from '../notices.js';
import { badge, button, row, time } from '../parts.js';
import { stateTone } from '../tones.js';

const STATES = [
	['', 'All'],
	['created', 'Unpaid'],
	['paid', 'Paid'],
	['fulfilled', 'Fulfilled'],
	['cancelled', 'Cancelled'],
];

const orderRow = (order) =>
	row(
		['td.near', el('span.title', `#${order.number}`), el('small.mono', order.id)],
		[
			'td.near',
			badge(order.status === 'created' ? 'unpaid' : order.status, stateTone(order.status)),
			' ',
			order.status === 'created' && payButton(order),
			el('small', time(order.created_at)),
		],
		[
			'td.near',
			order.shipping_address?.name ?? '–',
			el('small.cut', { title: order.email }, order.email),
		],
		['td.end', money(order.total), el('small', plural(itemsOf(order), 'item'))],
		['td.note', order.merchant_note || el('span.soft', '–')],
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

const placeButton = (refresh) =>
	button('Place an order', async () => {
		const { order, deliveryIds } = await call('createOrder');
		say(`Order #${order.number} was placed. ${goesOut('order.created', deliveryIds)}`);
		await refresh();
	});

const goesOut = (event, deliveryIds) =>
	deliveryIds.length === 0
		? `Nobody listens for ${event}: publish a workflow with the Commerce Platform Trigger in n8n.`
		: `${plural(deliveryIds.length, 'delivery', 'deliveries')} of ${event} went out.`;

export const orders = listView({
	title: 'Orders',
	lead: 'Be the customer: pay an order, and see in n8n what comes of it.',
	kind: 'orders',
	caption: 'Orders, the newest first',
	columns: [['Order'], ['State'], ['Customer'], ['Total', 'end'], ['Merchant note']],
	keyOf: ({ id }) => id,
	row: orderRow,
	nothing: ['No orders here', 'Choose another state, or place an order.'],
	searched: 'Search orders',
	states: STATES,
	action: placeButton,
});
