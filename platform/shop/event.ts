import { generated, type Source } from './collection';
import type { Order } from './order';

/** An event of the stream. The API document shows only its `event_id`, which rises. */
export interface StreamEvent {
	event_id: string;
	event: string;
	timestamp: string;
	payload: Record<string, unknown>;
}

/** `evt_` and a rising number, padded so that the order of texts is the order of numbers. */
export const eventId = (index: number): string => `evt_${String(index + 1).padStart(12, '0')}`;

/** The event's index; `undefined` if the text is no event id. */
export function eventIndex(id: string): number | undefined {
	const digits = /^evt_(\d{1,12})$/.exec(id)?.[1];
	return digits === undefined ? undefined : Number(digits) - 1;
}

/** The history before the platform was started: one `order.created` per order. */
export const eventSource = (orders: Source<Order>, today: number): Source<StreamEvent> => ({
	...generated(orders.size, today, (index, { created_at }) => {
		const { id, total } = orders.generate(index)!;
		return {
			event_id: eventId(index),
			event: 'order.created',
			timestamp: created_at,
			payload: { id, status: 'created', total },
		};
	}),
	updatedAt: orders.createdAt,
});
