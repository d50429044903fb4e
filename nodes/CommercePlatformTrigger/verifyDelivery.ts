import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { isObject } from '../shared/values/json';

/** How far a delivery's timestamp may be from now (API document, "Signature verification", 3). ms. */
const WINDOW_MS = 5 * 60 * 1000;

/**
 * Why a delivery is not executed, as its sender and n8n's log read it, and the status of the answer. With 200 the
 * platform does not send the delivery again.
 */
export const REASONS = {
	'body could not be read': 400,
	'body is not JSON': 400,
	'body is not a JSON object': 400,
	'body names no event': 400,
	'event not selected': 200,
	'no secret held for this address': 401,
	'no signature': 401,
	'no timestamp': 400,
	'n8n could not read the credential': 503,
	'seen before': 200,
	'signature does not match': 401,
	'signature is not 64 hex digits': 401,
	'the record could not be read': 503,
	'the same delivery is still being received': 503,
	'timestamp is more than 5 minutes away': 400,
	'timestamp is not a number of seconds': 400,
} as const;

export type Reason = keyof typeof REASONS;

/** Header values as Node gives them, names in lower case. */
export type DeliveryHeaders = Record<string, string | string[] | undefined>;

/** A delivery as it came in, and the facts that it is checked against. */
interface DeliveryEvidence {
	/** The exact bytes received. */
	body: Uint8Array;
	headers: DeliveryHeaders;
	/** The account that sends: another one may give its deliveries the same ids. */
	account: string;
	/** The secrets that it may be signed with, the current one first. */
	secrets: readonly string[];
	/** Names of the events that are selected now. */
	events: readonly string[];
	/** Unix ms. */
	nowMs: number;
}

/** What the signed body says (API document, "Delivery request"). */
interface Content {
	event: string;
	/** ISO 8601. */
	timestamp: unknown;
	payload: unknown;
}

/** A genuine, fresh delivery of a selected event. */
export interface Delivery extends Content {
	/** The id from the header. If there is none, it is made from the body, so the same body always gets the same id. */
	deliveryId: string;
	/** The fingerprints that are remembered: of its body, and of its id if one was sent. */
	fingerprints: readonly string[];
	/** The delivery is a repeat if one of these is remembered. */
	recognisedBy: readonly string[];
}

/**
 * Checks whether a delivery is genuine, fresh, readable and of a selected event, in this order. Whether it was seen
 * before, the endpoint's memory tells. Pure: no clock, no I/O.
 *
 * @returns the delivery, or why it is not executed
 */
export function verifyDelivery(evidence: DeliveryEvidence): Delivery | Reason {
	const family = signedFamily(evidence);
	if (typeof family === 'string') return family;
	const problem = timestampProblem(family.timestamp, evidence.nowMs);
	if (problem !== undefined) return problem;
	const content = readContent(evidence.body);
	if (typeof content === 'string') return content;
	if (!evidence.events.includes(content.event)) return 'event not selected';
	return { ...content, ...recognitionOf(evidence, family.deliveryId, content.timestamp) };
}

const SIGNATURE_ENDING = '-signature';

/**
 * The header families of a delivery. A family is a signature, a timestamp and a delivery id with one prefix: the
 * platform puts its brand in front of the names, and may send older names as well (API document, "Delivery request").
 * So a family is found by the endings of its names, and only its signature decides whether it counts. A header is
 * undefined if it is missing, or is a list.
 */
function headerFamilies(headers: DeliveryHeaders) {
	const valueOf = (name: string) => {
		const value = headers[name];
		return typeof value === 'string' ? value : undefined;
	};
	return Object.keys(headers)
		.filter((name) => name.endsWith(SIGNATURE_ENDING) && headers[name] !== undefined)
		.map((name) => {
			const prefix = name.slice(0, -SIGNATURE_ENDING.length);
			return {
				signature: valueOf(name),
				timestamp: valueOf(`${prefix}-timestamp`),
				deliveryId: valueOf(`${prefix}-delivery-id`),
			};
		});
}

type HeaderFamily = ReturnType<typeof headerFamilies>[number];

/**
 * Finds the header family with a valid signature (API document, "Signature verification", 1 and 2); if there are
 * several, one with a fresh timestamp. The body is hashed only if a signature has the right form, and then once for
 * each secret until one fits, however many signatures there are. Each comparison takes constant time.
 *
 * @returns the family, or why the delivery is refused
 */
