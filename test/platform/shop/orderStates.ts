import { fulfilmentState, type Order, type OrderStatus } from './order';
import { iso } from './clock';
import { invalid, notFound, Refusal, requireWritable } from './refusal';
import type { Shop } from './shop';

/** Which moves between states are allowed. The table is not shown; this is the plain one. */
const MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
	created: ['paid', 'cancelled'],
	paid: ['fulfilled', 'cancelled'],
	fulfilled: [],
	cancelled: [],
};

export const ORDER_STATUSES = Object.keys(MOVES) as OrderStatus[];

export interface OrderChange {
	order: Order;
	/** Deliveries of the event that the change caused. */
	deliveryIds: string[];
}

/** @throws Refusal NOT_FOUND. */
export function orderIndex(shop: Shop, id: string): number {
	const index = shop.ids.orders.decode(id);
	if (index === undefined || !shop.orders.get(index)) throw notFound(`order ${id}`);
	return index;
}

/** @throws Refusal INVALID_STATE_TRANSITION if the order cannot go there from where it is. */
export function requireMove(order: Order, to: OrderStatus): void {
	const isPartlySent = order.fulfillment_state.fulfilled_quantity > 0;
	if (!MOVES[order.status].includes(to) || (to === 'cancelled' && isPartlySent)) {
		throw new Refusal(
			'INVALID_STATE_TRANSITION',
			`Order ${order.id} is ${isPartlySent && order.status === 'paid' ? 'partly fulfilled' : order.status} and cannot become ${to}`,
		);
	}
}

const AFTER: Readonly<Record<OrderStatus, (order: Order) => Partial<Order>>> = {
	created: () => ({}),
	paid: ({ total, payment_summary }) => ({
		payment_summary: { ...payment_summary, status: 'paid', paid: total },
	}),
	fulfilled: ({ line_items }) => {
		const lines = line_items.map((line) => ({ ...line, fulfilled_quantity: line.quantity }));
		return { line_items: lines, fulfillment_state: fulfilmentState(lines) };
	},
	cancelled: () => ({}),
};

/**
 * Moves an order into a state and emits `order.<state>`.
 *
 * @throws Refusal NOT_FOUND or INVALID_STATE_TRANSITION.
 */
export function moveOrder(
	shop: Shop,
	id: string,
	to: OrderStatus,
	fields: Partial<Order> = {},
): OrderChange {
	const index = orderIndex(shop, id);
	const order = shop.orders.replace(index, (old, at) => {
		requireMove(old, to);
		return { ...old, ...fields, ...AFTER[to](old), status: to, updated_at: iso(at) };
	});
	return { order, deliveryIds: shop.emit(`order.${to}`, orderPayload(order)) };
}

/** Events, Delivery request: the payload of order.paid, used for all order events. */
export const orderPayload = ({ id, status, total }: Order) => ({ id, status, total });

const COMPUTED = [
	'id',
	'number',
	'total',
	'totals',
	'line_items',
	'payment_summary',
	'fulfillment_state',
	'created_at',
	'updated_at',
];

/**
 * PATCH of an order: `merchant_note`, a `status` (through the state machine) and free further fields.
 *
 * @throws Refusal NOT_FOUND, INVALID_STATE_TRANSITION, or INVALID_PARAMETER for a computed field.
 */
export function patchOrder(shop: Shop, id: string, patch: Record<string, unknown>): Order {
	const index = orderIndex(shop, id);
	requireWritable(patch, COMPUTED);
	const { status, ...fields } = patch;
	if (status !== undefined) {
		if (!ORDER_STATUSES.includes(status as OrderStatus)) {
			throw invalid(`status must be one of ${ORDER_STATUSES.join(', ')}`);
		}
		return moveOrder(shop, id, status as OrderStatus, fields).order;
	}
	return shop.orders.replace(index, (old, at) => ({ ...old, ...fields, updated_at: iso(at) }));
}
