import { type Field, textField, timeField } from '../values/fields';

/**
 * Label, description and example of each query parameter of lists (API document, "Common query parameters on list
 * endpoints", and each list's own). One without an example is a time.
 */
const FILTER_TEXTS = {
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

export type ListFilter = keyof typeof FILTER_TEXTS;

/** The field for each query parameter of lists. */
export const LIST_FILTERS = Object.fromEntries(
	Object.entries(FILTER_TEXTS).map(([name, [label, description, example]]) => [
		name,
		example === undefined
			? timeField(label, name, description)
			: textField(label, name, description, { example }),
	]),
) as Record<ListFilter, Field>;
