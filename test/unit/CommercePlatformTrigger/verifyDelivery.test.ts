import crypto from 'node:crypto';

import fc from 'fast-check';

import {
	REASONS,
	verifyDelivery,
	type Reason,
} from '../../../nodes/CommercePlatformTrigger/verifyDelivery';
import { family as familyOf, sign as signatureOf } from '../../../platform/support/delivery';
import { anyText } from '../../support/anyText';
import { around, JSON_CASES, valueOf, type JsonCase } from '../../support/jsonSuite';
import { received } from './received';

type DeliveryEvidence = Parameters<typeof verifyDelivery>[0];

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const NOW_S = NOW_MS / 1000;
const SECRET = 'signing secret of the endpoint';

const BODY = Buffer.from(
	JSON.stringify({
		event: 'order.paid',
		timestamp: '2026-11-21T12:00:00.250Z',
		payload: { id: 'ord_1', status: 'paid', total: { amount: 1999, currency: 'EUR' } },
	}),
);

/** The signature of a sender that holds the secret. */
const sign = (body: Uint8Array) => signatureOf(body, SECRET);

/** A genuine delivery as it arrives, with these differences. */
function arrival(
	change: Partial<DeliveryEvidence> = {},
	headers: DeliveryEvidence['headers'] = {},
): DeliveryEvidence {
	const { body = BODY } = change;
	return {
		body,
		account: 'crd_1',
		secrets: [SECRET],
		events: ['order.paid'],
		nowMs: NOW_MS,
		...change,
		headers: {
			'content-type': 'application/json',
			...familyOf('x-shop', sign(body), String(NOW_S), 'del_1'),
			'x-shop-event': 'order.paid',
			...headers,
		},
	};
}

const outcome = (...parts: Parameters<typeof arrival>) => {
	const verdict = verifyDelivery(arrival(...parts));
	if (typeof verdict !== 'string') return 'accept 200: genuine';
	const status = REASONS[verdict];
	return `${status === 200 ? 'acknowledge' : 'refuse'} ${status}: ${verdict}`;
};
const accepted = (...parts: Parameters<typeof arrival>) => {
	const delivery = verifyDelivery(arrival(...parts));
	if (typeof delivery === 'string') throw new Error(`not accepted: ${delivery}`);
	return delivery;
};

describe('a genuine delivery', () => {
	it('is accepted with the content of its body and headers, except the unsigned event', () => {
		expect(verifyDelivery(arrival({}, { 'x-shop-event': 'customer.deleted' }))).toMatchObject({
			...{ event: 'order.paid', timestamp: '2026-11-21T12:00:00.250Z' },
			...{ deliveryId: 'del_1', payload: { id: 'ord_1' } },
		});
	});

	it('may lack a delivery id; then its body identifies it, the same every time', () => {
		const first = accepted({}, { 'x-shop-delivery-id': undefined });
		const again = accepted({}, { 'x-shop-delivery-id': 'not\tan id' });
		expect(again).toEqual(first);
		expect(first.deliveryId).toMatch(/^body_[0-9a-f]{32}$/);
	});
});

describe('a delivery without proof is refused with 401', () => {
	it.each([
		['no secret held', { secrets: [] }, {}, 'no secret held for this address'],
		['no secret', { secrets: [''] }, {}, 'signature does not match'],
		['no signature', {}, { 'x-shop-signature': undefined }, 'no signature'],
		['a list', {}, { 'x-shop-signature': [sign(BODY)] }, 'signature is not 64 hex digits'],
		['foreign secret', { secrets: ['other'] }, {}, 'signature does not match'],
	])('%s', (_what, change, headers, reason) => {
		expect(outcome(change, headers)).toBe(`refuse 401: ${reason}`);
	});

	it.each([JSON.stringify(JSON.parse(BODY.toString()), null, 1), 'no json'])(
		'checks %j by its bytes, before anything else',
		(text) => {
			const told = outcome({ body: Buffer.from(text) }, { 'x-shop-signature': sign(BODY) });
			expect(told).toBe('refuse 401: signature does not match');
		},
	);
});

