import type { INodeProperties } from 'n8n-workflow';

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
