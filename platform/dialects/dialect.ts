import { mix } from '../shop/random';
import { POINT_NAMES, pointOf, valuesOf, type Dialect, type PointName } from './table';

export type { Dialect, PointName } from './table';

/** One thing for each value of a switch. */
export type By<Name extends PointName, Thing> = Readonly<Record<Dialect[Name], Thing>>;

/** A dialect from a value for each point. */
const dialectOf = (value: (name: PointName) => string): Dialect =>
	Object.fromEntries(POINT_NAMES.map((name) => [name, value(name)])) as Dialect;

export const DEFAULT_DIALECT = dialectOf((name) => valuesOf(name)[0]);

export const CONTRARY_DIALECT = dialectOf((name) => pointOf(name).contrary);

/** Hash of a name, so that a new point does not change what the others draw. */
const salt = (name: string): number =>
	[...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);

/** The same seed always gives the same dialect. */
export const randomDialect = (seed: number): Dialect =>
	dialectOf((name) => {
		const values = valuesOf(name);
		return values[mix(seed, salt(name), values.length) % values.length];
	});

/**
 * Lays values over a dialect.
 *
 * @throws RangeError for a point or a value that does not exist.
 */
export function changeDialect(base: Dialect, change: Readonly<Record<string, string>>): Dialect {
	for (const [name, value] of Object.entries(change)) {
		if (!(POINT_NAMES as string[]).includes(name)) {
			throw new RangeError(`There is no switch ${name} of a dialect`);
		}
		const values = valuesOf(name as PointName);
		if (!values.includes(value)) {
			throw new RangeError(`${name} is ${values.join(', ')}; not ${value}`);
		}
	}
	return { ...base, ...change };
}

const NAMED: Readonly<Record<string, Dialect>> = {
	default: DEFAULT_DIALECT,
	contrary: CONTRARY_DIALECT,
};

/**
 * Reads a dialect from text: parts with commas between, each `default`, `contrary`, a seed, or
 * `switch=value`. A later part counts more than an earlier one.
 *
 * @throws RangeError for a part that is none of these.
 */
export function parseDialect(text: string): Dialect {
	let dialect = DEFAULT_DIALECT;
	for (const part of text.split(',').map((one) => one.trim())) {
		const [name, value] = part.split('=');
		if (value !== undefined) dialect = changeDialect(dialect, { [name]: value });
		else if (Object.hasOwn(NAMED, part)) dialect = NAMED[part];
		else if (/^\d{1,9}$/.test(part)) dialect = randomDialect(Number(part));
		else
			throw new RangeError(`A dialect is default, contrary, a seed or switch=value; not ${part}`);
	}
	return dialect;
}
