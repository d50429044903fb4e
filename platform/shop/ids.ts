import { mix } from './random';

const DIGITS = 7;

export type IdCodec = ReturnType<typeof idCodec>;

/**
 * Turns a record's index into an id that looks random, and back, without a table.
 *
 * @param prefix such as `prod_`, as in the API document
 * @param seed the shop's seed; another seed gives other ids
 */
export function idCodec(prefix: string, seed: number) {
	const mask = mix(seed, prefix.charCodeAt(0), prefix.length);
	const masked = (number: number) => (number ^ mask) >>> 0;
	const encode = (index: number) => prefix + masked(index).toString(36).padStart(DIGITS, '0');
	/** The index; `undefined` if the text does not have exactly the form of such an id. */
	const decode = (id: string) => {
		const index = masked(parseInt(id.slice(prefix.length), 36));
		return encode(index) === id ? index : undefined;
	};
	return { encode, decode };
}
