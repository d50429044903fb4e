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
		const value = given === undefined ? undefined : check(field, given, this);
		if (value === undefined) return { ...options, body };
		if (sendAs in body) throw new InputError(field, `sets “${sendAs}” a second time`);
		return { ...options, body: { ...body, [sendAs]: value as IDataObject[string] } };
	};
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
