import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Field, Item, Options } from '../../shared/fields';
import { isObject } from '../../shared/values/json';
import {
	boolean,
	oneOf,
	optionalText,
	saysNothing,
	wholeNumber,
} from '../../shared/values/readers';
import { requestOptions } from '../fields/requestOptions';
import type { Operation } from './operation';

/**
 * Reads what an item has under Options and Request Options. Options that are sent as they are entered say that
 * themselves (`send`), and are read with the other fields.
 *
 * @throws InputError that names the field
 */
export function readOptions({ fields }: Operation, parameter: Item['parameter']): Options {
	const options = fields.find(({ name }) => name === 'options');
	return {
		...readChoices(optionsIn(options), parameter('options', {})),
		...readChoices(optionsIn(requestOptions), parameter(requestOptions.name, {})),
	};
}

/** The fields that a collection offers. */
export const optionsIn = (collection?: Field): Field[] => (collection?.options ?? []) as Field[];

/**
 * The choices of a collection, each as its field says: a switch, a whole number within its bounds, one of a list, or
 * a text without the blanks around it.
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
 * The value of one field that is not sent.
 *
 * @returns undefined where it says nothing; a switch has to say something
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
