import { openPoint } from './openPoint';

/** Webhook endpoints and deliveries. */
export const webhookPoints = {
	webhookUrls: openPoint(
		'Webhook endpoint, url: HTTPS address receiving deliveries',
		{ asSent: 'shown as it was sent', normalised: 'shown as a URL parser writes it' },
		'normalised',
	),
	uniqueUrls: openPoint(
		'Whether two endpoints may have one url is not shown',
		{ repeated: 'any number may', refused: 'the second is answered 409' },
		'refused',
	),
	endpointFields: openPoint(
		'status: present in the create response',
		{ complete: 'every answer has every field', sparse: 'later answers have id, url and events' },
		'sparse',
	),
	endpointStatus: openPoint(
		'Status values of a webhook endpoint: not shown',
		{ enabled: 'enabled, disabled', active: 'ACTIVE, PAUSED', pending: 'pending, off' },
		'active',
	),
	secretForm: openPoint(
		'secret: signing secret, returned once on create only (its form is not shown)',
		{ prefixed: '`whsec_` and hex', base64: 'base64 with + / =', long: '128 hex digits' },
		'base64',
	),
	deleteTwice: openPoint(
		'Delete: 204 No Content on success (what a second one answers is not shown)',
		{ refused: 'as any unknown resource', taken: '204' },
		'taken',
	),
	headerPrefix: openPoint(
		'The neutral prefix X-Shop stands in for the platform-branded prefix of the header names',
		{ shop: 'X-Shop-…', brand: 'X-Northwind-…' },
		'brand',
	),
	legacyHeaders: openPoint(
		'Legacy aliases may also be sent during a platform cutover: x-ecom-…',
		{ off: 'not sent', also: 'sent beside the others', only: 'sent in place of the others' },
		'also',
	),
	signatureCase: openPoint(
		'X-Shop-Signature: hex of HMAC-SHA256',
		{ lower: 'a to f', upper: 'A to F' },
		'upper',
	),
	deliveryTimes: openPoint(
		'Body shape: timestamp: ISO 8601 string',
		{
			milliseconds: '`2026-01-31T10:00:00.125Z`',
			seconds: '`2026-01-31T10:00:00Z`',
			zeroFraction: '`2026-01-31T10:00:00.000Z`',
			offset: '`2026-01-31T10:00:00.125+00:00`',
		},
		'seconds',
	),
	retryTimestamp: openPoint(
		'X-Shop-Timestamp: Unix time in seconds (of the attempt or of the first one is not said)',
		{ attempt: 'stamped anew for each attempt', first: 'as at the first attempt' },
		'first',
	),
	replayId: openPoint(
		'A dead delivery can be replayed from the back office (under which id is not said)',
		{ same: 'under the same delivery id', fresh: 'under a new one' },
		'fresh',
	),
	retrySchedule: openPoint(
		'Enterprise may configure other schedules',
		{ five: '1 min, 5 min, 30 min, 2 h, 24 h', short: '10 s, 1 min, 10 min' },
		'short',
	),
	payloads: openPoint(
		'Payloads of all other events: not shown',
		{
			summary: 'the id and a few fields',
			idOnly: 'the id alone',
			nested: '`{ object: "order", data: { … } }`',
		},
		'nested',
	),
	deliveryType: openPoint(
		'Content-Type: application/json',
		{ plain: 'application/json', charset: 'application/json; charset=utf-8' },
		'charset',
	),
};
