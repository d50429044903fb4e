import type { IDataObject } from 'n8n-workflow';

import { hasField, isObject } from '../../shared/values/json';

/**
 * Takes fields of a record by their names. A name may lead into objects and lists by dots: `customer.email`.
 *
 * @param record as the platform gave it
 * @param shortened the same record by Simplify; it may have names of its own
 * @returns the fields in the form of the record, and the names that it lacks
 */
export function selectedOf(
	record: IDataObject,
	shortened: IDataObject,
	names: readonly string[],
): { fields: IDataObject; missing: string[] } {
	let fields: unknown = {};
	const missing: string[] = [];
	for (const name of names) {
		const sources = hasField(record, name) ? [record] : [shortened, record];
		const source = sources.find((each) => hasField(each, name));
		const part = source === undefined ? partAt(record, name.split('.')) : { [name]: source[name] };
		if (part === undefined) missing.push(name);
		else fields = joined(fields, part);
	}
	return { fields: fields as IDataObject, missing };
}

/** The part of a value that a path leads to, with what is around it; undefined if there is none. */
function partAt(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined) return value;
	if (Array.isArray(value)) {
		const parts = value.map((entry) => partAt(entry, [name, ...rest]));
		return parts.every((part) => part === undefined) ? undefined : parts.map((part) => part ?? {});
	}
	if (!isObject(value) || !hasField(value, name)) return undefined;
	const part = partAt(value[name], rest);
	return part === undefined ? undefined : { [name]: part };
}

/** Joins two parts of one value. */
function joined(a: unknown, b: unknown): unknown {
	if (Array.isArray(a) && Array.isArray(b)) return a.map((entry, index) => joined(entry, b[index]));
	if (!isObject(a) || !isObject(b)) return b;
	const fields: IDataObject = { ...a };
	for (const [name, part] of Object.entries(b))
		fields[name] = (hasField(a, name) ? joined(a[name], part) : part) as IDataObject[string];
	return fields;
}