describe('the five-minute window', () => {
	it.each([
		[-301, false],
		[-300, true],
		[0, true],
		[300, true],
		[301, false],
	])('%d seconds away is inside: %p', (offset, isInside) => {
		const told = outcome({}, { 'x-shop-timestamp': String(NOW_S + offset) });
		const refused = 'refuse 400: timestamp is more than 5 minutes away';
		expect(told).toBe(isInside ? 'accept 200: genuine' : refused);
	});

	it.each([
		undefined,
		...'|now|1e9|-5|+5| 5|5 |NaN|Infinity'.split('|'),
		...[`${NOW_S}.5`, `${NOW_MS}`, `0x${NOW_S.toString(16)}`, new Date(NOW_MS).toISOString()],
	])('refuses %p', (timestamp) => {
		expect(outcome({}, { 'x-shop-timestamp': timestamp })).toMatch(
			/^refuse 400: (no timestamp|timestamp is not a number of seconds)$/,
		);
	});
});

describe('header families', () => {
	const ofShop = ['signature', 'timestamp', 'delivery-id'].map((name) => [
		`x-shop-${name}`,
		undefined,
	]);
	const none = Object.fromEntries(ofShop) as Record<string, undefined>;
	const family = (prefix: string, signature = sign(BODY), timestamp = String(NOW_S)) =>
		familyOf(prefix, signature, timestamp, `del_${prefix}`);
	const WRONG = '00'.repeat(32);
	const MISMATCH = 'refuse 401: signature does not match';
	const STALE = 'refuse 400: timestamp is more than 5 minutes away';

	it.each(['x-ecom', 'x-acme', 'acme', 'x-acme-webhook', 'x-signature', 'x-42'])(
		'of any brand are enough alone, like %s',
		(prefix) => {
			const verdict = verifyDelivery(arrival({}, { ...none, ...family(prefix) }));
			expect(verdict).toMatchObject({ deliveryId: `del_${prefix}` });
		},
	);

	it('give timestamp and delivery id only if their own signature is valid', () => {
		const both = { ...none, ...family('x-acme'), ...family('x-proxy', WRONG) };
		expect(verifyDelivery(arrival({}, both))).toMatchObject({ deliveryId: 'del_x-acme' });
	});

	const NO_TIME = 'refuse 400: no timestamp';
	const stale = family('x-ecom', undefined, '1');

	it.each<[string, object, string]>([
		['one wrong', { ...family('x-ecom'), 'x-shop-signature': WRONG }, 'accept 200: genuine'],
		['one broken', family('x-ecom', 'broken'), 'accept 200: genuine'],
		['both wrong', { ...family('x-ecom', '11'.repeat(32)), 'x-shop-signature': WRONG }, MISMATCH],
		['one stale', { ...family('x-ecom'), 'x-shop-timestamp': '1' }, 'accept 200: genuine'],
		['a stale one behind a wrong one', { ...stale, 'x-shop-signature': WRONG }, STALE],
		['both stale', { ...stale, 'x-shop-timestamp': '1' }, STALE],
		['another’s timestamp', { ...family('x-ecom', WRONG), 'x-shop-timestamp': undefined }, NO_TIME],
		['another’s fresh timestamp', { ...none, ...stale, 'x-other-timestamp': `${NOW_S}` }, STALE],
		['a name of any brand alone', { ...none, ...family('x-acme', WRONG) }, MISMATCH],
		[
			'a proxy’s beside',
			{ 'x-proxy-signature': 'v1=abc', 'x-cdn-signature': WRONG },
			'accept 200: genuine',
		],
	])('are believed each by itself: %s', (_what, headers, expected) => {
		expect(outcome({}, headers as Record<string, string>)).toBe(expected);
	});
});

