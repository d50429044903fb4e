import { iso } from './clock';
import { generated, type Source } from './collection';
import { mix, pick } from './random';
import { requireWritable } from './refusal';
import { CITIES, FIRST_NAMES, LAST_NAMES } from './words';
import type { IdCodec } from './ids';
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

const mailboxOf = (first: string, last: string): string =>
	`${first}.${last}`
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[^a-z.]/g, '');

/** Who customer n is; orders show the same person. */
export function personOf(seed: number, n: number) {
	const first_name = pick(FIRST_NAMES, mix(seed, n, 20));
	const last_name = pick(LAST_NAMES, mix(seed, n, 21));
	const place = pick(CITIES, mix(seed, n, 22));
	return {
		email: `${mailboxOf(first_name, last_name)}.${n}@customer.example`,
		first_name,
		last_name,
		address: { street: `Market Street ${(n % 180) + 1}`, ...place },
	};
}

export const customerSource = (
	size: number,
	seed: number,
	ids: IdCodec,
	today: number,
): Source<Customer> =>
	generated(size, today, (n, times) => {
		const consent = mix(seed, n, 23);
		return {
			id: ids.encode(n),
			status: 'active',
			...personOf(seed, n),
			phone: n % 3 === 0 ? null : `+49 30 ${String(100_000 + (n % 900_000))}`,
			accepts_email_marketing: consent % 3 === 0,
			accepts_sms_marketing: consent % 7 === 0,
			...times,
		};
	});

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
	...shop.stamp('customers', index, at),
});

/** A new customer. Emits `customer.created`. */
export function createCustomer(shop: Shop, fields: Partial<Customer>): Customer {
	requireWritable(fields);
	const customer = shop.customers.add((index, at) => newCustomer(shop, fields, index, at));
	shop.emit('customer.created', { id: customer.id });
	return customer;
}

/** @throws Refusal NOT_FOUND or INVALID_PARAMETER. */
export function updateCustomer(shop: Shop, id: string, fields: Partial<Customer>): Customer {
	const { index } = shop.find('customers', id);
	requireWritable(fields);
	const change = (old: Customer, at: number) => ({ ...old, ...fields, updated_at: iso(at) });
	const customer = shop.customers.replace(index, change);
	shop.emit('customer.updated', { id });
	return customer;
}
