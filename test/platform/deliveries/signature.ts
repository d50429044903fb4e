import { createHmac } from 'node:crypto';
import type { By, Dialect } from '../dialects/dialect';

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

const PREFIXES: By<'headerPrefix', string> = {
	shop: 'x-shop',
	brand: 'x-northwind',
};

const CASES: By<'signatureCase', (hex: string) => string> = {
	lower: (hex) => hex,
	upper: (hex) => hex.toUpperCase(),
};

const TYPES: By<'deliveryType', string> = {
	plain: 'application/json',
	charset: 'application/json; charset=utf-8',
};

/** Headers of a delivery (Delivery request), in the families that the dialect has. */
export function deliveryHeaders(
	{ deliveryId, event, signature: hex, sentAt }: Signed,
	dialect: Dialect,
): Record<string, string> {
	const timestamp = String(Math.floor(sentAt / 1_000));
	const signature = CASES[dialect.signatureCase](hex);
	const prefix = PREFIXES[dialect.headerPrefix];
	const current = {
		[`${prefix}-signature`]: signature,
		[`${prefix}-timestamp`]: timestamp,
		[`${prefix}-delivery-id`]: deliveryId,
		[`${prefix}-event`]: event,
	};
	const legacy = {
		'x-ecom-signature': signature,
		'x-ecom-timestamp': timestamp,
		'x-ecom-delivery-id': deliveryId,
	};
	return {
		'content-type': TYPES[dialect.deliveryType],
		...(dialect.legacyHeaders === 'only' ? {} : current),
		...(dialect.legacyHeaders === 'off' ? {} : legacy),
	};
}
