import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import {
	choice,
	choices,
	collection,
	type Field,
	type Item,
	jsonField,
	type ReadField,
	rows,
	shownWhen,
	textField,
} from '../../shared/values/fields';
import { hasField, isObject } from '../../shared/values/json';
import {
	boolean,
	json,
	number,
	oneOf,
	type Reader,
	rowsOf,
	saysNothing,
	someText,
	text,
	textList,
} from '../../shared/values/readers';
import { sentJson, sentObject } from './jsonText';
import { chosenOrEntered, enteredText } from './locator';

/** How fields are entered: by names and values, or as one JSON object. */
const DEFINE_BELOW = 'defineBelow';
const JSON_MODE = 'json';
const JSON_FIELD = 'JSON';

/**
 * Fields for a request whose body the API document does not show: names and values, or one JSON object. Nothing is
 * guessed, and only what the user entered is sent.
 *
 * @param what the body stands for, e.g. `the customer`
 * @param search the method of `listSearch` that suggests names from a record, if there is one
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
				hint: 'Names in the list come from a record of your shop, and each value takes its type',
				send: { in: 'body', read: (_label, _value, item) => readBody(item) },
			},
		),
		...shownWhen(
			'specifyFields',
			[DEFINE_BELOW],
			pairs('Fields', 'fields', `Names and values of ${what}, as the platform knows them`, search),
		),
		...shownWhen(
			'specifyFields',
			[JSON_MODE],
			jsonField(JSON_FIELD, 'json', `The fields of ${what} as JSON, under the platform’s names`),
		),
	];
}

function readBody(item: Item): IDataObject {
	const { field, body } = enteredFields(item);
	if (Object.keys(body).length > 0) return body;
	throw new InputError(
		field,
		'is empty',
		'Nothing was sent. Enter at least one field, or check the expression.',
	);
}

/** What the user entered in the fields of `freeBody`. */
function enteredFields(item: Item): { field: string; body: IDataObject } {
	if (item.parameter('specifyFields', DEFINE_BELOW) !== JSON_MODE)
		return {
			field: 'Fields',
			body: readPairs('Fields', item.parameter('fields', {}), item, {}, 'fields'),
		};
	return {
		field: JSON_FIELD,
		body: sentObject(JSON_FIELD, item, 'json', item.parameter('json', '')),
	};
}

/**
 * Names and values for fields that the API document does not name.
 *
 * @param search the method of `listSearch` that suggests names from a record, if there is one
 */
export const otherFields = (description: string, search?: string): Field => ({
	...pairs('Other Fields', 'otherFields', description, search),
	send: { in: 'body', read: readPairs },
});

/** The type of a field that is to be emptied. */
const CLEAR = 'null';

/** The types that a value can have, and how each is read. */
const TYPES = {
	boolean: { name: 'Boolean', about: 'True or false', read: boolean },
	[CLEAR]: {
		name: 'Clear (No Value)',
		about: 'Empties the field on the platform',
		read: () => null,
	},
	json: { name: 'JSON', about: 'An object or a list', read: json },
	number: { name: 'Number', about: 'Digits with a point', read: number },
	string: { name: 'Text', about: 'As it is entered', read: text },
} satisfies Record<string, { name: string; about: string; read: Reader }>;

const NO_VALUE =
	'Nothing was sent. Enter a value, remove the field, or choose the type Clear (No Value).';

/** The mode of a resource locator in which a field's name is typed. */
const BY_NAME = 'name';

/**
 * A field of a record as an entry of the list of names. Its value holds the type, e.g. `phone:string`: who chooses a name
 * has chosen how the value is sent.
 *
 * @param value of the field in the record; null if no record has one
 */
export function listedField(name: string, value: unknown): INodeListSearchItems {
	if (value === null) return { name, value: `${name}:string` };
	const type = isType(typeof value) ? (typeof value as 'string') : 'json';
	return { name: `${name} · ${TYPES[type].name}`, value: `${name}:${type}` };
}

type FieldType = keyof typeof TYPES;

const isType = (type: string): type is FieldType => hasField(TYPES, type);

