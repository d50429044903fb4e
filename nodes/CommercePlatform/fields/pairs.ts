import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import {
	boolean,
	describe,
	json,
	number,
	type Reader,
	rowsOf,
	saysNothing,
	someText,
	text,
} from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import { enteredText, suggestedText } from './build';

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

/** The mode of a resource locator in which a field's name is typed. */
const BY_NAME = 'name';

/** The name of a field where no record can show any. */
const typedName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	description: 'Name of the field, as the platform knows it',
};

/** The name of a field, from those that an existing record has, or any other. */
const suggestedName = (search: string): INodeProperties =>
	suggestedText({
		displayName: 'Name',
		name: 'name',
		description: typedName.description ?? '',
		search,
		listHint: 'The fields of a record that your shop has; By Name takes any other',
		what: 'a field',
		typed: { displayName: 'By Name', name: BY_NAME, placeholder: 'e.g. phone' },
	});

/**
 * The rows of a list of names and values, for bodies whose fields the API document does not show.
 *
 * @param search the method of `listSearch` that finds names in an existing record, where there is one
 */
export function pairs(
	search?: string,
): Pick<INodeProperties, 'type' | 'typeOptions' | 'default' | 'options'> {
	const name = search === undefined ? typedName : suggestedName(search);
	const rows = { displayName: 'Field', name: 'field', values: [name, ...typeAndValue] };
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [rows],
	};
}

const typeAndValue: INodeProperties[] = [
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
];

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
		const name = someText(`${field}: Name`, enteredText(row.name, BY_NAME));
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