function signedFamily(evidence: DeliveryEvidence): HeaderFamily | Reason {
	const { body, headers, secrets, nowMs } = evidence;
	if (secrets.length === 0) return 'no secret held for this address';
	const sent = headerFamilies(headers);
	if (sent.length === 0) return 'no signature';
	const wellFormed = sent.filter(({ signature = '' }) => HEX_DIGEST.test(signature));
	if (wellFormed.length === 0) return 'signature is not 64 hex digits';
	let signed: HeaderFamily[] = [];
	for (const secret of secrets.filter((candidate) => candidate !== '')) {
		const digest = createHmac('sha256', secret).update(body).digest();
		signed = wellFormed.filter(({ signature = '' }) =>
			timingSafeEqual(digest, Buffer.from(signature, 'hex')),
		);
		if (signed.length > 0) break;
	}
	if (signed.length === 0) return 'signature does not match';
	return (
		signed.find(({ timestamp }) => timestampProblem(timestamp, nowMs) === undefined) ?? signed[0]
	);
}

/** The form of a signature: 32 bytes as hex, all in lower or all in upper case. */
const HEX_DIGEST = /^(?:[0-9a-f]{64}|[0-9A-F]{64})$/;

/** Why a timestamp is refused; undefined if it is fresh. */
function timestampProblem(header: string | undefined, nowMs: number): Reason | undefined {
	if (header === undefined) return 'no timestamp';
	if (!/^\d{1,11}$/.test(header)) return 'timestamp is not a number of seconds';
	const awayMs = Math.abs(Number(header) * 1000 - nowMs);
	return awayMs > WINDOW_MS ? 'timestamp is more than 5 minutes away' : undefined;
}

/** Reads the signed bytes, `{ event, timestamp, payload }` (API document, "Delivery request"). */
function readContent(body: Uint8Array): Content | Reason {
	let parsed: unknown;
	try {
		parsed = JSON.parse(Buffer.from(body).toString('utf8'));
	} catch {
		return 'body is not JSON';
	}
	if (!isObject(parsed)) return 'body is not a JSON object';
	const { event, timestamp, payload } = parsed;
	if (typeof event !== 'string' || event === '') return 'body names no event';
	return { event, timestamp, payload };
}

/**
 * Characters of a fingerprint: 6 bytes in base64url. A new fingerprint equals one of 20,000 others once in 10^10 times.
 */
export const FINGERPRINT_LENGTH = 8;

/** The short text under which a digest is remembered. */
export const fingerprintOf = (digest: Buffer): string =>
	digest.toString('base64url').slice(0, FINGERPRINT_LENGTH);

const DELIVERY_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * Says how a delivery is recognised. Its id decides (API document, "Signature verification", 4). Its body decides as
 * well if no id was sent, or if the timestamp is exact enough to tell two events apart. So the body is always
 * remembered.
 */
function recognitionOf(
	{ body, account }: DeliveryEvidence,
	sentId: string | undefined,
	timestamp: unknown,
): Omit<Delivery, keyof Content> {
	const digest = createHash('sha256').update(body).digest();
	const bodyFingerprint = fingerprintOf(digest);
	if (sentId === undefined || !DELIVERY_ID.test(sentId)) {
		const deliveryId = `body_${digest.toString('hex').slice(0, 32)}`;
		return { deliveryId, fingerprints: [bodyFingerprint], recognisedBy: [bodyFingerprint] };
	}
	const idFingerprint = fingerprintOf(
		createHash('sha256').update(`id:${account}:${sentId}`).digest(),
	);
	const fingerprints = [bodyFingerprint, idFingerprint];
	// A timestamp in whole seconds does not tell two events apart: two changes of one record within a second can have the
	// same body.
	const isBodyUnique = typeof timestamp === 'string' && FRACTION_OF_A_SECOND.test(timestamp);
	return {
		deliveryId: sentId,
		fingerprints,
		recognisedBy: isBodyUnique ? fingerprints : [idFingerprint],
	};
}

/** A time of day with a fraction of a second other than zero. */
const FRACTION_OF_A_SECOND = /:\d{2}[.,]\d*[1-9]/;
