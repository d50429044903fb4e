import { createHash } from 'node:crypto';

/** Characters of a fingerprint: 6 bytes in base64url. Two of 20,000 meet by chance once in 10^11 deliveries. */
export const FINGERPRINT_LENGTH = 8;

/** The same alphabet everywhere a fingerprint is read back. */
export const FINGERPRINTS = /^(?:[A-Za-z0-9_-]{8})*$/;

/** Short texts under which a delivery is remembered. It is a repeat if one of them is known. */
export interface Fingerprints {
	/** Of the signed body, if the same body means the same delivery. */
	body?: string;
	/** Of the delivery id, if one was sent. The id is not signed. */
	id?: string;
}

/**
 * The fingerprints of one delivery.
 *
 * @param bodyDigest SHA-256 of the exact bytes received; undefined if the same body may be another delivery
 * @param deliveryId value of the delivery id header, if there was one
 */
export function fingerprintsOf(bodyDigest?: Buffer, deliveryId?: string): Fingerprints {
	const fingerprints: Fingerprints = {};
	if (bodyDigest !== undefined) fingerprints.body = shorten(bodyDigest);
	if (deliveryId !== undefined) {
		fingerprints.id = shorten(createHash('sha256').update(`id:${deliveryId}`).digest());
	}
	return fingerprints;
}

/** The fingerprints as a list, the body's first. */
export function listOf({ body, id }: Fingerprints): string[] {
	return [body, id].filter((fingerprint) => fingerprint !== undefined);
}

function shorten(digest: Buffer): string {
	return digest.toString('base64url').slice(0, FINGERPRINT_LENGTH);
}
