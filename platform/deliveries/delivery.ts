import { randomBytes } from 'node:crypto';
import type { Endpoint } from './endpoints';
import type { Outcome } from './transport';

export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** A delivery as the control API shows it. */
export type DeliveryRecord = ReturnType<typeof newDelivery>['record'];

/** A delivery with what the dispatcher remembers about it. */
export type Delivery = ReturnType<typeof newDelivery> & {
	/** When the first attempt was made, ms. */
	firstSentAt?: number;
	timer?: NodeJS.Timeout;
};

export interface DeliveryFilter extends Partial<
	Pick<DeliveryRecord, 'event' | 'endpointId' | 'state'>
> {
	/** Only the newest ones, this many; at least 1. */
	limit?: number;
}

export const newDeliveryId = (): string => `del_${randomBytes(10).toString('hex')}`;

export const newDelivery = (
	{ id: endpointId, url }: Endpoint,
	{ event, body, signature }: { event: string; body: string; signature: string },
) => ({
	record: {
		/** The same in all attempts. */
		id: newDeliveryId(),
		event,
		endpointId,
		url,
		state: 'pending' as DeliveryState,
		/** Each attempt with its time, ISO 8601. */
		attempts: [] as Array<Outcome & { at: string }>,
		/** ISO 8601 time of the next attempt while one is planned. */
		nextAttemptAt: null as string | null,
		/** The exact text that is signed and sent. */
		body,
		/** Headers of the last attempt, names in lower case. Empty before the first. */
		headers: {} as Record<string, string>,
	},
	/** Hex of the HMAC; the same in all attempts, like the body. */
	signature,
	/** Failed attempts of the retry policy; replays do not count. */
	failures: 0,
	/** When the last attempt failed, ms; the next one is planned from then. */
	failedAt: 0,
});
