import { orderMaker, type Order } from './order';
import { moveOrder, orderPayload, type OrderChange } from './orderStates';
import type { Shop } from './shop';

/** A customer places an order: a new, unpaid one. Emits `order.created`. */
export function placeOrder(shop: Shop, fields: Partial<Order> = {}): OrderChange {
	const make = orderMaker(shop.size.seed, shop.size);
	const order = shop.orders.add((index, at) => ({ ...make(index, 'created', at, at), ...fields }));
	return { order, deliveryIds: shop.emit('order.created', orderPayload(order)) };
}

/**
 * A customer pays. Without an id, the oldest unpaid order, or a new one if none is left.
 *
 * @returns the deliveries of `order.paid` only.
 * @throws Refusal NOT_FOUND or INVALID_STATE_TRANSITION.
 */
export function payOrder(shop: Shop, id?: string): OrderChange {
	return moveOrder(shop, id ?? oldestUnpaid(shop) ?? placeOrder(shop).order.id, 'paid');
}

function oldestUnpaid(shop: Shop): string | undefined {
	const range = { order: 'created', descending: false, after: shop.firstUnpaid - 1 } as const;
	for (const { index, value } of shop.orders.entries(range)) {
		shop.firstUnpaid = index;
		if (value.status === 'created') return value.id;
	}
	return undefined;
}
