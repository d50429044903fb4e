import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { Field } from './field';

/** What a field has beside its label, name, type and description. */
type More = Partial<Omit<Field, 'description' | 'displayName' | 'name' | 'type'>> & {
	/** A value as it may be entered, shown as the placeholder “e.g. …”. */
	example?: string;
};

function build(
	type: INodeProperties['type'],
	[displayName, name, description]: [label: string, name: string, description: string],
	byDefault: INodeProperties['default'],
	{ example, ...more }: More,
): Field {
	const placeholder = example === undefined ? {} : { placeholder: `e.g. ${example}` };
	return { displayName, name, type, default: byDefault, description, ...placeholder, ...more };
}

/** A text, empty unless something else is said. */
export const textField = (label: string, name: string, description: string, more: More = {}) =>
	build('string', [label, name, description], '', more);

/** A number from a smallest to a largest that may be entered, where there are any. */
export const numberField = (
	label: string,
	name: string,
	description: string,
	{ min, max, ...more }: More & { default: number | ''; min?: number; max?: number },
) => {
	const bounds = {
		...(min !== undefined && { minValue: min }),
		...(max !== undefined && { maxValue: max }),
	};
	const bounded = Object.keys(bounds).length === 0 ? {} : { typeOptions: bounds };
	return build('number', [label, name, description], more.default, { ...bounded, ...more });
};

/** A switch. As an option it is on: who adds it wants it. */
export const toggle = (label: string, name: string, description: string, more: More = {}) =>
	build('boolean', [label, name, description], true, more);

/** Choices by their values: the name, or the name and what it means. */
export type Choices = Record<string, string | readonly [name: string, description: string]>;

/** A choice of one; the first is preset unless another is said. */
export const choice = (
	label: string,
	name: string,
	choices: Choices,
	description: string,
	more: More = {},
) =>
	build('options', [label, name, description], Object.keys(choices)[0], {
		options: Object.entries(choices).map(([value, said]) =>
			typeof said === 'string'
				? { name: said, value }
				: { name: said[0], value, description: said[1] },
		),
		...more,
	});

/** A JSON text; the default says whether an object or a list is meant. */
export const jsonField = (
	label: string,
	name: string,
	byDefault: '{}' | '[]',
	description: string,
	more: More = {},
) => build('json', [label, name, description], byDefault, more);

/**
 * Fields that the user adds one by one, in alphabetical order.
 *
 * @param add what its button says, e.g. `Add Field`
 */
export const collection = (
	label: string,
	name: string,
	add: string,
	description: string,
	options: Field[],
	more: More = {},
) =>
	build(
		'collection',
		[label, name, description],
		{},
		{
			placeholder: add,
			options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
			...more,
		},
	);

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
	build(
		'fixedCollection',
		[label, name, description],
		{},
		{
			typeOptions: { multipleValues: true },
			placeholder: `Add ${row}`,
			options: [{ displayName: row, name: row.toLowerCase(), values }],
			...more,
		},
	);

/** A sentence in the panel. */
export const notice = (name: string, sentence: string, more: More = {}): Field => ({
	displayName: sentence,
	name,
	type: 'notice',
	default: '',
	...more,
});

/** The same field, shown only where another one has one of these values. */
export function shownWhen<F extends INodeProperties>(name: string, values: string[], field: F): F {
	const { displayOptions } = field;
	const show = { ...displayOptions?.show, [name]: values };
	return { ...field, displayOptions: { ...displayOptions, show } };
}

/** The stock keeping unit that an operation names its record by; each says which record that is. */
export const skuField = (description: string, more: More = {}) =>
	textField('SKU', 'sku', description, { required: true, example: 'SHIRT-BLUE-M', ...more });

/** What users choose from a list that a search fills, or enter. */
interface Chosen {
	displayName: string;
	/** The parameter, e.g. `orderId`. */
	name: string;
	/** e.g. `an order` */
	what: string;
	/** The search behind From List, a method of `listSearch`. */
	search: string;
}

/** A way to enter it, and what the field shows then. */
export interface TextMode {
	displayName: string;
	name: string;
	placeholder: string;
	hint?: string;
}

function chosenOrEntered(
	{ displayName, name, what, search }: Chosen,
	modes: TextMode[],
	more: Partial<Field> & { listHint?: string },
): Field {
	const { listHint: hint, ...own } = more;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${what}…`,
				typeOptions: { searchListMethod: search, searchable: true },
				...(hint && { hint }),
			},
			...modes.map((mode) => ({ ...mode, type: 'string' as const })),
		],
		...own,
	};
}

/** A record that an operation works on. */
export interface Located extends Chosen {
	/** An ID as the platform writes it, e.g. `ord_1001`. */
	example: string;
}

/**
 * A record that an operation works on, chosen from a list or named by its ID.
 *
 * @param more further ways to name it, which the operation turns into its ID
 */
export function locator({ example, ...of }: Located, more: TextMode[] = []): Field {
	const byId = { displayName: 'ID', name: 'id', placeholder: `e.g. ${example}` };
	return chosenOrEntered(of, [byId, ...more], {
		required: true,
		description: `The ID of ${of.what.replace(/^an? /, 'the ')}, e.g. ${example}`,
	});
}

/** A name or an ID in a row of a list. */
interface Suggested extends Chosen {
	description: string;
	/** What its list shows, which is said only where it is open. */
	listHint: string;
	/** The mode in which it is typed. */
	typed: TextMode;
}

/**
 * A text in a row of a list that the shop can suggest, and that can be typed all the same. Rows hold it as a plain
 * text where they come from an expression: {@link enteredText} reads both.
 */
export const suggestedText = ({ description, listHint, typed, ...of }: Suggested): Field =>
	chosenOrEntered(of, [typed], { description, listHint });

/**
 * What a row of {@link suggestedText} holds, to be checked like any text.
 *
 * @param typedMode the name of the mode in which it is typed
 */
export const enteredText = (value: unknown, typedMode: string): unknown =>
	isObject(value) && ['list', typedMode, NO_MODE].includes(String(value.mode))
		? value.value
		: value;

/** What n8n's editor saves where a plain text is changed without choosing a mode. */
const NO_MODE = '';
