import { parseExactly } from '../../shared/values/json';

import { headerFamilies, type DeliveryHeaders, type HeaderFamily } from './headers';
import { identityOf, type DeliveryIdentity, type RepeatsByContent } from './identity';
import type { AcknowledgeReason, RefusalReason } from './reasons';
import { isSignatureShaped, signatureCheck } from './signature';

/** How far a delivery's timestamp may be from now (API document, "Signature verification", 3). ms. */
export const WINDOW_MS = 5 * 60 * 1000;

/** A delivery as it came in, and what it is checked against. */
export interface DeliveryEvidence {
	/** The exact bytes received. */
	body: Uint8Array;
	/** Names in lower case. */
	headers: DeliveryHeaders;
	/** The secrets that it may be signed with, the current endpoint's first. */
	secrets: readonly string[];
	/** Names of the events that are selected now. */
	events: readonly string[];
	/** When the same content is taken for the same delivery. */
	repeatsByContent: RepeatsByContent;
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
export interface Delivery extends Content, DeliveryIdentity {}

/** What is to be done with a delivery, and what the sender is told. */
export type Verdict =
	| { kind: 'accept'; status: 200; reason: 'genuine'; delivery: Delivery }
	| { kind: 'refuse'; status: 400 | 401; reason: RefusalReason }
	| { kind: 'acknowledge'; status: 200; reason: AcknowledgeReason };

const unauthorized = (reason: RefusalReason): Verdict => ({
	kind: 'refuse',
	status: 401,
	reason,
});
const badRequest = (reason: RefusalReason): Verdict => ({
	kind: 'refuse',
	status: 400,
	reason,
});

/**
 * Checks whether a delivery is genuine, fresh, readable and of a selected event, in this order. The endpoint's
 * memory tells whether it was seen before. Pure: no clock, no I/O.
 */
export function verifyDelivery(evidence: DeliveryEvidence): Verdict {
	const family = signedFamily(evidence);
	if (typeof family === 'string') return unauthorized(family);
	const late = staleness(family.timestamp, evidence.nowMs);
	if (late !== undefined) return badRequest(late);
	const content = readBody(evidence.body);
	if (typeof content === 'string') return badRequest(content);
	if (!evidence.events.includes(content.event)) {
		return { kind: 'acknowledge', status: 200, reason: 'event not selected' };
	}
	const identity = identityOf({
		body: evidence.body,
		sentId: family.deliveryId,
		timestamp: content.timestamp,
		repeatsByContent: evidence.repeatsByContent,
	});
	return { kind: 'accept', status: 200, reason: 'genuine', delivery: { ...content, ...identity } };
}

/** The header family with a valid signature, a fresh one if there are several; otherwise the reason for refusal. */
function signedFamily({
	body,
	headers,
	secrets,
	nowMs,
}: DeliveryEvidence): HeaderFamily | RefusalReason {
	if (secrets.length === 0) return 'no secret held for this address';
	const sent = headerFamilies(headers);
	if (sent.length === 0) return 'no signature';
	const shaped = sent.filter(({ signature }) => isSignatureShaped(signature));
	if (shaped.length === 0) return 'signature is not 64 hex digits';
	const isValid = signatureCheck(body, secrets);
	const signed = shaped.filter(({ signature }) => isValid(signature));
	if (signed.length === 0) return 'signature does not match';
	return signed.find(({ timestamp }) => staleness(timestamp, nowMs) === undefined) ?? signed[0];
}

/** Why a timestamp header is refused; undefined if it is fresh. */
function staleness(header: string | undefined, nowMs: number): RefusalReason | undefined {
	if (header === undefined) return 'no timestamp';
	if (!/^\d{1,11}$/.test(header)) return 'timestamp is not a number of seconds';
	const awayMs = Math.abs(Number(header) * 1000 - nowMs);
	return awayMs > WINDOW_MS ? 'timestamp is more than 5 minutes away' : undefined;
}

/** Reads the signed bytes, `{ event, timestamp, payload }` (API document, "Delivery request"). */
function readBody(body: Uint8Array): Content | RefusalReason {
	let parsed: unknown;
	try {
		parsed = parseExactly(Buffer.from(body).toString('utf8'));
	} catch {
		return 'body is not JSON';
	}
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		return 'body is not a JSON object';
	}
	const { event, timestamp, payload } = parsed as Record<string, unknown>;
	if (typeof event !== 'string' || event === '') return 'body names no event';
	return { event, timestamp, payload };
}
