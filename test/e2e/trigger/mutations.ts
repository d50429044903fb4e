import { randomBytes } from 'node:crypto';

import {
	newDeliveryId,
	sign,
	signedDelivery,
	timestampOf,
	type Delivery,
} from '../../support/delivery';
import type { Sending } from '../../support/load';
import { pick } from '../../support/random';

/** What an attacker, a broken proxy or a wrong sender has to work with. */
export interface Material {
	url: string;
	secret: string;
	/** Genuine deliveries that were accepted before: captured, so to speak. */
	captured: Delivery[];
	random: () => number;
}

type Mutation = (material: Material) => Sending;

const capture = ({ captured, random }: Material): Delivery => pick(captured, random);

const fresh = ({ url, secret }: Material, ageSeconds = 0): Delivery =>
	signedDelivery({ url, secret, ageSeconds });

/** Changes headers of a delivery; `undefined` takes one out. */
function withHeaders(delivery: Sending, change: Record<string, string | undefined>): Sending {
	const headers = { ...delivery.headers };
	for (const [name, value] of Object.entries(change)) {
		if (value === undefined) delete headers[name];
		else headers[name] = value;
	}
	return { ...delivery, headers };
}

const now = () => timestampOf(Date.now());
const freshHeaders = () => ({ 'x-shop-delivery-id': newDeliveryId(), 'x-shop-timestamp': now() });

function withFlippedBit(delivery: Sending, random: () => number): Sending {
	const body = Buffer.from(delivery.body);
	body[Math.floor(random() * body.length)] ^= 1 << Math.floor(random() * 8);
	return { ...delivery, body };
}

/** Only bits whose change leaves a character that HTTP lets through. */
function flippedText(text: string, random: () => number): string {
	for (;;) {
		const at = Math.floor(random() * text.length);
		const code = text.charCodeAt(at) ^ (1 << Math.floor(random() * 7));
		if (code > 0x20 && code < 0x7f) {
			return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
		}
	}
}

const signed = (material: Material, body: string | Buffer): Sending =>
	withHeaders({ ...fresh(material), body }, { 'x-shop-signature': sign(body, material.secret) });

const MEGABYTE = 1024 * 1024;

