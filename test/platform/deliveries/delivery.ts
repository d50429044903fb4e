import { randomBytes } from 'node:crypto';
import type { Endpoint } from './endpoints';

interface DeliveryAttempt {
	/** ISO 8601. */
	at: string;
	/** Status of the receiver's answer, if there was one. */
	status?: number;
	/** Why there was no answer: `timeout`, `ECONNREFUSED`, … */
	error?: string;
	durationMs: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export interface DeliveryRecord {
	/** `del_…`, the same over all attempts. */
	id: string;
	event: string;
	endpointId: string;
	url: string;
	state: DeliveryState;
	attempts: DeliveryAttempt[];
	/** ISO 8601 time of the next attempt while one is planned. */
	nextAttemptAt: string | null;
	/** The exact text that is signed and sent. */
	body: string;
	/** Headers of the last attempt, names in lower case. Empty before the first. */
	headers: Record<string, string>;
}

export interface DeliveryFilter {
	event?: string;
	endpointId?: string;
	state?: DeliveryState;
	/** Only the newest so many; at least 1. */
	limit?: number;
}

/** A delivery with what the sender has to keep in mind about it. */
export interface Delivery extends DeliveryRecord {
	/** Hex of the HMAC; the same over all attempts, like the body. */
	signature: string;
	/** Attempts of the retry policy that have failed; replays do not count. */
	failures: number;
	/** ms; when the last failure was, which the next attempt is planned from. */
	failedAt: number;
	/** ms; when the first attempt was made. */
	firstSentAt?: number;
	timer?: NodeJS.Timeout;
}

export const newDeliveryId = (): string => `del_${randomBytes(10).toString('hex')}`;

export const newDelivery = (
	{ id: endpointId, url }: Endpoint,
	of: { event: string; body: string; signature: string },
): Delivery => ({
	id: newDeliveryId(),
	event: of.event,
	endpointId,
	url,
	state: 'pending',
	attempts: [],
	nextAttemptAt: null,
	body: of.body,
	headers: {},
	signature: of.signature,
	failures: 0,
	failedAt: 0,
});

/** What the control API shows of a delivery. */
export function toRecord(delivery: Delivery): DeliveryRecord {
	const { id, event, endpointId, url, state, attempts, nextAttemptAt, body, headers } = delivery;
	return { id, event, endpointId, url, state, attempts, nextAttemptAt, body, headers };
}