describe('how a delivery is recognised', () => {
	const sha = (data: string | Buffer) =>
		crypto.createHash('sha256').update(data).digest('base64url').slice(0, 8);

	const recognisedBy = (timestamp: unknown, headers: Record<string, string | undefined> = {}) => {
		const body = Buffer.from(JSON.stringify({ event: 'order.paid', timestamp, payload: {} }));
		const { fingerprints, recognisedBy: by } = accepted({ body }, headers);
		const names = new Map([
			[sha(body), 'body'],
			[sha('id:crd_1:del_1'), 'id'],
		]);
		// If its body were not remembered, an attacker could send a captured delivery again without its id.
		expect(fingerprints[0]).toBe(sha(body));
		expect(fingerprints).toEqual(expect.arrayContaining([...by]));
		return by.map((one) => names.get(one));
	};

	const BOTH = ['body', 'id'];

	it.each<[string, unknown, string[]]>([
		['the timestamp is exact', '2026-11-21T12:00:00.250Z', BOTH],
		['it is more exact', '2026-11-21T12:00:00.000001Z', BOTH],
		['it is of another form', '2026-11-21T12:00:00,5+01:00', BOTH],
		...[
			...['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.0+01:00'],
			...['2026-11-21', 'a text with 0.5', 1_763_726_400_123, undefined, null],
			['2026-11-21T12:00:00.250Z'],
		].map((inexact): [string, unknown, string[]] => ['it is not exact', inexact, ['id']]),
	])('where %s (%j) is %j', (_when, timestamp, expected) => {
		expect(recognisedBy(timestamp)).toEqual(expected);
		const noId = { 'x-shop-delivery-id': undefined };
		expect(recognisedBy(timestamp, noId)).toEqual(['body']);
	});
});

describe('each case of JSON', () => {
	/** Whether a delivery of these bytes ends as the case requires, and its item has exactly the case's value. */
	async function isRight(one: JsonCase): Promise<boolean> {
		const before = '{"event":"order.paid","timestamp":"2026-11-21T12:00:00.250Z","payload":';
		const item = await received({ body: around(before, one, '}') });
		if (typeof item === 'string') return item === 'body is not JSON' && one.kind !== 'y';
		if (one.kind !== 'y') return one.kind === 'i';
		return JSON.stringify(item?.payload) === JSON.stringify(valueOf(one));
	}

	it('becomes exactly that payload, or is refused', async () => {
		const wrong: string[] = [];
		for (const one of JSON_CASES) if (!(await isRight(one))) wrong.push(one.name);
		expect(wrong).toEqual([]);
	});
});

describe('a genuine delivery that cannot be used', () => {
	const withBody = (text: string) => outcome({ body: Buffer.from(text) });

	it.each([
		['cut off', '{"event":"order.paid"', 'body is not JSON'],
		['a list', '[]', 'body is not a JSON object'],
		['null', 'null', 'body is not a JSON object'],
		['no event', '{"payload":{}}', 'body names no event'],
		['an empty event', '{"event":""}', 'body names no event'],
		['an event that is not text', '{"event":{"a":1}}', 'body names no event'],
	])('%s is refused with 400', (_what, text, reason) => {
		expect(withBody(text)).toBe(`refuse 400: ${reason}`);
	});

	it.each(['order.created', 'order.paid.twice', 'ORDER.PAID'])(
		'%s, which is not selected, is acknowledged and not executed',
		(event) => {
			expect(withBody(JSON.stringify({ event }))).toBe('acknowledge 200: event not selected');
		},
	);

	it('never throws, whatever is signed and sent', () => {
		const headerValue = fc.option(anyText, { nil: undefined });
		const names = ['x-shop-signature', 'x-shop-timestamp', 'x-ecom-signature', 'x-ecom-timestamp'];
		const headers = fc.record(Object.fromEntries(names.map((name) => [name, headerValue])));
		fc.assert(
			fc.property(fc.uint8Array(), headers, (body, given) => {
				const reason = verifyDelivery({ ...arrival({ body }), headers: given });
				expect(REASONS[reason as Reason]).toBeGreaterThanOrEqual(400);
			}),
		);
	});
});

