import { createHmac, randomBytes } from 'node:crypto';

/** A delivery as it is sent to a webhook. Tests make it here, not on the platform, so that it can be wrong. */
export interface Delivery {
	url: string;
	body: string;
	headers: Record<string, string>;
}

export interface DeliveryParts {
	url: string;
	/** The endpoint's signing secret. */
	secret: string;
	event?: string;
	payload?: object;
	/** `del_…`; a new one if absent. */
	id?: string;
}

/** The timestamp header's value: Unix seconds. */
export const timestampOf = (ms: number): string => String(Math.floor(ms / 1000));

/** The signature header's value, for a sender that holds the secret. */
export const sign = (body: string | Uint8Array, secret: string): string =>
	createHmac('sha256', secret).update(body).digest('hex');

/** Headers of a delivery under one brand's prefix. */
export const family = (
	prefix: string,
	signature: string,
	timestamp: string,
	id?: string,
): Record<string, string> => ({
	[`${prefix}-signature`]: signature,
	[`${prefix}-timestamp`]: timestamp,
	...(id !== undefined && { [`${prefix}-delivery-id`]: id }),
});

/** An id that no other delivery has. */
export const newDeliveryId = (): string => `del_${randomBytes(8).toString('hex')}`;

/** A delivery as the API document describes it (Events: delivery request, signature verification). */
export function signedDelivery(parts: DeliveryParts): Delivery {
	const { url, secret, event = 'order.paid' } = parts;
	const now = Date.now();
	// Never a whole second: the trigger takes two deliveries with the same content for one only if their time has a
	// fraction.
	const timestamp = new Date(now % 1000 === 0 ? now + 1 : now).toISOString();
	const id = parts.id ?? newDeliveryId();
	const payload = parts.payload ?? {
		id: `ord_${randomBytes(4).toString('hex')}`,
		status: 'paid',
		total: { amount: 1999, currency: 'EUR' },
	};
	const body = JSON.stringify({ event, timestamp, payload });
	return {
		url,
		body,
		headers: {
			'content-type': 'application/json',
			...family('x-shop', sign(body, secret), timestampOf(now), id),
			'x-shop-event': event,
		},
	};
}