/** Ways in which a delivery can be wrong. None may ever start an execution. */
export const MUTATIONS: Record<string, Mutation> = {
	'bit flipped in the body': (m) => withFlippedBit(fresh(m), m.random),
	'bit flipped in a captured body': (m) =>
		withHeaders(withFlippedBit(capture(m), m.random), freshHeaders()),
	'bit flipped in the signature': (m) => {
		const delivery = fresh(m);
		const signature = flippedText(delivery.headers['x-shop-signature'], m.random);
		return withHeaders(delivery, { 'x-shop-signature': signature });
	},
	'signature of another delivery': (m) =>
		withHeaders(fresh(m), { 'x-shop-signature': capture(m).headers['x-shop-signature'] }),
	'body of another delivery': (m) => ({ ...fresh(m), body: `${capture(m).body} ` }),
	'headers swapped': (m) => {
		const { headers, ...rest } = fresh(m);
		return withHeaders(
			{ ...rest, headers },
			{
				'x-shop-signature': headers['x-shop-timestamp'],
				'x-shop-timestamp': headers['x-shop-signature'],
			},
		);
	},
	'old timestamp': (m) => fresh(m, 301 + Math.floor(m.random() * 1e6)),
	// Too far to come true while the others are sent.
	'future timestamp': (m) => fresh(m, -3600 - Math.floor(m.random() * 1e6)),
	'timestamp that is none': (m) =>
		withHeaders(fresh(m), {
			'x-shop-timestamp': pick(
				['', 'now', '1e9', '-1', `${Date.now()}`, '0x6', '9'.repeat(40)],
				m.random,
			),
		}),
	'no timestamp': (m) => withHeaders(fresh(m), { 'x-shop-timestamp': undefined }),
	'foreign secret': (m) => signedDelivery({ url: m.url, secret: randomBytes(16).toString('hex') }),
	'empty secret': (m) => {
		const delivery = fresh(m);
		const signature = sign(delivery.body, '');
		return withHeaders(delivery, { 'x-shop-signature': signature });
	},
	'no signature': (m) => withHeaders(fresh(m), { 'x-shop-signature': undefined }),
	'signature that is none': (m) =>
		withHeaders(fresh(m), {
			'x-shop-signature': pick(
				['', '0', 'sha256=', 'null', 'zz'.repeat(32), 'a'.repeat(5000)],
				m.random,
			),
		}),
	'signature twice': (m) => {
		const delivery = fresh(m);
		const signature = delivery.headers['x-shop-signature'];
		return withHeaders(delivery, { 'x-shop-signature': `${signature}, ${signature}` });
	},
	'legacy headers with a wrong signature': (m) =>
		withHeaders(fresh(m), {
			'x-shop-signature': undefined,
			'x-ecom-signature': '00'.repeat(32),
			'x-ecom-timestamp': now(),
		}),
	'replay as it was': (m) => capture(m),
	'replay under fresh headers': (m) => withHeaders(capture(m), freshHeaders()),
	'replay under legacy headers': (m) => {
		const delivery = capture(m);
		return withHeaders(delivery, {
			'x-shop-signature': undefined,
			'x-shop-timestamp': undefined,
			'x-shop-delivery-id': undefined,
			'x-ecom-signature': delivery.headers['x-shop-signature'],
			'x-ecom-timestamp': now(),
			'x-ecom-delivery-id': newDeliveryId(),
		});
	},
	'replay as another event': (m) =>
		withHeaders(capture(m), { ...freshHeaders(), 'x-shop-event': 'customer.deleted' }),
	truncated: (m) => {
		const delivery = fresh(m);
		const length = Math.floor(m.random() * (delivery.body.length - 1));
		return { ...delivery, body: delivery.body.slice(0, length) };
	},
	're-serialised': (m) => {
		const delivery = fresh(m);
		return { ...delivery, body: JSON.stringify(JSON.parse(delivery.body), null, 2) };
	},
	'in another charset': (m) => {
		const delivery = fresh(m);
		const charset = pick(
			['utf-16le', 'utf-16', 'latin1', 'iso-8859-1', 'ascii', 'x-unknown'],
			m.random,
		);
		return withHeaders(
			{ ...delivery, body: Buffer.from(delivery.body, 'utf16le') },
			{ 'content-type': `application/json; charset=${charset}` },
		);
	},
	'replay of another content type': (m) =>
		withHeaders(capture(m), {
			...freshHeaders(),
			'content-type': pick(
				[
					'text/plain',
					'application/octet-stream',
					'application/x-www-form-urlencoded',
					'text/html',
				],
				m.random,
			),
		}),
	'5 MB of JSON with a captured signature': (m) => ({
		...capture(m),
		body: JSON.stringify({ event: 'order.paid', payload: { text: 'x'.repeat(5 * MEGABYTE) } }),
	}),
	'5 MB of noise': (m) => ({ ...fresh(m), body: Buffer.alloc(5 * MEGABYTE, 0x41) }),
	'signed, but no JSON': (m) => signed(m, `${m.random()} is no order`),
	'signed, but no object': (m) =>
		signed(m, pick(['[]', 'null', '7', '"order.paid"', '[{}]'], m.random)),
	'signed, but without an event': (m) => signed(m, `{"payload":{"n":${m.random()}}}`),
	'signed, of an event that is not selected': (m) =>
		signedDelivery({ url: m.url, secret: m.secret, event: 'order.created' }),
};

/** Rarely drawn: each costs as much as a thousand others. */
const isLarge = (name: string) => name.startsWith('5 MB');

/** So many wrong deliveries, every kind among them. */
export function mutated(
	material: Material,
	count: number,
): Array<{ name: string; sending: Sending }> {
	const names = Object.keys(MUTATIONS);
	const common = names.filter((name) => !isLarge(name));
	return Array.from({ length: count }, (_, i) => {
		const list = i % 100 === 0 ? names.filter(isLarge) : common;
		const name = list[i % 100 === 0 ? (i / 100) % list.length : i % list.length];
		return { name, sending: MUTATIONS[name](material) };
	});
}