describe('an attacker who captured a delivery and does not hold the secret', () => {
	/** What else somebody signs a body with, or calls a signature. */
	const guesses = [
		'',
		'secret',
		'del_1',
		'crd_1',
		'undefined',
		'null',
		SECRET.slice(1),
		`${SECRET} `,
	];
	const bytes = (text: string) => Buffer.from(text, 'latin1');
	const digests = (body: Uint8Array) => [
		...guesses.map((guess) => signatureOf(body, guess)),
		...['sha1', 'sha256', 'sha512', 'md5'].map((name) =>
			crypto.createHash(name).update(body).digest('hex'),
		),
		crypto.createHmac('sha1', SECRET).update(body).digest('hex'),
		crypto.createHmac('sha256', SECRET).update('').digest('hex'),
	];
	const anyBytes = fc.oneof(
		fc.uint8Array({ maxLength: 200 }),
		fc.tuple(fc.nat(BODY.length * 8 - 1)).map(([bit]) => {
			const copy = Uint8Array.from(BODY);
			copy[bit >> 3] ^= 1 << (bit & 7);
			return copy;
		}),
		fc.constantFrom('\n', ' ', '\0', '\ufeff').map((blank) => Buffer.concat([BODY, bytes(blank)])),
		fc.constantFrom('\n', ' ').map((blank) => Buffer.concat([bytes(blank), BODY])),
		fc.nat(BODY.length - 1).map((length) => BODY.subarray(0, length)),
		fc.constantFrom('order.paid', 'order.created').map((event) =>
			Buffer.from(
				JSON.stringify({
					event,
					timestamp: '2026-11-21T12:00:00.250Z',
					payload: { id: 'ord_2' },
				}),
			),
		),
	);
	const changedText = (text: string) =>
		fc.constantFrom(
			text,
			...[
				text.toUpperCase(),
				`${text.slice(0, 32).toUpperCase()}${text.slice(32)}`,
				`0x${text}`,
				`${text} `,
			],
			...[
				`sha256=${text}`,
				`v1=${text}`,
				text.slice(0, 63),
				`${text}0`,
				[...text].reverse().join(''),
			],
			Buffer.from(text, 'hex').toString('base64'),
		);
	const anyHex = fc
		.uint8Array({ minLength: 32, maxLength: 32 })
		.map((hash) => Buffer.from(hash).toString('hex'));
	const signatures = (body: Uint8Array) =>
		fc.oneof(
			fc.constantFrom(...digests(body), sign(BODY)).chain(changedText),
			fc.constant(sign(BODY)),
			anyHex,
		);
	const prefix = fc.constantFrom(
		'x-shop',
		'x-ecom',
		'x',
		'',
		'x-shop-signature',
		'__proto__',
		'constructor',
	);
	const times = fc.constantFrom(NOW_S, NOW_S - 299, NOW_S + 299, NOW_S - 301, 0).map(String);
	const families = (body: Uint8Array) =>
		fc.array(
			fc.tuple(prefix, signatures(body), times).map((parts) => familyOf(...parts, 'del_forged')),
			{ minLength: 1, maxLength: 4 },
		);

	it('makes none of 1,000 forgeries pass, and of what was captured changes no byte', () => {
		const drawn = anyBytes.chain((body) => fc.tuple(fc.constant(body), families(body)));
		fc.assert(
			fc.property(drawn, ([body, all]) => {
				if (BODY.equals(body)) return;
				const headers = Object.assign({}, ...all) as Record<string, string>;
				const evidence = { ...arrival({ body }), headers };
				expect(REASONS[verifyDelivery(evidence) as Reason]).toBeGreaterThanOrEqual(400);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('gets what was captured accepted only under its own signature, within five minutes', () => {
		fc.assert(
			fc.property(families(BODY), (all) => {
				const headers = Object.assign({}, ...all) as Record<string, string>;
				const isSigned = Object.entries(headers).some(([name, value]) => {
					const own = [sign(BODY), sign(BODY).toUpperCase()];
					const time = headers[`${name.slice(0, -'-signature'.length)}-timestamp`];
					return (
						name.endsWith('-signature') &&
						own.includes(value) &&
						Math.abs(Number(time) - NOW_S) <= 300
					);
				});
				const verdict = verifyDelivery({ ...arrival(), headers });
				expect(typeof verdict === 'object').toBe(isSigned);
				if (typeof verdict === 'object') expect(verdict.payload).toMatchObject({ id: 'ord_1' });
			}),
			{ numRuns: 500 },
		);
	});
});

it('a delivery that is signed with an empty secret is refused, even if an empty secret is stored', () => {
	const forged = familyOf('x-shop', signatureOf(BODY, ''), String(NOW_S), 'del_1');
	expect(outcome({ secrets: ['', SECRET] }, forged)).toBe('refuse 401: signature does not match');
});

it('tells the deliveries of two accounts apart, though they have the same IDs', () => {
	const [ofOne, ofOther] = ['crd_1', 'crd_2'].map((account, n) => {
		const body = Buffer.from(JSON.stringify({ event: 'order.paid', payload: { id: n } }));
		return accepted({ account, body }, { 'x-shop-signature': sign(body) });
	});
	expect(ofOne.deliveryId).toBe(ofOther.deliveryId);
	for (const fingerprint of ofOther.recognisedBy)
		expect(ofOne.fingerprints).not.toContain(fingerprint);
});
