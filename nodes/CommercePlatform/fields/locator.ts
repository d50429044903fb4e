import type { Field } from '../../shared/fields';
import { isObject } from '../../shared/values/json';
import { type Reader, someText } from '../../shared/values/readers';

/** A way to enter what a record is called, and what the field shows then. */
export interface TextMode {
	displayName: string;
	name: string;
	placeholder: string;
	hint?: string;
}

/**
 * A name or an ID that users choose from a list that a search fills, or enter. In rows an expression may give it as a
 * plain text: {@link enteredText} reads both.
 *
 * @param what e.g. `an order`
 * @param searchListMethod the search behind From List, a method of `listSearch`
 * @param modes ways to enter it
 * @param more the field's own, and what its list shows, which is said only where it is open
 */
export const chosenOrEntered = (
	what: string,
	searchListMethod: string,
	modes: TextMode[],
	{
		listHint,
		...more
	}: Pick<Field, 'displayName' | 'name' | 'required'> & {
		description: string;
		listHint?: string;
	},
): Field => ({
	...more,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Select ${what}…`,
			typeOptions: { searchListMethod, searchable: true },
			hint: listHint,
		},
		...modes.map((mode) => ({ ...mode, type: 'string' as const })),
	],
});

/**
 * A required name that a body holds as it is, chosen or entered. Where most workflows map it from rows, it begins with
 * the way in which it is entered.
 *
 * @param as its name in the API document
 * @param mode the way in which it is entered
 */
export const namedInBody = (
	as: string,
	chosen: Field,
	mode: string,
	read: Reader = someText,
): Field => ({
	...chosen,
	required: true,
	send: { in: 'body', as, read: (label, value) => read(label, enteredText(value, mode)) },
});

/** How a SKU is entered. */
const BY_SKU = { displayName: 'By SKU', name: 'sku', placeholder: 'e.g. SHIRT-BLUE-M' };

/**
 * The SKU of a variant.
 *
 * @param search behind From List
 */
export const skuLocator = (description: string, search: string, read?: Reader): Field => {
	const chosen = chosenOrEntered('a SKU', search, [BY_SKU], {
		displayName: 'SKU',
		name: 'sku',
		description,
	});
	const typedFirst = { ...chosen, default: { mode: BY_SKU.name, value: '' } };
	return namedInBody('sku', typedFirst, BY_SKU.name, read);
};

/**
 * What such a field holds in a row, to be checked like any text.
 *
 * @param typedMode the name of the mode in which it is typed
 */
export const enteredText = (value: unknown, typedMode: string): unknown =>
	isObject(value) && ['list', typedMode, NO_MODE].includes(String(value.mode))
		? value.value
		: value;

/** What n8n's editor saves where a plain text is changed without choosing a mode. */
const NO_MODE = '';
