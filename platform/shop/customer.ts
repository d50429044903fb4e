import { generated, type RecordOf } from './collection';
import { mix, pick } from './random';
import { CITIES, FIRST_NAMES, LAST_NAMES } from './words';
import type { IdCodec } from './ids';

/** The API document does not show the fields of a customer; it says that consent fields exist. */
export type Customer = RecordOf<typeof customerSource>;

const mailboxOf = (first: string, last: string): string =>
	`${first}.${last}`
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[^a-z.]/g, '');

/** The person behind customer n; orders show the same person. */
export function personOf(seed: number, n: number) {
	const first_name = pick(FIRST_NAMES, mix(seed, n, 20));
	const last_name = pick(LAST_NAMES, mix(seed, n, 21));
	const city = pick(CITIES, mix(seed, n, 22));
	return {
		email: `${mailboxOf(first_name, last_name)}.${n}@customer.example`,
		first_name,
		last_name,
		address: { street: `Market Street ${(n % 180) + 1}`, ...city },
	};
}

export const customerSource = (size: number, seed: number, ids: IdCodec, today: number) =>
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
