import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { InputError } from '../api/nodeErrors';
import type { PreSend } from './operation';

/** Checks a value and gives it the form in which it is sent. */
export type Check = (field: string, value: unknown, item: IExecuteSingleFunctions) => unknown;

/**
 * Text of any length; numbers are written out.
 *
 * @param field display name
 * @throws InputError
 */
export function text(field: string, value: unknown): string {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value === 'string') return value;
	throw new InputError(field, 'must be text', `It is ${describe(value)}.`);
}

/**
 * Text that says something, without the blanks around it.
 *
 * @throws InputError
 */
export function someText(field: string, value: unknown): string {
	const said = value === undefined || value === null ? '' : text(field, value).trim();
	if (said === '') throw new InputError(field, 'is empty');
	return said;
}

/** Text, or null where the user clears the field. */
export function textOrNull(field: string, value: unknown): string | null {
	return value === null ? null : text(field, value);
}

/**
 * A list of texts: an array, or one text with commas between.
 *
 * @throws InputError
 */
export function textList(field: string, value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : text(field, value ?? '').split(',');
	return entries.map((entry) => text(field, entry).trim()).filter((entry) => entry !== '');
}

/**
 * A JSON value: parsed where it is text, taken as it is otherwise.
 *
 * @throws InputError
 */
export function json(field: string, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const { parsed, problem } = parse(value);
	if (problem !== undefined) throw new InputError(field, 'is not valid JSON', problem);
	return parsed;
}

function parse(written: string): { parsed?: unknown; problem?: string } {
	try {
		return { parsed: JSON.parse(written) as unknown };
	} catch (error) {
		return { problem: error instanceof Error ? error.message : 'It cannot be read.' };
	}
}

/**
 * A whole number of any size that JSON carries exactly.
 *
 * @throws InputError
 */
export function integer(field: string, value: unknown): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
	throw new InputError(field, 'must be a whole number', `It is ${describe(value)}.`);
}

/** A JSON object, as text or as it is. */
export function jsonObject(field: string, value: unknown): IDataObject {
	const read = json(field, value);
	if (isObject(read)) return read;
	throw new InputError(field, 'must be a JSON object', `It is ${describe(read)}.`);
}

/** The same check for a field that may stay empty: then it is not sent at all. */
export function unlessEmpty(check: Check): Check {
	return (field, value, item) => (isEmpty(value) ? undefined : check(field, value, item));
}

const isEmpty = (value: unknown) =>
	value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Makes a check of a body property a `preSend`. A property that is undefined after it is not sent.
 *
 * @param property where `routing.send` has put the value
 * @param field display name, for messages
 * @param sendAs the property's name on the wire
 * @throws InputError when another field has already set that property
 */
export function checkedBody(
	property: string,
	field: string,
	check: Check,
	sendAs = property,
): PreSend {
	return async function (options) {
		const { [property]: given, ...body } = (options.body ?? {}) as IDataObject;
		const value = check(field, given, this);
		return {
			...options,
			body: value === undefined ? body : added(field, body, { [sendAs]: value }),
		};
	};
}

/**
 * The same for a property that holds further properties of the body.
 *
 * @param check gives them as an object
 */
export function spreadBody(property: string, field: string, check: Check): PreSend {
	return async function (options) {
		const { [property]: given, ...body } = (options.body ?? {}) as IDataObject;
		const value = given === undefined ? {} : (check(field, given, this) ?? {});
		return { ...options, body: added(field, body, value) };
	};
}

/** The same for the query, whose empty parameters are left out by the transport. */
export function checkedQuery(property: string, field: string, check: Check): PreSend {
	return async function (options) {
		const value = options.qs?.[property] as unknown;
		if (value === undefined || value === null || value === '') return options;
		const checked = check(field, value, this) as IDataObject[string];
		return { ...options, qs: { ...options.qs, [property]: checked } };
	};
}

function added(field: string, body: IDataObject, more: object): IDataObject {
	const twice = Object.keys(more).find((name) => name in body);
	if (twice !== undefined) throw new InputError(field, `sets “${twice}” a second time`);
	return { ...body, ...more };
}

/** What a value is, short enough for a message. */
export function describe(value: unknown): string {
	const json = JSON.stringify(value) ?? String(value);
	return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

/** Whether it is a JSON object, not a list or null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
