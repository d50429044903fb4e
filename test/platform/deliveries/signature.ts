import { createHmac } from 'node:crypto';
import type { Settings } from '../settings';

/** Signature verification 1: hex of HMAC-SHA256 over the exact raw body, keyed with the secret. */
export function sign(secret: string, body: string): string {
	return createHmac('sha256', secret).update(body, 'utf8').digest('hex');
}

export interface Signed {
	deliveryId: string;
	event: string;
	signature: string;
	/** ms since 1970. */
	sentAt: number;
}

/** Headers of a delivery (Delivery request), in the families that the platform sends just now. */
export function deliveryHeaders(
	{ deliveryId, event, signature, sentAt }: Signed,
	families: Settings['legacyHeaders'],
): Record<string, string> {
	const timestamp = String(Math.floor(sentAt / 1_000));
	const current = {
		'x-shop-signature': signature,
		'x-shop-timestamp': timestamp,
		'x-shop-delivery-id': deliveryId,
		'x-shop-event': event,
	};
	const legacy = {
		'x-ecom-signature': signature,
		'x-ecom-timestamp': timestamp,
		'x-ecom-delivery-id': deliveryId,
	};
	return {
		'content-type': 'application/json',
		...(families === 'only' ? {} : current),
		...(families === 'off' ? {} : legacy),
	};
}
