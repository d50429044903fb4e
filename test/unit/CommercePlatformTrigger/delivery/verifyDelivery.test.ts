import crypto from 'node:crypto';

import fc from 'fast-check';

import {
	REASONS,
	verifyDelivery,
	type Reason,
} from '../../../../nodes/CommercePlatformTrigger/delivery/verifyDelivery';
import { arrival, BODY, NOW_MS, NOW_S, SECRET, sign } from './signing';

const WINDOW_S = 300;
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
	it('is accepted with what its body and headers say', () => {
		const verdict = verifyDelivery(arrival());
		expect(verdict).toMatchObject({
			event: 'order.paid',
			timestamp: '2026-11-21T12:00:00.250Z',
			deliveryId: 'del_1',
			payload: { id: 'ord_1' },
		});
	});

	it('takes the event from the signed body, not from the unsigned header', () => {
		const verdict = verifyDelivery(arrival({}, { 'x-shop-event': 'customer.deleted' }));
		expect(verdict).toMatchObject({ event: 'order.paid' });
	});

	it('may lack a delivery id; then its body names it, the same every time', () => {
		const first = accepted({}, { 'x-shop-delivery-id': undefined });
		const again = accepted({}, { 'x-shop-delivery-id': 'not\tan id' });
		expect(again).toEqual(first);
		expect(first.deliveryId).toMatch(/^body_[0-9a-f]{32}$/);
	});

	it('is accepted under the secret of an earlier endpoint', () => {
		expect(outcome({ secrets: ['new', SECRET] })).toBe('accept 200: genuine');
	});

	it('is remembered by body and id: fresh headers change only the second', () => {
		const one = accepted();
		const other = accepted({}, { 'x-shop-delivery-id': 'del_2' });
		expect(one.fingerprints).toHaveLength(2);
		expect(other.fingerprints[0]).toBe(one.fingerprints[0]);
		expect(other.fingerprints[1]).not.toBe(one.fingerprints[1]);
	});
});

describe('what cannot prove itself is refused with 401', () => {
	it.each([
		['no secret held', { secrets: [] }, {}, 'no secret held for this address'],
		['no signature', {}, { 'x-shop-signature': undefined }, 'no signature'],
		['empty', {}, { 'x-shop-signature': '' }, 'signature is not 64 hex digits'],
		['too short', {}, { 'x-shop-signature': 'ab' }, 'signature is not 64 hex digits'],
		['not hex', {}, { 'x-shop-signature': 'zz'.repeat(32) }, 'signature is not 64 hex digits'],
		['a list', {}, { 'x-shop-signature': [sign(BODY)] }, 'signature is not 64 hex digits'],
		['wrong', {}, { 'x-shop-signature': '00'.repeat(32) }, 'signature does not match'],
		['foreign secret', { secrets: ['other'] }, {}, 'signature does not match'],
	])('%s', (_what, change, headers, reason) => {
		expect(outcome(change, headers)).toBe(`refuse 401: ${reason}`);
	});

	it('judges re-serialised JSON by its bytes', () => {
		const reserialised = Buffer.from(JSON.stringify(JSON.parse(BODY.toString()), null, 1));
		expect(outcome({ body: reserialised }, { 'x-shop-signature': sign(BODY) })).toBe(
			'refuse 401: signature does not match',
		);
	});

	it('names a signature before everything else that is wrong', () => {
		expect(outcome({ body: Buffer.from('no json') }, { 'x-shop-signature': sign(BODY) })).toBe(
			'refuse 401: signature does not match',
		);
	});
});

describe('the five-minute window', () => {
	const at = (seconds: number | string) => outcome({}, { 'x-shop-timestamp': String(seconds) });

	it('is open from five minutes before to five minutes after', () => {
		fc.assert(
			fc.property(fc.integer({ min: -WINDOW_S, max: WINDOW_S }), (offset) => {
				expect(at(NOW_S + offset)).toBe('accept 200: genuine');
			}),
		);
	});

	it('is closed beyond, in both directions', () => {
		const far = fc.integer({ min: WINDOW_S + 1, max: NOW_S });
		fc.assert(
			fc.property(far, fc.constantFrom(-1, 1), (offset, direction) => {
				const verdict = at(NOW_S + direction * offset);
				expect(verdict).toBe('refuse 400: timestamp is more than 5 minutes away');
			}),
		);
	});

	it.each([
		undefined,
		'',
		'now',
		'1e9',
		'-5',
		'+5',
		' 5',
		`${NOW_S}.5`,
		`${NOW_MS}`,
		`0x${NOW_S.toString(16)}`,
		new Date(NOW_MS).toISOString(),
		'NaN',
		'Infinity',
	])('refuses %p', (timestamp) => {
		expect(outcome({}, { 'x-shop-timestamp': timestamp })).toMatch(
			/^refuse 400: (no timestamp|timestamp is not a number of seconds)$/,
		);
	});

	it('never lets any other text pass', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				fc.pre(!/^\d+$/.test(text));
				expect(at(text)).toMatch(/^refuse 400/);
			}),
		);
	});
});

