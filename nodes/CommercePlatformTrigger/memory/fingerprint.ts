import { createHash } from 'node:crypto';

/** Characters of a fingerprint: 6 bytes in base64url. Two of 20,000 meet by chance once in 10^11 deliveries. */
export const FINGERPRINT_LENGTH = 8;

/** The same alphabet everywhere a fingerprint is read back. */
export const FINGERPRINTS = /^(?:[A-Za-z0-9_-]{8})*$/;

/** Short stand-ins under which a delivery is remembered. */
export interface Fingerprints {
	/** Of the signed body: the one thing that the signature proves. */
	body: string;
	/** Of the delivery id, where one was sent. Unsigned, so it only ever adds a reason to see a repeat. */
	id?: string;
}

/**
 * The stand-ins of one delivery.
 *
 * @param bodyDigest SHA-256 of the exact bytes received
 * @param deliveryId value of the delivery id header, if there was one
 */
export function fingerprintsOf(bodyDigest: Buffer, deliveryId?: string): Fingerprints {
	const body = shorten(bodyDigest);
	if (deliveryId === undefined) return { body };
	return { body, id: shorten(createHash('sha256').update(`id:${deliveryId}`).digest()) };
}

/** The fingerprints as a list, the body's first. */
export function listOf({ body, id }: Fingerprints): string[] {
	return id === undefined ? [body] : [body, id];
}

function shorten(digest: Buffer): string {
	return digest.toString('base64url').slice(0, FINGERPRINT_LENGTH);
}
