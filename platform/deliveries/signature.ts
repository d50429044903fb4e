import { createHmac } from 'node:crypto';
import { formOf } from '../dialects/form';
import type { By, Dialect } from '../dialects/dialect';

/** Signature verification 1: hex of HMAC-SHA256 over the exact raw body, keyed with the secret. */
export function sign(secret: string, body: string): string {
	return createHmac('sha256', secret).update(body, 'utf8').digest('hex');
}

const CASES: By<'signatureCase', (hex: string) => string> = {
	lower: (hex) => hex,
	upper: (hex) => hex.toUpperCase(),
};

const family = (prefix: string, fields: Record<string, string>) =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}-${name}`, value]));

/**
 * Headers of a delivery (Delivery request), in the families that the dialect has.
 *
 * @param sentAt ms since 1970.
 */
export function deliveryHeaders(
	{ id, event, hex, sentAt }: { id: string; event: string; hex: string; sentAt: number },
	dialect: Dialect,
): Record<string, string> {
	const signature = CASES[dialect.signatureCase](hex);
	const timestamp = String(Math.floor(sentAt / 1_000));
	const fields = { signature, timestamp, 'delivery-id': id };
	const current = family(formOf('headerPrefix', dialect)!, { ...fields, event });
	return {
		'content-type': formOf('deliveryType', dialect)!,
		...(dialect.legacyHeaders === 'only' ? {} : current),
		...(dialect.legacyHeaders === 'off' ? {} : family('x-ecom', fields)),
	};
}
