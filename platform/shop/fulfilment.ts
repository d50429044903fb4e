import { randomBytes } from 'node:crypto';
import { fulfilmentState, type LineItem } from './order';
import { iso } from './clock';
import { moveOrder, requireMove } from './orderStates';
import { invalid } from './refusal';
import type { By, Dialect } from '../dialects/dialect';
import type { Shop } from './shop';

/** Fulfillment (request shape). */
export interface FulfilmentRequest {
	tracking_number?: string;
	carrier?: string;
	/** The API document does not show what a request without items means. */
	items?: Array<{ line_item_id: string; quantity: number }>;
}

/**
 * Ships lines of a paid order. The order becomes `fulfilled` when nothing is open any more.
 *
 * @param withoutItems what a request without items means
 * @throws Refusal NOT_FOUND; INVALID_STATE_TRANSITION if the order is not paid; INVALID_PARAMETER for an unknown line
 *   or a quantity above the open one
 */
export function fulfilOrder(
	shop: Shop,
	id: string,
	request: FulfilmentRequest,
	withoutItems: Dialect['fulfillmentWithoutItems'] = 'everything',
) {
	const { index, record: order } = shop.find('orders', id);
	requireMove(order, 'fulfilled');
	const items = request.items?.length ? request.items : ITEMS[withoutItems](order.line_items);
	const line_items = send(order.line_items, items);
	const fulfillment_state = fulfilmentState(line_items);
	const change = { line_items, fulfillment_state };
	const isDone = fulfillment_state.open_quantity === 0;
	const changed = isDone
		? moveOrder(shop, id, 'fulfilled', change).order
		: shop.records.orders.replace(index, (old, at) => ({ ...old, ...change, updated_at: iso(at) }));
	return {
		...request,
		items,
		id: `ful_${randomBytes(8).toString('hex')}`,
		order_id: id,
		order_status: changed.status,
		created_at: changed.updated_at,
	};
}

type Items = NonNullable<FulfilmentRequest['items']>;

const ITEMS: By<'fulfillmentWithoutItems', (lines: readonly LineItem[]) => Items> = {
	everything: (lines) =>
		lines
			.map(({ line_item_id, quantity, fulfilled_quantity }) => ({
				line_item_id,
				quantity: quantity - fulfilled_quantity,
			}))
			.filter(({ quantity }) => quantity > 0),
	nothing: () => [],
	refused: () => {
		throw invalid('items are needed');
	},
};

function send(lines: readonly LineItem[], items: Items): LineItem[] {
	const wanted = new Map<string, number>();
	for (const { line_item_id, quantity } of items) {
		wanted.set(line_item_id, (wanted.get(line_item_id) ?? 0) + quantity);
	}
	const unknown = [...wanted.keys()].find((id) => !lines.some((line) => line.line_item_id === id));
	if (unknown !== undefined) throw invalid(`items: the order has no line ${unknown}`);
	return lines.map((line) => {
		const fulfilled_quantity = line.fulfilled_quantity + (wanted.get(line.line_item_id) ?? 0);
		if (fulfilled_quantity > line.quantity) {
			throw invalid(
				`items: ${line.line_item_id} has ${line.quantity - line.fulfilled_quantity} open`,
			);
		}
		return { ...line, fulfilled_quantity };
	});
}
