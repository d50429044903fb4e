import { createHmac, timingSafeEqual } from 'node:crypto';

/** Hex in one letter case: 64 digits are 32 bytes. Mixed case is never what a sender's encoder makes. */
const HEX_DIGEST = /^(?:[0-9a-f]{64}|[0-9A-F]{64})$/;

/**
 * Whether a text could be a signature at all: the hex of an HMAC-SHA256.
 * Cheap, so that garbage never costs a hash over the body.
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
 * @param secrets the ones that count; with none, nothing is genuine
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
