import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { DECIMAL_FORMS, type DecimalForm } from './values/money';
import { oneOf } from './values/readers';

/** Amounts as people write them, beside what the API gives. */
export const decimalAmounts: INodeProperties = {
	displayName: 'Add Decimal Amounts',
	name: 'decimalAmounts',
	type: 'options',
	options: [
		{
			name: 'As Exact Text',
			value: 'text',
			description: 'With all decimals of the currency, e.g. "19.90"',
		},
		{
			name: 'As Number',
			value: 'number',
			description:
				'For Summarize, If and Sort, e.g. 19.9; as text where a number cannot hold it exactly',
		},
		{ name: 'Off', value: 'off', description: 'Only what the platform gives' },
	],
	default: 'number',
	description:
		'Whether to put “decimal” beside every amount, e.g. 19.99 beside 1999 EUR. With Simplify, it is a number unless you choose otherwise.',
};

/**
 * Reads how decimals are wanted.
 *
 * @param options the node's Options
 * @param byDefault where they say nothing
 * @throws InputError
 */
export const decimalFormOf = (options: IDataObject, byDefault: DecimalForm): DecimalForm =>
	oneOf(decimalAmounts.displayName, options.decimalAmounts ?? byDefault, DECIMAL_FORMS);

/** The query parameters of lists (API document, "Common query parameters on list endpoints", and each list's own). */
export type ListFilter =
	| 'after_event_id'
	| 'created_since'
	| 'created_until'
	| 'location_id'
	| 'q'
	| 'sku'
	| 'status'
	| 'updated_since';

/** Label and description of each, and an example where it is no time. */
const SHOWN: Record<ListFilter, [label: string, description: string, example?: string]> = {
	created_since: ['Created Since', 'Only records created at this time or later'],
	created_until: ['Created Until', 'Only records created up to this time'],
	updated_since: ['Updated Since', 'Only records changed at this time or later'],
	q: ['Search', 'Only records that match these words', 'linen shirt'],
	sku: ['SKU', 'Only records with this stock keeping unit', 'SHIRT-BLUE-M'],
	status: ['Status', 'Only records with this status', 'published'],
	location_id: ['Location ID', 'Only stock levels of this location', 'sloc_main'],
	after_event_id: [
		'After Event ID',
		'Only events behind this one, e.g. the last one that was handled',
		'evt_1001',
	],
};

/** What users see of each. */
export const LIST_FILTERS = Object.fromEntries(
	Object.entries(SHOWN).map(
		([name, [displayName, description, example]]): [string, INodeProperties] => {
			const shown = { displayName, name, default: '', description };
			return [
				name,
				example === undefined
					? { ...shown, type: 'dateTime' }
					: { ...shown, type: 'string', placeholder: `e.g. ${example}` },
			];
		},
	),
) as Record<ListFilter, INodeProperties>;

/** Fewer fields, for reads that would give more than ten. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
