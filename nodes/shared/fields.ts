import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import type { DecimalForm } from './values/money';
import { integer, oneOf, saysNothing, someText, text, textList } from './values/readers';

/** One input item, as fields and operations see it, whichever way n8n runs the node. */
export interface Item {
	/** 0 for the first. */
	readonly itemIndex: number;
	readonly node: INode;
	/** IANA name of the workflow's timezone. */
	readonly timezone: string;
	/** What came in. */
	readonly json: IDataObject;
	/** The item's value of a parameter. */
	parameter(name: string, fallback?: unknown): unknown;
	/** The ID that a resource locator holds, whichever way it was entered. */
	resourceId(name: string): unknown;
	/** What a resource locator names its record by, e.g. `handle`; undefined if that is the ID. Costs nothing. */
	lookUpMode(name: string): string | undefined;
	/** Whether it was entered as an expression, or stands in a collection that was. Costs nothing. */
	isExpression(path: string): boolean;
	/**
	 * What was chosen under Options and Request Options, read as the fields say.
	 *
	 * @throws InputError that names the field
	 */
	readonly options: Options;
}

/** The choices under Options and Request Options; undefined if an option was not added or says nothing. */
export interface Options {
	readonly amountsAreIn?: 'major' | 'minor';
	readonly batchSize?: number;
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
	/** Names, separated by commas. */
	readonly selectedFields?: string;
	readonly startCursor?: string;
	readonly statusesInTotals?: string;
	/** Minutes. */
	readonly waitForJob?: number;
}

/**
 * Reads a field's value into the form in which it is sent; it may look at the item's other parameters.
 *
 * @param label the field's display name, for messages
 * @param sent what the fields before it gave in the same place
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
	/** Its name in the API document. Without one, the reader gives an object, and each of its fields is sent. */
	as?: string;
	read: ReadField;
}

/** A field of the editor that says itself what is sent of it. */
export type Field = INodeProperties & { send?: Send };

/** What a field has beside its label, name, type and description. */
type More = Partial<Omit<Field, 'description' | 'displayName' | 'name' | 'type'>> & {
	/** A value as it may be entered, shown as the placeholder “e.g. …”. */
	example?: string;
	/**
	 * The property of the request's body that it becomes, checked before anything is sent. Left empty it is not sent,
	 * unless it is required.
	 */
	body?: string;
	/** How it is read for the body, where its type does not say that. */
	read?: ReadField;
};

/** How the value of a type is read, unless a field says otherwise. */
const READ: Partial<Record<INodeProperties['type'], ReadField>> = {
	number: integer,
	multiOptions: textList,
};

/**
 * The same reader for a field that may stay empty. Whether it is empty is judged after it was read: an
 * expression may give a blank list or a collection without rows.
 *
 * @returns undefined if the value says nothing: then nothing is sent
 */
function unlessEmpty(read: ReadField): ReadField {
	return (label, value, item, sent, path) => {
		const sentValue = saysNothing(value) ? undefined : read(label, value, item, sent, path);
		return saysNothing(sentValue) ? undefined : sentValue;
	};
}

/** A field with its label, its name as a parameter, and what users read of it. */
type Build<M> = (label: string, name: string, description?: string, more?: M) => Field;

const builder =
	(type: INodeProperties['type'], byDefault: INodeProperties['default']): Build<More> =>
	(displayName, name, description, { example, body, read, ...more } = {}) => {
		const isRequired = more.required === true;
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
			...more,
		};
	};

/** A text, empty unless something else is said. */
export const textField = builder('string', '');

/** A switch. As an option it is on: who adds it wants it. */
export const toggle = builder('boolean', true);

/** A JSON text: an object, unless another default says that a list is meant. */
export const jsonField = builder('json', '{}');

/** Any number of choices. */
export const choices = builder('multiOptions', []);

/** A time of day and year. */
export const timeField = builder('dateTime', '');

/** A whole number from a smallest to a largest that may be entered, where there are any. */
export const numberField: Build<More & { min?: number; max?: number }> = (
	label,
	name,
	description,
	{ min: minValue, max: maxValue, ...more } = {},
) =>
	builder('number', '')(label, name, description, { typeOptions: { minValue, maxValue }, ...more });