describe('the two header families', () => {
	const legacy = {
		'x-ecom-signature': sign(BODY),
		'x-ecom-timestamp': String(NOW_S),
		'x-ecom-delivery-id': 'del_legacy',
	};
	const none = {
		'x-shop-signature': undefined,
		'x-shop-timestamp': undefined,
		'x-shop-delivery-id': undefined,
	};

	it('serve alone, either of them', () => {
		const verdict = verifyDelivery(arrival({}, { ...none, ...legacy }));
		expect(verdict).toMatchObject({ deliveryId: 'del_legacy' });
	});

	it('need one valid signature if both are sent', () => {
		expect(outcome({}, { ...legacy, 'x-shop-signature': '00'.repeat(32) })).toMatch(/^accept/);
		expect(outcome({}, { ...legacy, 'x-ecom-signature': 'broken' })).toMatch(/^accept/);
		const bad = { 'x-shop-signature': '00'.repeat(32), 'x-ecom-signature': '11'.repeat(32) };
		expect(outcome({}, { ...legacy, ...bad })).toBe('refuse 401: signature does not match');
	});

	it('need one that is fresh as well', () => {
		expect(outcome({}, { ...legacy, 'x-shop-timestamp': '1' })).toMatch(/^accept/);
		expect(outcome({}, { ...legacy, 'x-shop-timestamp': '1', 'x-ecom-timestamp': '1' })).toMatch(
			/^refuse 400/,
		);
	});

	it('do not lend each other their timestamps', () => {
		const mixed = { ...legacy, 'x-ecom-signature': '00'.repeat(32), 'x-shop-timestamp': undefined };
		expect(outcome({}, mixed)).toBe('refuse 400: no timestamp');
	});
});

describe('header families of any brand', () => {
	const branded = (prefix: string, change: Record<string, string> = {}) => ({
		'x-shop-signature': undefined,
		'x-shop-timestamp': undefined,
		'x-shop-delivery-id': undefined,
		[`${prefix}-signature`]: sign(BODY),
		[`${prefix}-timestamp`]: String(NOW_S),
		[`${prefix}-delivery-id`]: 'del_branded',
		...change,
	});

	it.each(['x-acme', 'acme', 'x-acme-webhook', 'x-signature', 'x-42'])(
		'are accepted with the prefix %s',
		(prefix) => {
			const verdict = verifyDelivery(arrival({}, branded(prefix)));
			expect(verdict).toMatchObject({ deliveryId: 'del_branded' });
		},
	);

	it('are believed for their signature alone, not for their name', () => {
		expect(outcome({}, branded('x-acme', { 'x-acme-signature': '00'.repeat(32) }))).toBe(
			'refuse 401: signature does not match',
		);
	});

	it('do not disturb each other: signatures of a proxy are passed over', () => {
		const proxy = { 'x-proxy-signature': 'v1=abc', 'x-cdn-signature': '11'.repeat(32) };
		expect(outcome({}, proxy)).toBe('accept 200: genuine');
	});

	it('take timestamp and delivery id from the family whose signature is valid', () => {
		const other = { 'x-proxy-signature': '00'.repeat(32), 'x-proxy-delivery-id': 'other' };
		const verdict = verifyDelivery(arrival({}, { ...branded('x-acme'), ...other }));
		expect(verdict).toMatchObject({ deliveryId: 'del_branded' });
		const stale = branded('x-acme', {
			'x-acme-timestamp': '1',
			'x-other-timestamp': String(NOW_S),
		});
		expect(outcome({}, stale)).toBe('refuse 400: timestamp is more than 5 minutes away');
	});

	it('may be a thousand: the body is hashed no more often for them', () => {
		const createHmac = jest.spyOn(crypto, 'createHmac');
		const many = Object.fromEntries(
			Array.from({ length: 1000 }, (_, i) => [`x-${i}-signature`, 'ab'.repeat(32)]),
		);
		const body = Buffer.alloc(5_000_000, ' ');
		const headers = { ...many, 'x-shop-signature': 'cd'.repeat(32) };
		expect(outcome({ body }, headers)).toBe('refuse 401: signature does not match');
		// One of them is the test's own.
		expect(createHmac.mock.calls.length).toBeLessThanOrEqual(2);
		createHmac.mockRestore();
	});
});

