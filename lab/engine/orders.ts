import { anyContains, list, oneOf, timeFilter, type Query } from './lists';
import {
	FULFILLMENT_FIELDS,
	ORDER_FIELDS,
	REFUND_FIELDS,
	STATES,
	WHOLE_ORDER_FIELDS,
	fulfillmentRecord,
	orderRecord,
	refundRecord,
	refundedAmount,
	statusOf,
	type Fulfillment,
	type Order,
	type Refund,
} from './orderRecord';
import { change, find, graphql, mutate, repository } from './vendure';
import { Refusal, badInput, done, engineId, type Json, type Outcome } from './values';

/** The engine names the transition that it refused. */
const refusedMove = (type: string): string =>
	`... on ${type}StateTransitionError { transitionError fromState toState }`;
const MOVED_FULFILLMENT = `... on Fulfillment { ${FULFILLMENT_FIELDS} } ${refusedMove('Fulfillment')}`;

interface LineInput {
	line_item_id?: string;
	order_line_id?: string;
	quantity: number;
}

const linesOf = (items: LineInput[]) =>
	items.map(({ line_item_id: id, order_line_id: own, quantity }) => ({
		orderLineId: engineId('OrderLine', id ?? own, 'li_'),
		quantity,
	}));

export const findOrder = async (id: string): Promise<Order> =>
	await find('Order', id, WHOLE_ORDER_FIELDS, 'ord_');

export async function listOrders(query: Query) {
	const filter: Json = {
		...timeFilter(query),
		...anyContains(['code', 'customerLastName', 'transactionId'], query.q),
	};
	if (query.status !== undefined) {
		const status = oneOf('status', query.status, STATES.map(statusOf));
		filter.state = { eq: STATES.find((state) => statusOf(state) === status) };
	}
	if (query.sku !== undefined) {
		const rows = await repository('Order').query(
			'SELECT DISTINCT l.orderId AS id FROM order_line l JOIN product_variant v ON v.id = l.productVariantId WHERE v.sku = ?',
			[query.sku],
		);
		filter.id = { in: rows.map(({ id }) => String(id)) };
	}
	return await list(
		{ name: 'orders', type: 'Order', fields: ORDER_FIELDS },
		query,
		filter,
		orderRecord,
	);
}

/** What the engine itself says can still be sent: pieces that are in no parcel but a cancelled one. */
export const openLines = ({ lines = [], fulfillments = [] }: Order) =>
	lines
		.map(({ id, quantity, fulfillmentLines }) => ({
			orderLineId: id,
			quantity: fulfillmentLines
				.filter(({ fulfillmentId }) =>
					fulfillments.some((one) => one.id === fulfillmentId && one.state !== 'Cancelled'),
				)
				.reduce((left, sent) => left - sent.quantity, quantity),
		}))
		.filter(({ quantity }) => quantity > 0);

/** With a tracking number the parcel is on its way; without one it is prepared, as in the engine's own back office. */
export async function fulfill(id: string, body: Json): Promise<Json> {
	const order = await findOrder(id);
	const method = body.carrier ?? order.shippingLines?.[0]?.shippingMethod.name ?? 'manual';
	const tracking = String(body.tracking_number ?? '');
	const lines = body.items === undefined ? openLines(order) : linesOf(body.items as LineInput[]);
	const prepared = await addFulfillment(lines, String(method), tracking);
	if (tracking === '') return fulfillmentRecord(prepared);
	const sent = await moveFulfillment(prepared.id, 'Shipped').catch(async (error: Refusal) => {
		await moveFulfillment(prepared.id, 'Cancelled');
		throw error;
	});
	return fulfillmentRecord(sent);
}

export const addFulfillment = async (
	lines: Json[],
	method: string,
	trackingCode: string,
): Promise<Fulfillment> => {
	const values = [
		{ name: 'method', value: method },
		{ name: 'trackingCode', value: trackingCode },
	];
	const input = { lines, handler: { code: 'manual-fulfillment', arguments: values } };
	return await change('addFulfillmentToOrder', 'FulfillOrderInput', input, MOVED_FULFILLMENT);
};

