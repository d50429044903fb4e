import type { IDataObject, IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { checkQueryLength, encodeText } from '../../shared/api/http';
import { InputError } from '../../shared/errors/errors';
import { saysNothing } from '../../shared/values/readers';
import { hasField } from '../../shared/values/json';
import type { PreSend } from './operation';

/** Reads a value into the form in which it is sent; it may look at the item's other parameters. */
export type ItemReader = (field: string, value: unknown, item: IExecuteSingleFunctions) => unknown;

/**
 * The same reader for a field that may stay empty. Whether it is empty is judged after it was read: an
 * expression may give a blank list or a collection without rows.
 *
 * @returns undefined where the value says nothing, so that it is not sent at all
 */
export function unlessEmpty(read: ItemReader): ItemReader {
	return (field, value, item) => {
		const given = saysNothing(value) ? undefined : read(field, value, item);
		return saysNothing(given) ? undefined : given;
	};
}

/** Whether the user gave a parameter as an expression. */
export function isExpression({ parameters }: Pick<INode, 'parameters'>, name: string): boolean {
	const entered: unknown = parameters[name];
	return typeof entered === 'string' && entered.startsWith('=');
}

/**
 * Reads a body property in a `preSend`. A property that is undefined after it is not sent.
 *
 * @param property where `routing.send` has put the value
 * @param field display name, for messages
 * @param sendAs the property's name on the wire
 * @throws InputError when another field has already set that property
 */
export function readBody(
	property: string,
	field: string,
	read: ItemReader,
	sendAs = property,
): PreSend {
	return async function (options) {
		const { [property]: given, ...body } = (options.body ?? {}) as IDataObject;
		const value = read(field, given, this);
		return {
			...options,
			body: value === undefined ? body : added(field, body, { [sendAs]: value }),
		};
	};
}

/**
 * The same for a property that holds further properties of the body.
 *
 * @param read gives them as an object
 */
export function spreadBody(property: string, field: string, read: ItemReader): PreSend {
	return async function (options) {
		const { [property]: given, ...body } = (options.body ?? {}) as IDataObject;
		const value = given === undefined ? {} : (read(field, given, this) ?? {});
		return { ...options, body: added(field, body, value) };
	};
}

/** The same for the query, whose empty parameters are left out by the client. */
export function readQuery(property: string, field: string, read: ItemReader): PreSend {
	return async function (options) {
		const value = options.qs?.[property] as unknown;
		if (value === undefined || value === null || value === '') return options;
		const sent = read(field, value, this) as IDataObject[string];
		if (typeof sent === 'string') checkQueryLength(field, encodeText(field, sent));
		return { ...options, qs: { ...options.qs, [property]: sent } };
	};
}

function added(field: string, body: IDataObject, more: object): IDataObject {
	const twice = Object.keys(more).find((name) => hasField(body, name));
	if (twice !== undefined) throw new InputError(field, `sets “${twice}” a second time`);
	return { ...body, ...more };
}
