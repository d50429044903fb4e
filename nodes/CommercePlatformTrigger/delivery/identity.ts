import { createHash } from 'node:crypto';

import { fingerprintsOf, type Fingerprints } from '../memory/fingerprint';

/**
 * When two deliveries with the same body and different ids are taken for the same one: whenever the body's
 * timestamp is exact enough to tell two events apart, always, or never.
 */
export type RepeatsByContent = (typeof REPEATS_BY_CONTENT)[number];

/** The default first. */
export const REPEATS_BY_CONTENT = ['automatic', 'always', 'never'] as const;

/** How a delivery is recognised when it comes again. */
export interface DeliveryIdentity {
	/** From the header. If there is none it is made from the body, and is the same each time the body is sent. */
	deliveryId: string;
	fingerprints: Fingerprints;
}

const DELIVERY_ID = /^[\x21-\x7e]{1,200}$/;

/** A time of day whose seconds have a fraction other than zero. */
const FRACTION_OF_A_SECOND = /:\d{2}[.,]\d*[1-9]/;

/**
 * The identity of a delivery. Its id decides (API document, "Signature verification", 4). The body counts
 * besides where the user or the timestamp says so, and where no id was sent.
 *
 * @param sentId value of the delivery id header
 * @param timestamp the one in the signed body
 */
export function identityOf(delivery: {
	body: Uint8Array;
	sentId: string | undefined;
	timestamp: unknown;
	repeatsByContent: RepeatsByContent;
}): DeliveryIdentity {
	const { body, sentId, timestamp, repeatsByContent } = delivery;
	const digest = createHash('sha256').update(body).digest();
	if (sentId === undefined || !DELIVERY_ID.test(sentId)) {
		const deliveryId = `body_${digest.toString('hex').slice(0, 32)}`;
		return { deliveryId, fingerprints: fingerprintsOf(digest) };
	}
	const byContent = contentIdentifies(timestamp, repeatsByContent);
	return {
		deliveryId: sentId,
		fingerprints: fingerprintsOf(byContent ? digest : undefined, sentId),
	};
}

/**
 * Whether the same body means the same event. With whole seconds it does not: two changes of one record within
 * a second can have the same body.
 */
function contentIdentifies(timestamp: unknown, rule: RepeatsByContent): boolean {
	if (rule !== 'automatic') return rule === 'always';
	return typeof timestamp === 'string' && FRACTION_OF_A_SECOND.test(timestamp);
}
