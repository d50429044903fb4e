import type { INodeProperties } from 'n8n-workflow';

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

/**
 * A record that an operation works on, chosen from a list or named by its ID.
 *
 * @param more further ways to name it, which the operation's `prepare` turns into its ID
 */
export function locator(of: Located, more: TextMode[] = []): INodeProperties {
	const { displayName, name, what, search, example } = of;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `Choose ${what}, or give its ID, e.g. ${example}`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${what}…`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
			...more.map((mode) => ({ ...mode, type: 'string' as const })),
		],
	};
}
