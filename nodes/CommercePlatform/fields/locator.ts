import type { Field } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';
import { nameText } from '../../shared/values/names';
import type { Reader } from '../../shared/values/readers';

/** A mode of a resource locator in which the user types. */
export interface TextMode {
	displayName: string;
	name: string;
	placeholder: string;
	hint?: string;
}

/**
 * A field for a name or an ID, which users choose from a searched list or type. In rows an expression may give a plain
 * text instead; {@link enteredText} reads both.
 *
 * @param what e.g. `an order`
 * @param searchListMethod the method of `listSearch` behind From List
 * @param modes in which the user types
 * @param fieldTexts the field's name and texts; `listHint` is shown only in the mode From List
 */
export const chosenOrEntered = (
	what: string,
	searchListMethod: string,
	modes: TextMode[],
	{
		listHint,
		...fieldTexts
	}: Pick<Field, 'displayName' | 'name' | 'required'> & {
		description: string;
		listHint?: string;
	},
): Field => ({
	...fieldTexts,
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
 * A required field. Its value is put into the body as it is.
 *
 * @param as its name in the API document
 * @param mode the typed mode
 */
export const namedInBody = (
	as: string,
	field: Field,
	mode: string,
	read: Reader = nameText,
): Field => ({
	...field,
	required: true,
	send: { in: 'body', as, read: (label, value) => read(label, enteredText(value, mode)) },
});

/** How a SKU is entered. */
const BY_SKU = { displayName: 'SKU', name: 'sku', placeholder: 'e.g. SHIRT-BLUE-M' };

/**
 * The SKU of a variant.
 *
 * @param search the method of `listSearch` behind From List
 */
export const skuLocator = (description: string, search: string, read?: Reader): Field => {
	const locator = chosenOrEntered('a SKU', search, [BY_SKU], {
		displayName: 'SKU',
		name: 'sku',
		description,
	});
	return namedInBody('sku', locator, BY_SKU.name, read);
};

/**
 * The text in a field of {@link chosenOrEntered}. The caller checks it like any text.
 *
 * @param typedMode the name of the mode in which it is typed
 */
export const enteredText = (value: unknown, typedMode: string): unknown =>
	isObject(value) && ['list', typedMode, NO_MODE].includes(String(value.mode))
		? value.value
		: value;

/** The mode that n8n's editor saves if a plain text is changed without choosing a mode. */
const NO_MODE = '';
