import { randomBytes } from 'node:crypto';
import { iso } from '../shop/clock';
import type { DeliveryAttempt, DeliveryRecord, DeliveryState } from '../control/types';
import type { Endpoint } from './endpoints';

/** A delivery with what the sender has to keep in mind about it. */
export interface Delivery {
	id: string;
	event: string;
	endpointId: string;
	url: string;
	body: string;
	/** Hex of the HMAC; the same over all attempts, like the body. */
	signature: string;
	state: DeliveryState;
	attempts: DeliveryAttempt[];
	/** Attempts of the retry policy that have failed; replays do not count. */
	failures: number;
	/** ms; when the last failure was, which the next attempt is planned from. */
	failedAt: number;
	/** ms; when the first attempt was made. */
	firstSentAt?: number;
	nextAttemptAt?: number;
	timer?: NodeJS.Timeout;
	headers: Record<string, string>;
}

export const newDeliveryId = (): string => `del_${randomBytes(10).toString('hex')}`;

export function newDelivery(
	endpoint: Endpoint,
	of: { event: string; body: string; signature: string },
): Delivery {
	return {
		id: newDeliveryId(),
		endpointId: endpoint.id,
		url: endpoint.url,
		...of,
		state: 'pending',
		attempts: [],
		failures: 0,
		failedAt: 0,
		headers: {},
	};
}

export function toRecord(delivery: Delivery): DeliveryRecord {
	const { id, event, endpointId, url, state, attempts, body, headers, nextAttemptAt } = delivery;
	return {
		id,
		event,
		endpointId,
		url,
		state,
		attempts,
		nextAttemptAt: nextAttemptAt === undefined ? null : iso(nextAttemptAt),
		body,
		headers,
	};
}