export const moveFulfillment = async (id: string, state: string): Promise<Fulfillment> =>
	await move('transitionFulfillmentToState', { id, state }, MOVED_FULFILLMENT);

export const moveOrder = async (id: string, state: string): Promise<object> =>
	await move('transitionOrderToState', { id, state }, refusedMove('Order'));

async function move<T extends object>(name: string, variables: Json, fields: string): Promise<T> {
	const mutation = `mutation ($id: ID!, $state: String!) { result: ${name}(id: $id, state: $state) { __typename ... on ErrorResult { errorCode message } ${fields} } }`;
	return done((await graphql<{ result: Outcome<T> }>(mutation, variables)).result);
}

/** Gives back an amount, or what the named lines cost; all that is left, if the body names neither. */
export async function refund(id: string, body: Json): Promise<Json> {
	const order = await findOrder(id);
	const { amount, currency } = (
		typeof body.amount === 'object' && body.amount !== null ? body.amount : body
	) as { amount?: number; currency?: string };
	if (currency !== undefined && currency !== order.currencyCode)
		throw new Refusal(422, 'CURRENCY_MISMATCH', `The order is in ${order.currencyCode}`);
	const payments = order.payments ?? [];
	const left = payments.map((one) =>
		one.state === 'Settled' ? one.amount - refundedAmount(one) : 0,
	);
	const index = Math.max(
		0,
		left.findIndex((one) => one > 0),
	);
	if (payments.length === 0)
		throw new Refusal(409, 'INVALID_STATE_TRANSITION', 'The order has no payment');
	const lines = linesOf((body.items ?? body.line_items ?? []) as LineInput[]);
	const price = (lineId: string) =>
		order.lines?.find((line) => line.id === lineId)?.proratedUnitPriceWithTax ?? 0;
	const ofLines = lines.reduce((sum, line) => sum + price(line.orderLineId) * line.quantity, 0);
	const input = {
		paymentId: payments[index].id,
		reason: body.reason,
		amount: amount ?? (lines.length > 0 ? ofLines : left[index]),
		lines,
		shipping: 0,
		adjustment: 0,
	};
	return refundRecord(await addRefund(input), order.currencyCode);
}

export const addRefund = async (input: Json): Promise<Refund> =>
	await change(
		'refundOrder',
		'RefundOrderInput',
		input,
		`... on Refund { ${REFUND_FIELDS} } ${refusedMove('Order')} ... on RefundAmountError { maximumRefundable } ... on RefundOrderStateError { orderState }`,
	);

export async function cancel(id: string, body: Json): Promise<Json> {
	const lines = body.lines === undefined ? undefined : linesOf(body.lines as LineInput[]);
	const { id: orderId, state, nextStates = [] } = await findOrder(id);
	// The engine itself takes the pieces out before it refuses.
	if (lines === undefined && !nextStates.includes('Cancelled'))
		throw new Refusal(
			409,
			'INVALID_STATE_TRANSITION',
			`Cannot transition Order from "${state}" to "Cancelled"`,
		);
	await cancelOrder({ orderId, reason: body.reason, cancelShipping: body.cancel_shipping, lines });
	return orderRecord(await findOrder(id));
}

export const cancelOrder = async (input: Json): Promise<object> =>
	await change('cancelOrder', 'CancelOrderInput', input, refusedMove('Order'));

export async function updateOrder(id: string, { merchant_note: merchantNote, ...others }: Json) {
	const order = await findOrder(id);
	const [unknown] = Object.keys(others);
	if (unknown !== undefined)
		throw badInput(`Field "${unknown}" is not defined by type "UpdateOrderInput".`);
	if (merchantNote !== undefined)
		await mutate('setOrderCustomFields', 'UpdateOrderInput', {
			id: order.id,
			customFields: { merchantNote },
		});
	return orderRecord(await findOrder(id));
}
