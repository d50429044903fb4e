import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import { InputError } from '../rest/errors';
import type { DecimalForm } from './money';
import { integer, oneOf, saysNothing, someText, text, textList } from './readers';

/** An input item, as fields and operations see it, however n8n runs the node. */
export interface Item {
	/** 0 for the first. */
	readonly itemIndex: number;
	/** Its row in the sheet that it comes from, if it says so, as those of Google Sheets do; else its number, from 1. */
	readonly row: number;
	readonly node: INode;
	/** IANA name of the workflow's timezone. */
	readonly timezone: string;
	/** The JSON of the input item. */
	readonly json: IDataObject;
	/** The value of a parameter for this item. */
	parameter(name: string, fallback?: unknown): unknown;
	/** The ID in a resource locator, however it was entered. */
	resourceId(name: string): unknown;
	/** What a resource locator names its record by, e.g. `handle`; undefined if by the ID. Costs nothing. */
	lookUpMode(name: string): string | undefined;
	/** A parameter as the user entered it, its expressions unevaluated. Costs nothing. */
	entered(path: string): unknown;
	/** Whether a parameter, or the collection that it stands in, was entered as an expression. Costs nothing. */
	isExpression(path: string): boolean;
	/**
	 * What the user chose under Options and Request Options, read as the fields say.
	 *
	 * @throws InputError that names the field
	 */
	readonly options: Options;
}

/** What the user chose under Options and Request Options. Undefined: the option was not added, or says nothing. */
export interface Options {
	readonly amountsAreIn?: 'major' | 'minor';
	readonly batchSize?: number;
	/** Names, separated by commas. */
	readonly columnsToSend?: string;
	readonly decimalAmounts?: DecimalForm;
	readonly dryRun?: boolean;
	readonly idempotencyKey?: string;
	readonly ifBatchNotAvailable?: 'single' | 'stop';
	readonly ifNoneMatch?: string;
	readonly ifNotAllowed?: 'returnCurrent' | 'stop';
	readonly includeMetadata?: boolean;
	readonly onConflict?: 'overwrite' | 'returnCurrent' | 'stop';
	readonly onlyIfChanged?: boolean;
	readonly output?: string;
	readonly pageSize?: number;
	readonly roundToCurrency?: boolean;
	/** Names, separated by commas. */
	readonly selectedFields?: string;
	readonly startCursor?: string;
	readonly statusesInTotals?: string;
	readonly wholeRecord?: boolean;
}

/**
 * Reads a field's value into the form in which it is sent. It may look at the item's other parameters.
 *
 * @param label the field's display name, for messages
 * @param sent what the fields before it gave for the same place (body, query or headers)
 * @param path where its value stands in the parameters
 * @returns undefined if nothing is to be sent
 * @throws InputError that names the field
 */
export type ReadField = (
	label: string,
	value: unknown,
	item: Item,
	sent: Readonly<IDataObject>,
	path: string,
) => unknown;

/** Where a field's value goes. */
export interface Send {
	in: 'body' | 'query' | 'headers';
	/** Its name in the API document. If undefined, the reader gives an object, and each of its fields is sent. */
	as?: string;
	read: ReadField;
}

/** A field of the editor, and where its value is sent. */
export type Field = INodeProperties & { send?: Send };

/** What a builder takes beside label, name and description. */
type Extras = Partial<Omit<Field, 'description' | 'displayName' | 'name' | 'type'>> & {
	/** An example value, shown as the placeholder “e.g. …”. */
	example?: string;
	/** The property of the request body that takes the value. Unless it is required, it may stay empty and is not sent. */
	body?: string;
	/** How it is read for the body, unless its type says so. */
	read?: ReadField;
};

/** How values of a type are read, unless a field says otherwise. */
const READ: Partial<Record<INodeProperties['type'], ReadField>> = {
	number: integer,
	multiOptions: textList,
};

/**
 * The same reader, for a field that may stay empty. The value that was read is checked as well: an expression may give
 * a blank list, or a collection without rows.
 *
 * @returns undefined if nothing is to be sent
 */
function unlessEmpty(read: ReadField): ReadField {
	return (label, value, item, sent, path) => {
		const sentValue = saysNothing(value) ? undefined : read(label, value, item, sent, path);
		return saysNothing(sentValue) ? undefined : sentValue;
	};
}

/** Builds a field from its label, its name as a parameter, and the description that users read. */
type Build<M> = (label: string, name: string, description?: string, extra?: M) => Field;

const builder =
	(type: INodeProperties['type'], byDefault: INodeProperties['default']): Build<Extras> =>
	(displayName, name, description, { example, body, read, ...extra } = {}) => {
		const isRequired = extra.required === true;
		const reader = read ?? READ[type] ?? (isRequired ? someText : text);
		return {
			displayName,
			name,
			type,
			default: byDefault,
			description,
			...(example !== undefined && { placeholder: `e.g. ${example}` }),
			...(body !== undefined && {
				send: { in: 'body', as: body, read: isRequired ? reader : unlessEmpty(reader) },
			}),
			...extra,
		};
	};

