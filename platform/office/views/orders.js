import { call } from '../control.js';
import { el } from '../dom.js';
import { money, plural } from '../format.js';
import { listView } from '../listing.js';
import { say } from '../notices.js';
import { button, none, row, state, time } from '../parts.js';

const STATES = [
	['', 'All'],
	['created', 'Created (Not Paid Yet)'],
	['paid', 'Paid'],
	['fulfilled', 'Fulfilled'],
	['cancelled', 'Cancelled'],
];

const orderRow = ({ id, number, status, created_at: created, email, total, ...order }) =>
	row(
		id,
		['td.near', el('span.title', `#${number}`), el('small.mono', id)],
		[
			'td.near',
			state(status),
			' ',
			status === 'created' && payButton(id, number),
			el('small', time(created)),
		],
		['td.near', order.shipping_address?.name ?? '–', el('small.cut', { title: email }, email)],
		['td.end', money(total), el('small', plural(itemsOf(order), 'item'))],
		['td.note', order.merchant_note || none()],
	);

const itemsOf = ({ line_items: lines = [] }) =>
	lines.reduce((sum, { quantity }) => sum + quantity, 0);

function payButton(id, number) {
	const pay = async () => {
		const { deliveryIds } = await call('payOrder', { orderId: id });
		const tone = deliveryIds.length === 0 ? 'warn' : 'good';
		say(`Order #${number} is paid. ${goesOut('order.paid', deliveryIds)}`, tone);
	};
	return button('Pay', pay, { act: 'pay', kind: 'primary', name: `Pay order #${number}` });
}

const placeButton = button('Place an order', async () => {
	const { order, deliveryIds } = await call('createOrder');
	say(`Order #${order.number} was placed. ${goesOut('order.created', deliveryIds)}`);
});

const goesOut = (event, deliveryIds) =>
	deliveryIds.length === 0
		? `No endpoint is subscribed to ${event}. Publish a workflow with the Commerce Platform Trigger in n8n.`
		: `${plural(deliveryIds.length, 'delivery', 'deliveries')} of ${event} sent.`;

export const orders = listView({
	title: 'Orders',
	lead: 'Pay an order like a customer and watch n8n react.',
	kind: 'orders',
	caption: 'Orders, the newest first',
	columns: [['Order'], ['State'], ['Customer'], ['Total', 'end'], ['Merchant note']],
	row: orderRow,
	nothing: ['No orders here', 'Choose another state, or place an order.'],
	searched: 'Search orders',
	states: STATES,
	action: placeButton,
});
