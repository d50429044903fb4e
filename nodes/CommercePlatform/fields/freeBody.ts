import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { jsonObject } from '../../shared/values/readers';
import type { Field, Item, ReadField } from './field';
import { pairs, readPairs } from './pairs';
import { saidFields, writtenIn } from './saidFields';

const DEFINE_BELOW = 'defineBelow';
const JSON_MODE = 'json';
const JSON_FIELD = 'JSON';

/**
 * The fields of a request whose body the API document does not show: names and values, or one JSON object.
 * Nothing is guessed, and nothing is sent that the user did not enter.
 *
 * @param what the body stands for, e.g. `the customer`
 * @param required whether an empty body is refused
 * @param search the method of `listSearch` that suggests names, where a record can show them
 */
export function freeBody(what: string, required: boolean, search?: string): Field[] {
	return [
		{
			displayName: 'Specify Fields',
			name: 'specifyFields',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Define Below',
					value: DEFINE_BELOW,
					description: 'Enter names and values one by one',
				},
				{ name: 'JSON', value: JSON_MODE, description: 'Enter one JSON object' },
			],
			default: DEFINE_BELOW,
			description: `How to enter the fields of ${what}`,
			send: { in: 'body', read: (_label, _value, item) => readBody(item, required) },
		},
		{
			displayName: 'Fields',
			name: 'fields',
			placeholder: 'Add Field',
			...pairs(search),
			displayOptions: { show: { specifyFields: [DEFINE_BELOW] } },
			description: `Names and values of ${what}, as the platform knows them${required ? '' : '; may stay empty'}`,
		},
		{
			displayName: JSON_FIELD,
			name: 'json',
			type: 'json',
			default: '{}',
			displayOptions: { show: { specifyFields: [JSON_MODE] } },
			description: `The fields of ${what} as one JSON object, with the names that the platform uses`,
		},
	];
}

function readBody(item: Item, required: boolean): IDataObject {
	const entered = enteredFields(item);
	if (!required) return entered.body;
	const { field } = entered;
	// Of a body that may be empty it is not known what a part that is left out would say.
	const body =
		field === JSON_FIELD ? saidFields(entered.body, writtenIn(item, 'json')) : entered.body;
	if (Object.keys(body).length > 0) return body;
	throw new InputError(field, 'is empty', 'Nothing was sent. Enter at least one field.');
}

/** What the user entered in the fields of `freeBody`. */
export function enteredFields(item: Item): { field: string; body: IDataObject } {
	if (item.parameter('specifyFields', DEFINE_BELOW) !== JSON_MODE)
		return { field: 'Fields', body: readPairs('Fields', item.parameter('fields', {})) };
	const entered: unknown = item.parameter('json', '{}');
	if (entered !== '' && entered !== undefined && entered !== null)
		return { field: JSON_FIELD, body: jsonObject(JSON_FIELD, entered) };
	// A field that was left empty is one thing, an expression that found nothing another.
	if (item.isExpression('json'))
		throw new InputError(JSON_FIELD, 'is empty', 'Nothing was sent. Its expression gives nothing.');
	return { field: JSON_FIELD, body: {} };
}

/** Other fields as JSON, of which an expression may find some and others not. */
const readFurther: ReadField = (field, value, item) =>
	saidFields(jsonObject(field, value), writtenIn(item, 'otherFieldsJson'));

/**
 * Fields beside those that the API document names, for an operation that has some of both.
 *
 * @param search the method of `listSearch` that suggests names
 */
export const furtherFields = (search: string): Field[] => [
	{
		displayName: 'Other Fields',
		name: 'otherFields',
		placeholder: 'Add Field',
		...pairs(search),
		description: 'Further fields by name and value, as the platform knows them',
		send: { in: 'body', read: readPairs },
	},
	{
		displayName: 'Other Fields (JSON)',
		name: 'otherFieldsJson',
		type: 'json',
		default: '{}',
		description: 'Further fields as one JSON object, with the names that the platform uses',
		hint: 'What an expression leaves empty is not sent',
		send: { in: 'body', read: readFurther },
	},
];
