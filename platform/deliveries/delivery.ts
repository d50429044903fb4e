import { randomBytes } from 'node:crypto';
import type { Endpoint } from './endpoints';
import type { Outcome } from './transport';

export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** A delivery as the control API shows it. */
export type DeliveryRecord = ReturnType<typeof newDelivery>['record'];

/** A delivery with what the sender has to keep in mind about it. */
export type Delivery = ReturnType<typeof newDelivery> & {
	/** ms; when the first attempt was made. */
	firstSentAt?: number;
	timer?: NodeJS.Timeout;
};

export interface DeliveryFilter extends Partial<
	Pick<DeliveryRecord, 'event' | 'endpointId' | 'state'>
> {
	/** Only the newest so many; at least 1. */
	limit?: number;
}

export const newDeliveryId = (): string => `del_${randomBytes(10).toString('hex')}`;

export const newDelivery = (
	{ id: endpointId, url }: Endpoint,
	{ event, body, signature }: { event: string; body: string; signature: string },
) => ({
	record: {
		/** The same over all attempts. */
		id: newDeliveryId(),
		event,
		endpointId,
		url,
		state: 'pending' as DeliveryState,
		/** Each with its time, ISO 8601. */
		attempts: [] as Array<Outcome & { at: string }>,
		/** ISO 8601 time of the next attempt while one is planned. */
		nextAttemptAt: null as string | null,
		/** The exact text that is signed and sent. */
		body,
		/** Of the last attempt, names in lower case. Empty before the first. */
		headers: {} as Record<string, string>,
	},
	/** Hex of the HMAC; the same over all attempts, like the body. */
	signature,
	/** Attempts of the retry policy that have failed; replays do not count. */
	failures: 0,
	/** ms; when the last failure was, which the next attempt is planned from. */
	failedAt: 0,
});