/** A text, empty by default. */
export const textField = builder('string', '');

/** A switch. The default is on: who adds an option wants it. */
export const toggle = builder('boolean', true);

/** A JSON text: an object, unless the default is a list. */
export const jsonField = builder('json', '');

/** Any number of choices. */
export const choices = builder('multiOptions', []);

/** A date with a time. */
export const timeField = builder('dateTime', '');

/** A whole number. The editor allows values from `min` to `max`, if they are given. */
export const numberField: Build<Extras & { min?: number; max?: number }> = (
	label,
	name,
	description,
	{ min: minValue, max: maxValue, ...extra } = {},
) =>
	builder('number', '')(label, name, description, {
		typeOptions: { minValue, maxValue },
		...extra,
	});

/** Choices by their values: a name, or a name and what it means. */
export type Choices = Record<string, string | readonly [name: string, description: string]>;

/** A choice of one. The first is the default unless `extra` says otherwise. */
export const choice = (
	label: string,
	name: string,
	choicesByValue: Choices,
	description: string,
	extra: Extras = {},
) =>
	builder('options', Object.keys(choicesByValue)[0])(label, name, description, {
		options: Object.entries(choicesByValue).map(([value, shown]) =>
			typeof shown === 'string'
				? { name: shown, value }
				: { name: shown[0], value, description: shown[1] },
		),
		...extra,
	});

/**
 * Fields that the user adds one by one, in alphabetical order.
 *
 * @param add the text of its button, e.g. `Add Field`
 */
export const collection = (
	label: string,
	name: string,
	add: string,
	fields: Field[],
	description?: string,
) =>
	builder('collection', {})(label, name, description, {
		placeholder: add,
		options: [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	});

/**
 * Rows of the same few fields.
 *
 * @param row what users call a row, e.g. `Price`; n8n keeps the rows under that name
 */
export const rows = (
	label: string,
	name: string,
	row: string,
	description: string,
	values: Field[],
	extra: Extras = {},
) =>
	builder('fixedCollection', {})(label, name, description, {
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row}`,
		options: [{ displayName: row, name: row.toLowerCase(), values }],
		...extra,
	});

/** A sentence in the panel. */
export const notice = (name: string, sentence: string): Field => ({
	displayName: sentence,
	name,
	type: 'notice',
	default: '',
});

/** The same fields, shown only if another field has one of these values. */
export const shownWhen = (name: string, values: string[], ...fields: Field[]): Field[] =>
	fields.map((field) => {
		const { displayOptions } = field;
		const show = { ...displayOptions?.show, [name]: values };
		return { ...field, displayOptions: { ...displayOptions, show } };
	});

/** The option that adds amounts as people write them. */
export const decimalAmounts = choice(
	'Add Decimal Amounts',
	'decimalAmounts',
	{
		text: ['As Exact Text', 'With all decimals of the currency, e.g. "19.90"'],
		number: [
			'As Number',
			'For Summarize, If and Sort, e.g. 19.9; as text where a number cannot hold it exactly',
		],
		off: ['Off', 'Only what the platform returns'],
	},
	"Whether to add 'decimal' to every amount, e.g. 19.99 to 1999 EUR. With Simplify, a number is preset.",
	{ default: 'number' },
);

/**
 * Reads how decimals are wanted.
 *
 * @param options the node's Options
 * @param byDefault used if they say nothing
 * @throws InputError
 */
export const decimalFormOf = (
	options: { decimalAmounts?: unknown },
	byDefault: DecimalForm,
): DecimalForm =>
	oneOf(decimalAmounts.displayName, options.decimalAmounts ?? byDefault, ['off', 'number', 'text']);

/** The switch for fewer fields, on operations that would give more than ten. */
export const simplify = toggle(
	'Simplify',
	'simplify',
	'Whether to return a simplified version of the response instead of the raw data',
);

/**
 * Refuses a guard, such as Expected Version, whose expression gave nothing: the write would go out unguarded.
 *
 * @param path of the field in the parameters
 * @throws InputError
 */
export function checkGuardIsSaid(label: string, item: Item, path: string): void {
	if (item.isExpression(path))
		throw new InputError(
			label,
			'is empty',
			'Its expression returns nothing, so the write would go out unguarded. Nothing was sent. Correct the expression, or remove the field.',
		);
}

/**
 * The error for a filter whose expression returns nothing: the list would give all records, and the next nodes would act
 * on all of them.
 */
export const emptyFilter = (label: string): InputError =>
	new InputError(
		label,
		'is empty',
		'Nothing was sent: its expression returns nothing, and without this filter all records would come. Enter a value, or remove the filter.',
	);
