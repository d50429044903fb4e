import { randomBytes } from 'node:crypto';
import type { Endpoint } from './endpoints';
import type { Outcome } from './transport';

export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** A delivery as the control API shows it. */
export interface DeliveryRecord {
	/** `del_…`, the same over all attempts. */
	id: string;
	event: string;
	endpointId: string;
	url: string;
	state: DeliveryState;
	/** Each with its time, ISO 8601. */
	attempts: Array<Outcome & { at: string }>;
	/** ISO 8601 time of the next attempt while one is planned. */
	nextAttemptAt: string | null;
	/** The exact text that is signed and sent. */
	body: string;
	/** Headers of the last attempt, names in lower case. Empty before the first. */
	headers: Record<string, string>;
}

export interface DeliveryFilter extends Partial<
	Pick<DeliveryRecord, 'event' | 'endpointId' | 'state'>
> {
	/** Only the newest so many; at least 1. */
	limit?: number;
}

/** A delivery with what the sender has to keep in mind about it. */
export interface Delivery {
	record: DeliveryRecord;
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
	{ event, body, signature }: { event: string; body: string; signature: string },
): Delivery => ({
	record: {
		id: newDeliveryId(),
		event,
		endpointId,
		url,
		state: 'pending',
		attempts: [],
		nextAttemptAt: null,
		body,
		headers: {},
	},
	signature,
	failures: 0,
	failedAt: 0,
});
