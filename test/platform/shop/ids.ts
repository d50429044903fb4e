import { mix } from './random';

const DIGITS = 7;

/** Turns a record's index into an id that looks like no number, and back, without a table. */
export interface IdCodec {
	encode(index: number): string;
	/** The index, or `undefined` if the text has not exactly the form of such an id. */
	decode(id: string): number | undefined;
}

/**
 * @param prefix such as `prod_`, as the API document writes ids.
 * @param seed the shop's seed; another seed gives other ids.
 */
export function idCodec(prefix: string, seed: number): IdCodec {
	const mask = mix(seed, prefix.charCodeAt(0), prefix.length);
	const masked = (number: number) => (number ^ mask) >>> 0;
	const encode = (index: number) => prefix + masked(index).toString(36).padStart(DIGITS, '0');
	const decode = (id: string) => {
		const index = masked(parseInt(id.slice(prefix.length), 36));
		return encode(index) === id ? index : undefined;
	};
	return { encode, decode };
}
