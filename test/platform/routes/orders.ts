import { resource, type Handler, type World } from '../api/call';
import { isOrAny, mentions } from './search';
import { fulfilOrder, type FulfilmentRequest } from '../shop/fulfilment';
import { moveOrder, ORDER_STATUSES, orderIndex, patchOrder } from '../shop/orderStates';
import { invalid, Refusal } from '../shop/refusal';
import { refundOrder as refund, type RefundRequest } from '../shop/refund';
import type { ListSpec } from '../api/select';
import type { Order } from '../shop/order';

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
	present: world.settings.dialect.orderList === 'whole' ? (order) => order : summary,
});

const listOrders: Handler = ({ world, query }) => world.pages.page(orderList(world), query);

const getOrder: Handler = ({ world, params }) =>
	resource(world.shop.orders.get(orderIndex(world.shop, params.id))!);

const updateOrder: Handler = ({ world, params, body }) =>
	resource(patchOrder(world.shop, params.id, body as Record<string, unknown>));

const cancelOrder: Handler = ({ world, params }) => {
	const order = world.shop.orders.get(orderIndex(world.shop, params.id))!;
	const isRepeated =
		order.status === 'cancelled' && world.settings.dialect.repeatedMove === 'taken';
	return resource(isRepeated ? order : moveOrder(world.shop, params.id, 'cancelled').order);
};

const fulfillOrder: Handler = ({ world, params, body }) => {
	const { fulfillmentWithoutItems } = world.settings.dialect;
	const request = body as FulfilmentRequest;
	return resource(fulfilOrder(world.shop, params.id, request, fulfillmentWithoutItems), 201);
};

const refundOrder: Handler = ({ world, params, body }) => {
	if (!world.settings.paymentProviderLinked) {
		throw new Refusal('PAYMENT_PROVIDER_REQUIRED', 'The shop has no linked payment provider');
	}
	const request = (body ?? {}) as RefundRequest;
	const isUnsaid = request.amount === undefined;
	if (isUnsaid && world.settings.dialect.refundWithoutAmount === 'refused') {
		throw invalid('amount is needed');
	}
	return resource(refund(world.shop, params.id, request), 201);
};

export const orderHandlers = {
	listOrders,
	getOrder,
	updateOrder,
	cancelOrder,
	fulfillOrder,
	refundOrder,
};
