import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

interface Located {
	displayName: string;
	/** The parameter, e.g. `orderId`. */
	name: string;
	/** e.g. `an order` */
	what: string;
	/** The search behind From List, a method of `listSearch`. */
	search: string;
	/** An ID as the platform writes it, e.g. `ord_1001`. */
	example: string;
}

/** A further way to name a record. */
interface TextMode {
	displayName: string;
	/** The record's field. */
	name: string;
	placeholder: string;
	hint: string;
}

/** What From List shows, and the search behind it. */
const chosenBy = ({
	what,
	search,
}: Pick<Located, 'what' | 'search'>): Pick<INodePropertyMode, 'placeholder' | 'typeOptions'> => ({
	placeholder: `Select ${what}…`,
	typeOptions: { searchListMethod: search, searchable: true },
});

/**
 * A record that an operation works on, chosen from a list or named by its ID.
 *
 * @param more further ways to name it, which the operation's `prepare` turns into its ID
 */
export function locator(of: Located, more: TextMode[] = []): INodeProperties {
	const { displayName, name, what, example } = of;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ID of ${what.replace(/^an? /, 'the ')}, e.g. ${example}`,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', ...chosenBy(of) },
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
			...more.map((mode) => ({ ...mode, type: 'string' as const })),
		],
	};
}

/** A name or an ID in a row of a list. */
interface Suggested {
	displayName: string;
	name: string;
	description: string;
	/** The search behind From List, a method of `listSearch`. */
	search: string;
	/** What its list shows, which is said only where it is open. */
	listHint: string;
	/** What is chosen, e.g. `a field`. */
	what: string;
	/** The mode in which it is typed. */
	typed: Pick<TextMode, 'displayName' | 'name' | 'placeholder'>;
}

/**
 * A text in a row of a list that the shop can suggest, and that can be typed all the same. Rows hold it as a plain
 * text where they were saved before there were suggestions, or come from an expression: {@link enteredText} reads both.
 */
export function suggestedText(of: Suggested): INodeProperties {
	const { displayName, name, description, listHint: hint, typed } = of;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', hint, ...chosenBy(of) },
			{ ...typed, type: 'string' },
		],
	};
}

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
