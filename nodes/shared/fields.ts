import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from './errors/errors';
import { DECIMAL_FORMS, type DecimalForm } from './values/money';
import { describe } from './values/readers';

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
export function decimalFormOf(options: IDataObject, byDefault: DecimalForm): DecimalForm {
	const { decimalAmounts: chosen } = options;
	if (chosen === undefined) return byDefault;
	const known = DECIMAL_FORMS.find((form) => form === chosen);
	if (known !== undefined) return known;
	throw new InputError(decimalAmounts.displayName, `cannot be ${describe(chosen)}`);
}

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

function field(
	type: 'dateTime' | 'string',
	displayName: string,
	name: ListFilter,
	description: string,
	placeholder?: string,
): INodeProperties {
	const shown = { displayName, name, type, default: '', description };
	return placeholder === undefined ? shown : { ...shown, placeholder };
}

/** What users see of each. */
export const LIST_FILTERS: Record<ListFilter, INodeProperties> = {
	created_since: field(
		'dateTime',
		'Created Since',
		'created_since',
		'Only records created at this time or later',
	),
	created_until: field(
		'dateTime',
		'Created Until',
		'created_until',
		'Only records created up to this time',
	),
	updated_since: field(
		'dateTime',
		'Updated Since',
		'updated_since',
		'Only records changed at this time or later',
	),
	q: field('string', 'Search', 'q', 'Only records that match these words', 'e.g. linen shirt'),
	sku: field(
		'string',
		'SKU',
		'sku',
		'Only records with this stock keeping unit',
		'e.g. SHIRT-BLUE-M',
	),
	status: field('string', 'Status', 'status', 'Only records with this status', 'e.g. published'),
	location_id: field(
		'string',
		'Location ID',
		'location_id',
		'Only stock levels of this location',
		'e.g. sloc_main',
	),
	after_event_id: field(
		'string',
		'After Event ID',
		'after_event_id',
		'Only events behind this one, e.g. the last one that was handled',
		'e.g. evt_1001',
	),
};

/** Fewer fields, for reads that would give more than ten. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
