import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { jsonObject } from '../../shared/values/readers';
import type { PreSend } from '../engine/operation';
import { isExpression, spreadBody, type ItemReader } from '../engine/preSend';
import { saidFields, writtenIn } from '../engine/saidFields';
import { pairs, readPairs } from './pairs';

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
export function freeBody(what: string, required: boolean, search?: string): INodeProperties[] {
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
			routing: { send: { preSend: [sendFields(required)] } },
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

function sendFields(required: boolean): PreSend {
	return async function (options) {
		const entered = enteredFields(this);
		const { field } = entered;
		// Of a body that may be empty it is not known what a part that is left out would say.
		const body =
			required && field === JSON_FIELD
				? saidFields(entered.body, writtenIn(this, 'json'))
				: entered.body;
		if (required && Object.keys(body).length === 0) {
			throw new InputError(field, 'is empty', 'Nothing was sent. Enter at least one field.');
		}
		return { ...options, body: { ...(options.body as IDataObject), ...body } };
	};
}

/** What the user entered in the fields of `freeBody`. */
export function enteredFields(item: IExecuteSingleFunctions): { field: string; body: IDataObject } {
	if (item.getNodeParameter('specifyFields', DEFINE_BELOW) !== JSON_MODE)
		return { field: 'Fields', body: readPairs('Fields', item.getNodeParameter('fields', {})) };
	const entered: unknown = item.getNodeParameter('json', '{}');
	if (entered !== '' && entered !== undefined && entered !== null)
		return { field: JSON_FIELD, body: jsonObject(JSON_FIELD, entered) };
	// A field that was left empty is one thing, an expression that found nothing another.
	if (isExpression(item.getNode(), 'json'))
		throw new InputError(JSON_FIELD, 'is empty', 'Nothing was sent. Its expression gives nothing.');
	return { field: JSON_FIELD, body: {} };
}

/** Other fields as JSON, of which an expression may find some and others not. */
const readFurther: ItemReader = (field, value, item) =>
	saidFields(jsonObject(field, value), writtenIn(item, 'otherFieldsJson'));

/**
 * Fields beside those that the API document names, for an operation that has some of both.
 *
 * @param search the method of `listSearch` that suggests names
 */
export const furtherFields = (search: string): INodeProperties[] => [
	{
		displayName: 'Other Fields',
		name: 'otherFields',
		placeholder: 'Add Field',
		...pairs(search),
		description: 'Further fields by name and value, as the platform knows them',
		routing: {
			send: {
				type: 'body',
				property: 'otherFields',
				preSend: [spreadBody('otherFields', 'Other Fields', readPairs)],
			},
		},
	},
	{
		displayName: 'Other Fields (JSON)',
		name: 'otherFieldsJson',
		type: 'json',
		default: '{}',
		description: 'Further fields as one JSON object, with the names that the platform uses',
		hint: 'What an expression leaves empty is not sent',
		routing: {
			send: {
				type: 'body',
				property: 'otherFieldsJson',
				preSend: [spreadBody('otherFieldsJson', 'Other Fields (JSON)', readFurther)],
			},
		},
	},
];
