import type { IDataObject } from 'n8n-workflow';

import { hasField, isObject } from '../../shared/values/json';
import { saysNothing } from '../../shared/values/readers';
import type { Item } from './field';

/** Collections in which a parameter may stand. */
const COLLECTIONS = ['updateFields', 'additionalFields'];

/** What stands between `{{` and `}}` in an expression. */
const COMPUTED = /\{\{.*?\}\}/gs;

/**
 * An object, or a list of them, without the fields that an expression left empty: they must not empty a field of the
 * platform's. An empty value that the user wrote as such, outside of `{{ }}`, stays. In lists of records inside, each
 * record is read in the same way; other objects inside stay as they are.
 *
 * @param entered what the user wrote himself, see {@link enteredIn}
 */
export function withoutBlanks<T>(value: T, entered?: unknown): T;
export function withoutBlanks(value: unknown, entered?: unknown): unknown {
	const wrote = isObject(entered) || Array.isArray(entered) ? (entered as IDataObject) : {};
	if (Array.isArray(value)) return value.map((one, at) => withoutBlanks<unknown>(one, wrote[at]));
	if (!isObject(value)) return value;
	// Without its amount a price would go out as a currency alone; with it, it is refused by name.
	const isNeeded = (name: string) => name === 'amount' && hasField(value, 'currency');
	const stays = ([name, one]: [string, unknown]) =>
		!saysNothing(one) || isNeeded(name) || (hasField(wrote, name) && saysNothing(wrote[name]));
	const fields = Object.entries(value).filter(stays);
	return Object.fromEntries(
		fields.map(([name, one]) => [
			name,
			Array.isArray(one) ? withoutBlanks<unknown>(one, wrote[name]) : one,
		]),
	);
}

/**
 * What the user wrote of a JSON parameter himself: all of it where it is no expression, else what stands around the
 * `{{ }}`, in whose places are zeros.
 *
 * @param name the parameter's, at the top or in a collection of fields
 * @returns undefined where an expression gives the whole
 */
export function enteredIn({ node: { parameters } }: Pick<Item, 'node'>, name: string): unknown {
	const places: unknown[] = [parameters, ...COLLECTIONS.map((one) => parameters[one])];
	const place = places.find((one) => isObject(one) && hasField(one, name)) as IDataObject;
	const entered = place?.[name];
	if (typeof entered !== 'string') return entered;
	const text = entered.startsWith('=') ? entered.slice(1).replace(COMPUTED, '0') : entered;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
