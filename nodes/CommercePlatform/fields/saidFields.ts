import type { IDataObject } from 'n8n-workflow';

import { hasField, isObject } from '../../shared/values/json';
import { saysNothing } from '../../shared/values/readers';
import type { Item } from './field';

/** Collections in which a parameter may stand. */
const COLLECTIONS = ['updateFields', 'additionalFields'];

/** What stands between `{{` and `}}` in an expression. */
const COMPUTED = /\{\{.*?\}\}/gs;

/**
 * The fields of a JSON object that say something. What an expression leaves empty must not empty a field; an empty
 * value that the user wrote as such, outside of `{{ }}`, is one that was said.
 *
 * @param written what the user wrote himself, see `writtenIn`
 */
export function saidFields(fields: IDataObject, written: unknown): IDataObject {
	const wroteEmpty = (name: string) =>
		isObject(written) && hasField(written, name) && saysNothing(written[name]);
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => !saysNothing(value) || wroteEmpty(name)),
	);
}

/** The same for a list of records, of which each is changed by itself. What is no object stays. */
export function saidEntries(list: unknown[], written: unknown): unknown[] {
	return list.map((entry, at) =>
		isObject(entry)
			? saidFields(entry, Array.isArray(written) ? (written as unknown[])[at] : undefined)
			: entry,
	);
}

/**
 * What the user wrote of a JSON parameter himself: all of it where it is no expression, else what stands around the
 * `{{ }}`, in whose places are zeros.
 *
 * @param name the parameter's, at the top or in a collection of fields
 * @returns undefined where an expression gives the whole
 */
export function writtenIn({ node: { parameters } }: Pick<Item, 'node'>, name: string): unknown {
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
