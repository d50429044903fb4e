import { createHmac, timingSafeEqual } from 'node:crypto';

/** 32 bytes as hex, in lower or upper case. No sender's encoder mixes them. */
const HEX_DIGEST = /^(?:[0-9a-f]{64}|[0-9A-F]{64})$/;

/**
 * Whether a text has the form of a signature: the hex of an HMAC-SHA256. This check is cheap. Without it,
 * garbage would cost a hash of the body.
 */
export function isSignatureShaped(signature: string | undefined): signature is string {
	return signature !== undefined && HEX_DIGEST.test(signature);
}

/**
 * Makes the check whether a signature is one of a body (API document, "Signature verification", 1 and 2). Each
 * comparison takes constant time. The body is hashed once for each secret, however many signatures are checked.
 *
 * @param body the exact bytes received
 * @param secrets those that count; without any, nothing is genuine
 */
export function signatureCheck(
	body: Uint8Array,
	secrets: readonly string[],
): (signature: string | undefined) => boolean {
	const digests = new Map<string, Buffer>();
	const digestFor = (secret: string): Buffer => {
		const digest = digests.get(secret) ?? createHmac('sha256', secret).update(body).digest();
		digests.set(secret, digest);
		return digest;
	};
	return (signature) => {
		if (!isSignatureShaped(signature)) return false;
		const given = Buffer.from(signature, 'hex');
		return secrets.some((secret) => secret !== '' && timingSafeEqual(digestFor(secret), given));
	};
}