describe('what a delivery is recognised by', () => {
	const sha = (data: string | Buffer) =>
		crypto.createHash('sha256').update(data).digest('base64url').slice(0, 8);

	const recognisedBy = (
		timestamp: unknown,
		repeatsByContent: 'automatic' | 'always' | 'never' = 'automatic',
		headers: Record<string, string | undefined> = {},
	) => {
		const body = Buffer.from(JSON.stringify({ event: 'order.paid', timestamp, payload: {} }));
		const { fingerprints, recognisedBy: by } = accepted({ body, repeatsByContent }, headers);
		const names = new Map([
			[sha(body), 'body'],
			[sha('id:del_1'), 'id'],
		]);
		// Without its body in memory, a captured delivery could come again with its id taken out.
		expect(fingerprints[0]).toBe(sha(body));
		expect(fingerprints).toEqual(expect.arrayContaining([...by]));
		return by.map((one) => names.get(one));
	};

	it.each([
		'2026-11-21T12:00:00.250Z',
		'2026-11-21T12:00:00.000001Z',
		'2026-11-21T12:00:00,5+01:00',
	])('is its id and its content where the timestamp is exact: %s', (timestamp) => {
		expect(recognisedBy(timestamp)).toEqual(['body', 'id']);
	});

	it.each([
		'2026-11-21T12:00:00Z',
		'2026-11-21T12:00:00.000Z',
		'2026-11-21T12:00:00.0+01:00',
		'2026-11-21',
		'a text with 0.5',
		1_763_726_400_123,
		undefined,
		null,
	])('is its id alone where the timestamp is not: %p', (timestamp) => {
		expect(recognisedBy(timestamp)).toEqual(['id']);
	});

	it('is its id alone where the timestamp is not text', () => {
		expect(recognisedBy(['2026-11-21T12:00:00.250Z'])).toEqual(['id']);
	});

	it('follows the option, whatever the timestamp says', () => {
		expect(recognisedBy('2026-11-21T12:00:00Z', 'always')).toEqual(['body', 'id']);
		expect(recognisedBy('2026-11-21T12:00:00.250Z', 'never')).toEqual(['id']);
	});

	it('is its content where it has no id', () => {
		const noId = { 'x-shop-delivery-id': undefined };
		for (const rule of ['automatic', 'always', 'never'] as const) {
			expect(recognisedBy('2026-11-21T12:00:00Z', rule, noId)).toEqual(['body']);
		}
	});
});

describe('numbers in a payload', () => {
	it('keep all their digits: whole numbers that JavaScript would round become text', () => {
		const body = Buffer.from(
			'{"event":"order.paid","payload":{"id":9007199254740993,"amount":1999,"rate":0.5}}',
		);
		expect(verifyDelivery(arrival({ body }))).toMatchObject({
			payload: { id: '9007199254740993', amount: 1999, rate: 0.5 },
		});
	});
});

describe('what is genuine but of no use', () => {
	const withBody = (text: string) => outcome({ body: Buffer.from(text) });

	it.each([
		['no JSON', 'hello', 'body is not JSON'],
		['nothing', '', 'body is not JSON'],
		['cut off', '{"event":"order.paid"', 'body is not JSON'],
		['a list', '[]', 'body is not a JSON object'],
		['null', 'null', 'body is not a JSON object'],
		['text', '"order.paid"', 'body is not a JSON object'],
		['no event', '{"payload":{}}', 'body names no event'],
		['an empty event', '{"event":""}', 'body names no event'],
		['an event that is not text', '{"event":{"a":1}}', 'body names no event'],
	])('%s is refused with 400', (_what, text, reason) => {
		expect(withBody(text)).toBe(`refuse 400: ${reason}`);
	});

	it('an event that is not selected is acknowledged and not executed', () => {
		expect(withBody('{"event":"order.created"}')).toBe('acknowledge 200: event not selected');
		expect(outcome({ events: [] })).toBe('acknowledge 200: event not selected');
	});

	it('an event is matched whole', () => {
		expect(withBody('{"event":"order.paid.twice"}')).toMatch(/^acknowledge/);
		expect(withBody('{"event":"ORDER.PAID"}')).toMatch(/^acknowledge/);
	});

	it('never throws, whatever is signed and sent', () => {
		const headerValue = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
		const names = ['x-shop-signature', 'x-shop-timestamp', 'x-ecom-signature', 'x-ecom-timestamp'];
		const headers = fc.record(Object.fromEntries(names.map((name) => [name, headerValue])));
		fc.assert(
			fc.property(fc.uint8Array(), headers, (body, given) => {
				const reason = verifyDelivery({ ...arrival({ body }), headers: given });
				expect(REASONS[reason as Reason]).toBeGreaterThanOrEqual(400);
			}),
		);
		const deep = `{"event":"order.paid","payload":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
		expect(withBody(deep)).toBe('accept 200: genuine');
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(withBody(text)).toMatch(/^(refuse 400|acknowledge 200)/);
			}),
		);
	});
});
