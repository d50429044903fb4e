import { createHmac, timingSafeEqual } from 'node:crypto';

/** 32 bytes as hex, in lower or upper case. No sender's encoder mixes them. */
const HEX_DIGEST = /^(?:[0-9a-f]{64}|[0-9A-F]{64})$/;

/**
 * Whether a text has the form of a signature: the hex of an HMAC-SHA256. This check is cheap. Without it,
 * garbage would cost a hash of the body.
 */
export function isSignatureShaped(signature: string): boolean {
	return HEX_DIGEST.test(signature);
}

/**
 * Whether the body was signed with one of the secrets (API document, "Signature verification", 1 and 2).
 * Each comparison takes constant time.
 *
 * @param body the exact bytes received
 * @param signature value of the signature header
 * @param secrets those that count; without any, nothing is genuine
 */
export function isSignedBy(
	body: Uint8Array,
	signature: string,
	secrets: readonly string[],
): boolean {
	if (!isSignatureShaped(signature)) return false;
	const given = Buffer.from(signature, 'hex');
	return secrets.some((secret) => {
		if (secret === '') return false;
		return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), given);
	});
}