/** Choices by their values: the name, or the name and what it means. */
export type Choices = Record<string, string | readonly [name: string, description: string]>;

/** A choice of one; the first is preset unless another is said. */
export const choice = (
	label: string,
	name: string,
	of: Choices,
	description: string,
	more: More = {},
) =>
	builder('options', Object.keys(of)[0])(label, name, description, {
		options: Object.entries(of).map(([value, said]) =>
			typeof said === 'string'
				? { name: said, value }
				: { name: said[0], value, description: said[1] },
		),
		...more,
	});

/**
 * Fields that the user adds one by one, in alphabetical order.
 *
 * @param add what its button says, e.g. `Add Field`
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
 * @param row what a row is called, e.g. `Price`; n8n keeps the rows under that name
 */
export const rows = (
	label: string,
	name: string,
	row: string,
	description: string,
	values: Field[],
	more: More = {},
) =>
	builder('fixedCollection', {})(label, name, description, {
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row}`,
		options: [{ displayName: row, name: row.toLowerCase(), values }],
		...more,
	});

/** A sentence in the panel. */
export const notice = (name: string, sentence: string): Field => ({
	displayName: sentence,
	name,
	type: 'notice',
	default: '',
});

/** The same fields, shown only where another one has one of these values. */
export const shownWhen = (name: string, values: string[], ...fields: Field[]): Field[] =>
	fields.map((field) => {
		const { displayOptions } = field;
		const show = { ...displayOptions?.show, [name]: values };
		return { ...field, displayOptions: { ...displayOptions, show } };
	});

/** Amounts as people write them, beside what the API gives. */
export const decimalAmounts = choice(
	'Add Decimal Amounts',
	'decimalAmounts',
	{
		text: ['As Exact Text', 'With all decimals of the currency, e.g. "19.90"'],
		number: [
			'As Number',
			'For Summarize, If and Sort, e.g. 19.9; as text where a number cannot hold it exactly',
		],
		off: ['Off', 'Only what the platform gives'],
	},
	'Whether to put “decimal” beside every amount, e.g. 19.99 beside 1999 EUR. With Simplify, a number is preset.',
	{ default: 'number' },
);

/**
 * Reads how decimals are wanted.
 *
 * @param options the node's Options
 * @param byDefault where they say nothing
 * @throws InputError
 */
export const decimalFormOf = (
	options: { decimalAmounts?: unknown },
	byDefault: DecimalForm,
): DecimalForm =>
	oneOf(decimalAmounts.displayName, options.decimalAmounts ?? byDefault, ['off', 'number', 'text']);

/**
 * The query parameters of lists (API document, "Common query parameters on list endpoints", and each list's own): label
 * and description of each, and an example where it is no time.
 */
const SHOWN = {
	created_since: ['Created Since', 'Only records created at this time or later'],
	created_until: ['Created Until', 'Only records created up to this time'],
	updated_since: ['Updated Since', 'Only records changed at this time or later'],
	q: ['Search', 'Only records that match these words', 'linen shirt'],
	sku: ['SKU', 'Only records with this stock keeping unit', 'SHIRT-BLUE-M'],
	status: ['Status', 'Only records with this status', 'published'],
	location_id: ['Location ID', 'Only stock levels of this location', 'sloc_main'],
	after_event_id: [
		'After Event ID',
		'Only events after this one, e.g. the last one that was handled',
		'evt_1001',
	],
} satisfies Record<string, [label: string, description: string, example?: string]>;

export type ListFilter = keyof typeof SHOWN;

/** What users see of each. */
export const LIST_FILTERS = Object.fromEntries(
	Object.entries(SHOWN).map(([name, [label, description, example]]) => [
		name,
		example === undefined
			? timeField(label, name, description)
			: textField(label, name, description, { example }),
	]),
) as Record<ListFilter, Field>;

/** Fewer fields, for reads that would give more than ten. */
export const simplify = toggle(
	'Simplify',
	'simplify',
	'Whether to return a simplified version of the response instead of the raw data',
);
