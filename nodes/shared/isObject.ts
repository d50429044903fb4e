import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object: not a list, null, a date, or an exact number. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !saysItself(value);
}

/** Whether it says by itself what it is in JSON, as dates do. A parsed record may have a field of that name. */
export function saysItself(value: object): value is { toJSON(): unknown } {
	return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Whether an object has a field of its own: `in` finds `toString` and `constructor` in every object. */
export function hasField(value: object, name: string): boolean {
	return Object.prototype.hasOwnProperty.call(value, name);
}
