import { fulfilmentState, orderPayload, type Order, type OrderStatus } from './order';
import { iso } from './clock';
import { invalid, Refusal, requireWritable, SET_BY_THE_PLATFORM } from './refusal';
import { create, update, type Fields } from './writing';
import type { Place } from './collection';
import type { Shop } from './shop';

/** The allowed moves between states. The API document shows no table; this is the plain one. */
const MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
	created: ['paid', 'cancelled'],
	paid: ['fulfilled', 'cancelled'],
	fulfilled: [],
	cancelled: [],
};

export const ORDER_STATUSES = Object.keys(MOVES) as OrderStatus[];

/** @throws Refusal INVALID_STATE_TRANSITION if the order cannot move to this state */
export function requireMove({ id, status, fulfillment_state }: Order, to: OrderStatus): void {
	const isPartlySent = fulfillment_state.fulfilled_quantity > 0;
	if (MOVES[status].includes(to) && !(to === 'cancelled' && isPartlySent)) return;
	const present = isPartlySent && status === 'paid' ? 'partly fulfilled' : status;
	throw new Refusal(
		'INVALID_STATE_TRANSITION',
		`Order ${id} is ${present} and cannot become ${to}`,
	);
}

/** Fields that change together with the state. */
const AFTER: Readonly<Partial<Record<OrderStatus, (order: Order) => Partial<Order>>>> = {
	paid: ({ total, payment_summary }) => ({
		payment_summary: { ...payment_summary, status: 'paid', paid: total },
	}),
	fulfilled: ({ line_items }) => {
		const lines = line_items.map((line) => ({ ...line, fulfilled_quantity: line.quantity }));
		return { line_items: lines, fulfillment_state: fulfilmentState(lines) };
	},
};

/**
 * Moves an order to a state and emits `order.<state>`.
 *
 * @returns the order, and the ids of the event's deliveries
 * @throws Refusal NOT_FOUND or INVALID_STATE_TRANSITION
 */
export function moveOrder(shop: Shop, id: string, to: OrderStatus, fields: Partial<Order> = {}) {
	const { index, record } = shop.find('orders', id);
	requireMove(record, to);
	const order = shop.records.orders.replace(index, (old, at) => ({
		...old,
		...fields,
		...AFTER[to]?.(old),
		status: to,
		updated_at: iso(at),
	}));
	return { order, deliveryIds: shop.emit(`order.${to}`, orderPayload(order)) };
}

/** A customer places an order: a new, unpaid one. Emits `order.created`. */
export function placeOrder(shop: Shop, fields: Fields = {}) {
	const { record: order, deliveryIds } = create(shop, 'orders', fields);
	return { order, deliveryIds };
}

/**
 * A customer pays. Without an id: the oldest unpaid order, or a new one if none is left.
 *
 * @returns the order, and the ids of the deliveries of `order.paid`
 * @throws Refusal NOT_FOUND or INVALID_STATE_TRANSITION
 */
export function payOrder(shop: Shop, id?: string) {
	return moveOrder(shop, id ?? oldestUnpaid(shop) ?? placeOrder(shop).order.id, 'paid');
}

function oldestUnpaid(shop: Shop): string | undefined {
	const after: Place = [0, shop.firstUnpaid - 1];
	const range = { order: 'created', descending: false, after } as const;
	for (const { index, value } of shop.records.orders.entries(range)) {
		shop.firstUnpaid = index;
		if (value.status === 'created') return value.id;
	}
	return undefined;
}

const COMPUTED = [
	...SET_BY_THE_PLATFORM,
	...['number', 'total', 'totals', 'line_items', 'payment_summary', 'fulfillment_state'],
];

/**
 * PATCH of an order: `merchant_note`, a `status` (an allowed move), and any further fields that are not computed.
 *
 * @throws Refusal NOT_FOUND, INVALID_STATE_TRANSITION, or INVALID_PARAMETER for a computed field
 */
export function patchOrder(shop: Shop, id: string, patch: Fields): Order {
	requireWritable(patch, COMPUTED);
	const { status, ...fields } = patch;
	if (status === undefined) return update(shop, 'orders', id, fields);
	if (!ORDER_STATUSES.includes(status as OrderStatus)) {
		throw invalid(`status must be one of ${ORDER_STATUSES.join(', ')}`);
	}
	return moveOrder(shop, id, status as OrderStatus, fields).order;
}
