import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/input/inputError';
import {
	boolean,
	describe,
	json,
	number,
	rowsOf,
	saysNothing,
	someText,
	text,
	type Reader,
} from '../../shared/input/readers';
import { isObject } from '../../shared/isObject';

/** Turns what the user typed into a value of the chosen type. */
const READ = new Map<string, Reader>([
	['boolean', boolean],
	['json', json],
	['null', () => null],
	['number', number],
	['string', text],
]);

const NO_VALUE =
	'Nothing was sent. Enter a value, or remove the field. To send an empty text, choose the type JSON and enter "".';

/** The rows of a list of names and values, for bodies whose fields the API document does not show. */
export const pairs: Pick<INodeProperties, 'type' | 'typeOptions' | 'default' | 'options'> = {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: 'Name of the field, as the platform knows it',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Boolean', value: 'boolean', description: 'True or false' },
						{ name: 'JSON', value: 'json', description: 'An object or a list' },
						{ name: 'Null', value: 'null', description: 'No value: clears the field' },
						{ name: 'Number', value: 'number' },
						{ name: 'Text', value: 'string' },
					],
					default: 'string',
					description: 'How the value is sent',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description:
						'Value of the field; not used for the type Null. A field without a value is refused.',
				},
			],
		},
	],
};

/**
 * Reads names and values into an object.
 *
 * @param field display name
 * @throws InputError that names the row
 */
export function readPairs(field: string, value: unknown): IDataObject {
	const entries = new Map<string, unknown>();
	for (const row of rowsOf(field, value, 'field') ?? []) {
		if (!isObject(row)) throw new InputError(field, 'must be a list of names and values');
		const name = someText(`${field}: Name`, row.name);
		if (entries.has(name)) throw new InputError(field, `holds “${name}” twice`);
		const type = text(`${field}: Type`, row.type ?? 'string');
		const read = READ.get(type);
		if (read === undefined)
			throw new InputError(`${field}: Type`, `cannot be ${describe(row.type)}`);
		if (type !== 'null' && saysNothing(row.value))
			throw new InputError(`${field}: ${name}`, 'has no value', NO_VALUE);
		entries.set(name, read(`${field}: ${name}`, row.value));
	}
	return Object.fromEntries(entries) as IDataObject;
}
