import { mix } from '../shop/random';
import { POINT_NAMES, pointOf, valuesOf, type Dialect, type PointName } from './table';

export type { Dialect, PointName } from './table';

/** A thing for each value of a switch. */
export type By<Name extends PointName, Thing> = Readonly<Record<Dialect[Name], Thing>>;

/** Makes a dialect from one value per switch. */
const dialectOf = (value: (name: PointName) => string): Dialect =>
	Object.fromEntries(POINT_NAMES.map((name) => [name, value(name)])) as Dialect;

export const DEFAULT_DIALECT = dialectOf((name) => valuesOf(name)[0]);

export const CONTRARY_DIALECT = dialectOf((name) => pointOf(name).contrary);

/** Hash of a switch's name: a new switch does not change the values that a seed gives the others. */
const salt = (name: string): number =>
	[...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);

/** The same seed always gives the same dialect. */
export const randomDialect = (seed: number): Dialect =>
	dialectOf((name) => {
		const values = valuesOf(name);
		return values[mix(seed, salt(name), values.length) % values.length];
	});

/**
 * A dialect with some values changed.
 *
 * @throws RangeError for a switch or a value that does not exist
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
 * Reads a dialect from comma-separated parts, each `default`, `contrary`, a seed, or `switch=value`. A later part
 * overrides an earlier one.
 *
 * @throws RangeError for any other part
 */
export function parseDialect(text: string): Dialect {
	let dialect = DEFAULT_DIALECT;
	for (const part of text.split(',').map((entry) => entry.trim())) {
		const [name, value] = part.split('=');
		if (value !== undefined) dialect = changeDialect(dialect, { [name]: value });
		else if (Object.hasOwn(NAMED, part)) dialect = NAMED[part];
		else if (/^\d{1,9}$/.test(part)) dialect = randomDialect(Number(part));
		else
			throw new RangeError(`A dialect is default, contrary, a seed or switch=value; not ${part}`);
	}
	return dialect;
}