/** The name in a row, and its type if it was chosen From List. */
function rowName(label: string, locator: unknown): { name: string; type?: FieldType } {
	const entered = someText(label, enteredText(locator, BY_NAME));
	const [, name, type = ''] =
		(isObject(locator) && locator.mode === 'list' && /^(.+):([a-z]+)$/s.exec(entered)) || [];
	return name !== undefined && isType(type) ? { name, type } : { name: entered };
}

/**
 * Rows of names and values, for bodies whose fields the API document does not show.
 *
 * @param search the method of `listSearch` that finds names in a record, if there is one
 */
function pairs(label: string, name: string, description: string, search?: string): Field {
	const nameDescription = 'Name of the field, as the platform knows it';
	const nameField =
		search === undefined
			? textField('Name', 'name', nameDescription)
			: chosenOrEntered(
					'a field',
					search,
					[{ displayName: 'Name', name: BY_NAME, placeholder: 'e.g. phone' }],
					{
						displayName: 'Name',
						name: 'name',
						description: nameDescription,
					},
				);
	return rows(label, name, 'Field', description, [nameField, ...typeAndValue]);
}

const typeAndValue = [
	choice(
		'Type',
		'type',
		Object.fromEntries(
			Object.entries(TYPES).map(([type, { name, about }]) => [type, [name, about]]),
		),
		'How the value is sent',
		// A name From List brings its type.
		{ default: 'string', displayOptions: { hide: { 'name.mode': ['list'] } } },
	),
	textField('Value', 'value', 'Value of the field; a field without a value is refused', {
		displayOptions: { hide: { type: [CLEAR] } },
	}),
];

/**
 * Reads names and values into an object.
 *
 * @param field display name
 * @throws InputError that names the row
 */
function readPairs(
	field: string,
	value: unknown,
	item: Item,
	_sent: unknown,
	path: string,
): IDataObject {
	const entries = new Map<string, unknown>();
	for (const [index, row] of (rowsOf(field, value, 'field') ?? []).entries()) {
		const { name, type: listed } = rowName(`${field}: Name`, row.name);
		if (entries.has(name)) throw new InputError(field, `holds “${name}” twice`);
		const types = Object.keys(TYPES) as FieldType[];
		const type = oneOf(`${field}: Type`, listed ?? row.type ?? 'string', types);
		const label = `${field}: ${name}`;
		const valuePath = `${path}.field[${index}].value`;
		const isExpression = item.isExpression(valuePath);
		if (type !== CLEAR && saysNothing(row.value)) {
			// A blank cell says nothing.
			if (isExpression) continue;
			throw new InputError(label, 'has no value', NO_VALUE);
		}
		const entered =
			type === 'json'
				? sentJson(label, item, valuePath, row.value)
				: TYPES[type].read(label, row.value);
		// Nor does an object of blank cells.
		if (type === 'json' && isExpression && saysNothing(entered)) continue;
		entries.set(name, entered);
	}
	return Object.fromEntries(entries) as IDataObject;
}

/** By name in the API document: the label of a field that an update can empty, and the value that is sent. */
type Clearable = Record<string, readonly [label: string, empty: '' | []]>;

/**
 * The fields of an update: what to set and what to empty. An empty field is not sent, so an expression without a value
 * wipes nothing. Only what is chosen under Fields to Clear is sent as empty.
 */
export const updateFields = (settable: Field[], clearable: Clearable): Field[] => [
	collection(
		'Update Fields',
		'updateFields',
		'Add Field',
		settable,
		'The fields to change; what is not added here, or left empty, stays as it is',
	),
	choices('Fields to Clear', 'clearFields', 'The fields to empty; leave it out to keep them', {
		options: Object.entries(clearable).map(([value, [name]]) => ({ name, value })),
		send: { in: 'body', read: readCleared(clearable) },
	}),
];

/** Reads Fields to Clear. */
function readCleared(clearable: Clearable): ReadField {
	return (label, value, _item, sent) => {
		const cleared: IDataObject = {};
		for (const name of textList(label, value)) {
			if (!hasField(clearable, name)) throw new InputError(label, `cannot hold “${name}”`);
			if (name in sent) throw new InputError(label, `names “${name}”, which is also set`);
			[, cleared[name]] = clearable[name];
		}
		return cleared;
	};
}
