import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Field, Item, Options } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';
import {
	boolean,
	oneOf,
	optionalText,
	saysNothing,
	wholeNumber,
} from '../../shared/values/readers';
import type { Operation } from './operation';

/**
 * Reads an item's Options and Request Options. Options with `send` are read with the other fields.
 *
 * @throws InputError that names the field
 */
export function readOptions(
	{ fields, requestOptions }: Operation,
	parameter: Item['parameter'],
): Options {
	const options = fields.find(({ name }) => name === 'options');
	return {
		...readChoices(optionsIn(options), parameter('options', {})),
		...readChoices(optionsIn(requestOptions), parameter(requestOptions.name, {})),
	};
}

/** The fields of a collection. */
export const optionsIn = (collection?: Field): Field[] => (collection?.options ?? []) as Field[];

/**
 * Reads the choices in a collection, each as its field says: a switch, a whole number within its bounds, one of a list,
 * or a text without surrounding blanks.
 *
 * @param fields those of the collection that are wanted
 * @param chosen what was entered in it
 * @throws InputError that names the field
 */
export function readChoices(fields: readonly Field[], chosen: unknown): IDataObject {
	if (!isObject(chosen)) return {};
	const choices = fields
		.filter(({ name, send }) => send === undefined && name in chosen)
		.map((field) => [field.name, choiceOf(field, chosen[field.name])]);
	return Object.fromEntries(choices) as IDataObject;
}

/**
 * Reads the value of one field that is not sent.
 *
 * @returns undefined if it is empty; a switch must not be empty
 * @throws InputError that names the field
 */
export function choiceOf(field: Field, value: unknown): unknown {
	const { displayName, type, typeOptions: { minValue, maxValue } = {} } = field;
	if (type === 'boolean') return boolean(displayName, value);
	if (saysNothing(value)) return undefined;
	if (type === 'number') return wholeNumber(displayName, value, minValue, maxValue);
	if (type === 'string') return optionalText(displayName, value);
	if (type !== 'options') return value;
	const choices = (field.options ?? []) as INodePropertyOptions[];
	const allowed = [field.default, ...choices.map((choice) => choice.value)];
	return oneOf<unknown>(displayName, value, allowed);
}
