import type { IDataObject } from 'n8n-workflow';

import { hasField, isObject } from '../../shared/values/json';
import { enteredJson } from './jsonText';
import { jsonObject, saysNothing } from '../../shared/values/readers';
import type { Item } from '../../shared/values/fields';

/**
 * Removes fields that say nothing, at any depth: an expression without a value must not empty a field of the record.
 * Entries of lists stay in their places.
 */
export function withoutBlanks<T>(value: T): T {
	return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(cleaned);
	if (!isObject(value)) return value;
	// A price without its amount would be sent as a currency alone; left in, it is refused by name.
	const isNeeded = (name: string) => name === 'amount' && hasField(value, 'currency');
	const fields = Object.entries(value)
		.map(([name, field]) => [name, cleaned(field)] as const)
		.filter(([name, field]) => isNeeded(name) || !saysNothing(field));
	return Object.fromEntries(fields);
}

/**
 * Reads a JSON field for a body. JSON that was written by hand is sent unchanged. From JSON with an expression, fields
 * that say nothing are removed.
 *
 * @param field display name
 * @param path of the field in the parameters
 * @throws InputError
 */
export function sentJson(field: string, item: Item, path: string, value: unknown): unknown {
	if (!item.isExpression(path)) return enteredJson(field, item, path, value);
	// An object from an expression may hold fields without a value, which JSON does not have.
	const given = typeof value === 'string' ? value : withoutBlanks(value);
	return withoutBlanks(enteredJson(field, item, path, given));
}

/** Reads a JSON object in the same way; an empty field is an empty object. */
export function sentObject(field: string, item: Item, path: string, value: unknown): IDataObject {
	if (saysNothing(value)) return {};
	return jsonObject(field, sentJson(field, item, path, value));
}
