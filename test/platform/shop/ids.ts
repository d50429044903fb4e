import { mix } from './random';

const DIGITS = 6;
const MODULUS = 36 ** DIGITS;
/** Odd and no multiple of 3, hence invertible modulo 36^6; small enough for exact products. */
const FACTOR = 611_953_291;
/** FACTOR * INVERSE is 1 modulo 36^6. */
const INVERSE = 848_813_347n;
const MAX_INDEX = Math.floor((Number.MAX_SAFE_INTEGER - MODULUS) / FACTOR);

/** Turns a record's index into an id that looks random, and back, without a table. */
export interface IdCodec {
	/** @throws RangeError above about 14 million. */
	encode(index: number): string;
	/** The index, or `undefined` if the text has not exactly the form of such an id. */
	decode(id: string): number | undefined;
}

/**
 * @param prefix such as `prod_`, as the API document writes ids.
 * @param seed the shop's seed; another seed gives other ids.
 */
export function idCodec(prefix: string, seed: number): IdCodec {
	const offset = mix(seed, prefix.charCodeAt(0), prefix.length) % MODULUS;
	const form = new RegExp(`^${prefix}([0-9a-z]{${DIGITS}})$`);
	return {
		encode(index) {
			if (index > MAX_INDEX) throw new RangeError(`No ids beyond ${MAX_INDEX} records`);
			return prefix + ((index * FACTOR + offset) % MODULUS).toString(36).padStart(DIGITS, '0');
		},
		decode(id) {
			const digits = form.exec(id)?.[1];
			if (digits === undefined) return undefined;
			const shifted = BigInt((parseInt(digits, 36) - offset + MODULUS) % MODULUS);
			return Number((shifted * INVERSE) % BigInt(MODULUS));
		},
	};
}
