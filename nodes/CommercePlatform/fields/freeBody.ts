import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import {
	boolean,
	describe,
	json,
	jsonObject,
	number,
	type Reader,
	rowsOf,
	saysNothing,
	someText,
	text,
} from '../../shared/values/readers';
import { choice, enteredText, jsonField, rows, shownWhen, suggestedText, textField } from './build';
import type { Field, Item, ReadField } from './field';
import { enteredIn, withoutBlanks } from './blanks';

const DEFINE_BELOW = 'defineBelow';
const JSON_MODE = 'json';
const JSON_FIELD = 'JSON';

/**
 * The fields of a request whose body the API document does not show: names and values, or one JSON object.
 * Nothing is guessed, and nothing is sent that the user did not enter.
 *
 * @param what the body stands for, e.g. `the customer`
 * @param search the method of `listSearch` that suggests names, where a record can show them
 */
export function freeBody(what: string, search?: string): Field[] {
	return [
		choice(
			'Specify Fields',
			'specifyFields',
			{
				[DEFINE_BELOW]: ['Define Below', 'Enter names and values one by one'],
				[JSON_MODE]: ['JSON', 'Enter one JSON object'],
			},
			`How to enter the fields of ${what}`,
			{
				noDataExpression: true,
				send: { in: 'body', read: (_label, _value, item) => readBody(item) },
			},
		),
		shownWhen(
			'specifyFields',
			[DEFINE_BELOW],
			pairs('Fields', 'fields', `Names and values of ${what}, as the platform knows them`, search),
		),
		shownWhen(
			'specifyFields',
			[JSON_MODE],
			jsonField(
				JSON_FIELD,
				'json',
				'{}',
				`The fields of ${what} as one JSON object, with the names that the platform uses`,
			),
		),
	];
}

function readBody(item: Item): IDataObject {
	const { field, body: entered } = enteredFields(item);
	const body = field === JSON_FIELD ? withoutBlanks(entered, enteredIn(item, 'json')) : entered;
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
	withoutBlanks(jsonObject(field, value), enteredIn(item, 'otherFieldsJson'));

/**
 * Fields beside those that the API document names, for an operation that has some of both.
 *
 * @param search the method of `listSearch` that suggests names, where a record can show them
 */
export const furtherFields = (search?: string): Field[] => [
	{
		...pairs(
			'Other Fields',
			'otherFields',
			'Further fields by name and value, as the platform knows them',
			search,
		),
		send: { in: 'body', read: readPairs },
	},
	jsonField(
		'Other Fields (JSON)',
		'otherFieldsJson',
		'{}',
		'Further fields as one JSON object, with the names that the platform uses',
		{
			hint: 'What an expression leaves empty is not sent',
			send: { in: 'body', read: readFurther },
		},
	),
];

/** The type of a field that is to be emptied. */
const CLEAR = 'null';

/** Turns what the user typed into a value of the chosen type. */
const READ = new Map<string, Reader>([
	['boolean', boolean],
	['json', json],
	[CLEAR, () => null],
	['number', number],
	['string', text],
]);

const NO_VALUE =
	'Nothing was sent. Enter a value, remove the field, or choose the type Clear (No Value).';

/** The mode of a resource locator in which a field's name is typed. */
const BY_NAME = 'name';

const NAME = ['Name', 'name', 'Name of the field, as the platform knows it'] as const;

/** The name of a field, from those that an existing record has, or any other. */
const suggestedName = (search: string): Field =>
	suggestedText({
		displayName: NAME[0],
		name: NAME[1],
		description: NAME[2],
		search,
		listHint: 'The fields of a record that your shop has; “Name” takes any other',
		what: 'a field',
		typed: { displayName: 'Name', name: BY_NAME, placeholder: 'e.g. phone' },
	});

const typeAndValue: Field[] = [
	choice(
		'Type',
		'type',
		{
			boolean: ['Boolean', 'True or false'],
			[CLEAR]: ['Clear (No Value)', 'Empties the field on the platform'],
			json: ['JSON', 'An object or a list'],
			number: 'Number',
			string: 'Text',
		},
		'How the value is sent',
		{ default: 'string' },
	),
	textField('Value', 'value', 'Value of the field; a field without a value is refused', {
		displayOptions: { hide: { type: [CLEAR] } },
	}),
];

/**
 * Names and values, for bodies whose fields the API document does not show.
 *
 * @param search the method of `listSearch` that finds names in an existing record, where there is one
 */
const pairs = (label: string, name: string, description: string, search?: string): Field =>
	rows(label, name, 'Field', description, [
		search === undefined ? textField(...NAME) : suggestedName(search),
		...typeAndValue,
	]);

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
		if (type !== CLEAR && saysNothing(row.value))
			throw new InputError(`${field}: ${name}`, 'has no value', NO_VALUE);
		entries.set(name, read(`${field}: ${name}`, row.value));
	}
	return Object.fromEntries(entries) as IDataObject;
}
