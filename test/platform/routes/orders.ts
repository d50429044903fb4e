import { resource, type Handler, type World } from '../api/call';
import { isOrAny, mentions } from './search';
import { fulfilOrder, type FulfilmentRequest } from '../shop/fulfilment';
import { maskOrder } from '../shop/masking';
import { moveOrder, ORDER_STATUSES, orderIndex, patchOrder } from '../shop/orderStates';
import { Refusal } from '../shop/refusal';
import { refundOrder as refund, type RefundRequest } from '../shop/refund';
import type { ListSpec } from '../api/select';
import type { Order } from '../shop/order';

const shown = ({ settings }: World, order: Order): Order =>
	settings.maskPersonalData ? maskOrder(order) : order;

/** The list leaves out what is stated to be "included on get". */
const summary = ({
	line_items: _l,
	totals: _t,
	payment_summary: _p,
	fulfillment_state: _f,
	...rest
}: Order) => rest;

const orderList = (world: World): ListSpec<Order> => ({
	name: 'orders',
	collection: world.shop.orders,
	sorts: { created_at: 'created', updated_at: 'updated', number: 'created' },
	statuses: ORDER_STATUSES,
	matches: ({ id, number, status, email, line_items }, query) =>
		isOrAny(query.status, status) &&
		(query.sku === undefined || line_items.some(({ sku }) => sku === query.sku)) &&
		mentions(query.q, id, number, email),
	present: (order) => summary(shown(world, order) as Order),
});

const listOrders: Handler = ({ world, query }) =>
	world.pages.page(orderList(world), query, String(world.settings.maskPersonalData));

const getOrder: Handler = ({ world, params }) =>
	resource(shown(world, world.shop.orders.get(orderIndex(world.shop, params.id))!));

const updateOrder: Handler = ({ world, params, body }) =>
	resource(shown(world, patchOrder(world.shop, params.id, body as Record<string, unknown>)));

const cancelOrder: Handler = ({ world, params }) =>
	resource(shown(world, moveOrder(world.shop, params.id, 'cancelled').order));

const fulfillOrder: Handler = ({ world, params, body }) =>
	resource(fulfilOrder(world.shop, params.id, body as FulfilmentRequest), 201);

const refundOrder: Handler = ({ world, params, body }) => {
	if (!world.settings.paymentProviderLinked) {
		throw new Refusal('PAYMENT_PROVIDER_REQUIRED', 'The shop has no linked payment provider');
	}
	return resource(refund(world.shop, params.id, (body ?? {}) as RefundRequest), 201);
};

export const orderHandlers = {
	listOrders,
	getOrder,
	updateOrder,
	cancelOrder,
	fulfillOrder,
	refundOrder,
};
