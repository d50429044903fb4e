import {
	newDeliveryId,
	sign,
	signedDelivery,
	timestampOf,
	type Delivery,
} from '../../../platform/support/delivery';
import type { Sending } from '../../support/load';
import { pick } from '../../../platform/support/random';

/** The material of an attacker, a broken proxy or a faulty sender. */
interface Material {
	url: string;
	secret: string;
	/** Genuine deliveries that were accepted before and captured. */
	captured: Delivery[];
	random: () => number;
}

type Mutation = (material: Material) => Sending;

const MEGABYTE = 1024 * 1024;

const capture = ({ captured, random }: Material): Delivery => pick(captured, random);

const fresh = ({ url, secret }: Material): Delivery => signedDelivery({ url, secret });

const withHeaders = (delivery: Sending, change: Record<string, string>): Sending => ({
	...delivery,
	headers: { ...delivery.headers, ...change },
});

const freshHeaders = () => ({
	'x-shop-delivery-id': newDeliveryId(),
	'x-shop-timestamp': timestampOf(Date.now()),
});

function withFlippedBit(delivery: Sending, random: () => number): Sending {
	const body = Buffer.from(delivery.body);
	body[Math.floor(random() * body.length)] ^= 1 << Math.floor(random() * 8);
	return { ...delivery, body };
}

const signed = (material: Material, body: string): Sending =>
	withHeaders({ ...fresh(material), body }, { 'x-shop-signature': sign(body, material.secret) });

/** Mutations that n8n's own request parsing could let through: bytes, charsets, values. All are refused. */
export const REFUSED: Record<string, Mutation> = {
	'bit flipped in the body': (m) => withFlippedBit(fresh(m), m.random),
	're-serialised': (m) => {
		const delivery = fresh(m);
		return { ...delivery, body: JSON.stringify(JSON.parse(delivery.body), null, 2) };
	},
	'in another charset': (m) => {
		const delivery = fresh(m);
		const charset = pick(['utf-16le', 'latin1', 'ascii', 'x-unknown'], m.random);
		return withHeaders(
			{ ...delivery, body: Buffer.from(delivery.body, 'utf16le') },
			{ 'content-type': `application/json; charset=${charset}` },
		);
	},
	'signed, but no JSON': (m) => signed(m, `${m.random()} is no order`),
	'signed, but no object': (m) => signed(m, pick(['[]', 'null', '7', '[{}]'], m.random)),
};

/** Genuine deliveries that are not executed. The answer is 200, so that the platform does not send them again. */
export const ACKNOWLEDGED: Record<string, Mutation> = {
	'replay under fresh headers': (m) => withHeaders(capture(m), freshHeaders()),
	'replay of another content type': (m) =>
		withHeaders(capture(m), {
			...freshHeaders(),
			'content-type': pick(['text/plain', 'application/octet-stream', 'text/html'], m.random),
		}),
};

/** Mutations that each cost as much as a thousand others. */
export const LARGE: Record<string, Mutation> = {
	'5 MB of JSON with a captured signature': (m) => ({
		...capture(m),
		body: JSON.stringify({ event: 'order.paid', payload: { text: 'x'.repeat(5 * MEGABYTE) } }),
	}),
	'5 MB of noise': (m) => ({ ...fresh(m), body: Buffer.alloc(5 * MEGABYTE, 0x41) }),
};

/** A number of deliveries of each kind. */
export const mutated = (kinds: Record<string, Mutation>, material: Material, count: number) =>
	Object.entries(kinds).flatMap(([name, mutation]) =>
		Array.from({ length: count }, () => ({ name, sending: mutation(material) })),
	);
