import { idCodec } from './ids';
import { iso, timeline } from './clock';
import { mix, pick } from './random';
import { notFound, requireWritable } from './refusal';
import { CITIES, FIRST_NAMES, LAST_NAMES } from './words';
import type { Source } from './collection';
import type { Shop } from './shop';

/** Customer fields: not shown; consent fields are stated to exist. */
export interface Customer {
	id: string;
	status: string;
	email: string;
	first_name: string;
	last_name: string;
	phone: string | null;
	address: { street: string; city: string; country: string };
	accepts_email_marketing: boolean;
	accepts_sms_marketing: boolean;
	created_at: string;
	updated_at: string;
	[field: string]: unknown;
}

export const customerIds = (seed: number) => idCodec('cust_', seed);

const mailboxOf = (first: string, last: string): string =>
	`${first}.${last}`
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[^a-z.]/g, '');

/** Mailbox of every name, made once: a page of orders asks for 250. */
const MAILBOXES = Object.fromEntries(
	FIRST_NAMES.map((first) => [
		first,
		Object.fromEntries(LAST_NAMES.map((last) => [last, mailboxOf(first, last)])),
	]),
);

/** Who customer n is; orders show the same person. */
export function personOf(seed: number, n: number) {
	const first = pick(FIRST_NAMES, mix(seed, n, 20));
	const last = pick(LAST_NAMES, mix(seed, n, 21));
	const place = pick(CITIES, mix(seed, n, 22));
	const mailbox = MAILBOXES[first][last];
	return {
		email: `${mailbox}.${n}@customer.example`,
		first_name: first,
		last_name: last,
		address: { street: `Market Street ${(n % 180) + 1}`, ...place },
	};
}

export function customerSource(size: number, seed: number, today: number): Source<Customer> {
	const ids = customerIds(seed);
	const times = timeline(size, today);
	return {
		size,
		count: size,
		...times,
		generate(n) {
			const consent = mix(seed, n, 23);
			return {
				id: ids.encode(n),
				status: 'active',
				...personOf(seed, n),
				phone: n % 3 === 0 ? null : `+49 30 ${String(100_000 + (n % 900_000))}`,
				accepts_email_marketing: consent % 3 === 0,
				accepts_sms_marketing: consent % 7 === 0,
				created_at: iso(times.createdAt(n)),
				updated_at: iso(times.updatedAt(n)),
			};
		},
	};
}

/** The record of a new customer, without any consent unless the fields give it. @param at ms. */
export const newCustomer = (
	shop: Shop,
	fields: Partial<Customer>,
	index: number,
	at: number,
): Customer => ({
	status: 'active',
	email: '',
	first_name: '',
	last_name: '',
	phone: null,
	address: { street: '', city: '', country: '' },
	accepts_email_marketing: false,
	accepts_sms_marketing: false,
	...fields,
	id: shop.ids.customers.encode(index),
	created_at: iso(at),
	updated_at: iso(at),
});

/** A new customer. Emits `customer.created`. */
export function createCustomer(shop: Shop, fields: Partial<Customer>): Customer {
	requireWritable(fields);
	const customer = shop.customers.add((index, at) => newCustomer(shop, fields, index, at));
	shop.emit('customer.created', { id: customer.id });
	return customer;
}

/** @throws Refusal NOT_FOUND. */
export function customerIndex(shop: Shop, id: string): number {
	const index = shop.ids.customers.decode(id);
	if (index === undefined || !shop.customers.get(index)) throw notFound(`customer ${id}`);
	return index;
}

/** @throws Refusal NOT_FOUND or INVALID_PARAMETER. */
export function updateCustomer(shop: Shop, id: string, fields: Partial<Customer>): Customer {
	const index = customerIndex(shop, id);
	requireWritable(fields);
	const customer = shop.customers.replace(index, (old, at) => ({
		...old,
		...fields,
		updated_at: iso(at),
	}));
	shop.emit('customer.updated', { id });
	return customer;
}
