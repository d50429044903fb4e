import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../shared/fields';
import { hasField, isObject } from '../../shared/values/json';
import { saysNothing } from '../../shared/values/readers';

/** Collections in which a parameter may stand. */
const COLLECTIONS = ['updateFields', 'additionalFields'];

/** A parameter's value, whether it stands in a collection of fields, which counts first, or by itself. */
export function enteredAnywhere({ node, parameter }: Item, name: string, byDefault: unknown) {
	const isIn = (collection: string) =>
		hasField(Object(node.parameters[collection]) as object, name);
	const collection = COLLECTIONS.find(isIn);
	return parameter(collection === undefined ? name : `${collection}.${name}`, byDefault);
}

/** What stands between `{{` and `}}` in an expression. */
const COMPUTED = /\{\{.*?\}\}/gs;

/**
 * An object, or a list of them, without the fields that an expression left empty: they must not empty a field of the
 * platform's. An empty value that the user wrote as such, outside of `{{ }}`, stays. In lists of records inside, each
 * record is read in the same way; other objects inside stay as they are.
 *
 * @param item whose JSON parameter holds it
 * @param parameter its name, at the top or in a collection of fields
 */
export const withoutBlanks = <T>(value: T, item?: Item, parameter?: string): T =>
	written(value, item && parameter && enteredIn(item, parameter)) as T;

function written(value: unknown, entered: unknown): unknown {
	const wrote = isObject(entered) || Array.isArray(entered) ? (entered as IDataObject) : {};
	if (Array.isArray(value)) return value.map((one, at) => written(one, wrote[at]));
	if (!isObject(value)) return value;
	// Without its amount a price would go out as a currency alone; with it, it is refused by name.
	const isNeeded = (name: string) => name === 'amount' && hasField(value, 'currency');
	const stays = ([name, one]: [string, unknown]) =>
		!saysNothing(one) || isNeeded(name) || (hasField(wrote, name) && saysNothing(wrote[name]));
	const fields = Object.entries(value)
		.filter(stays)
		.map(([name, one]) => [name, Array.isArray(one) ? written(one, wrote[name]) : one]);
	return Object.fromEntries(fields);
}

/**
 * What the user wrote of a JSON parameter himself: all of it where it is no expression, else what stands around the
 * `{{ }}`, in whose places are zeros.
 *
 * @returns undefined where an expression gives the whole
 */
function enteredIn({ node: { parameters } }: Item, name: string): unknown {
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
