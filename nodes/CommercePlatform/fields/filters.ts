import type { INodeProperties } from 'n8n-workflow';

import { toUtcIso } from '../../shared/dates';
import { text as anyText } from '../../shared/input/readers';
import { readQuery, type ItemReader } from '../engine/preSend';
import { sort } from './sort';

/** The query parameters of lists (API document, "Common query parameters on list endpoints", and each list's own). */
type FilterName =
	| 'after_event_id'
	| 'created_since'
	| 'created_until'
	| 'location_id'
	| 'q'
	| 'sku'
	| 'sort'
	| 'status'
	| 'updated_since';

const readDate: ItemReader = (field, value, item) => toUtcIso(field, value, item.getTimezone());

function date(displayName: string, name: FilterName, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'dateTime',
		default: '',
		description,
		routing: {
			send: { type: 'query', property: name, preSend: [readQuery(name, displayName, readDate)] },
		},
	};
}

function text(
	displayName: string,
	name: FilterName,
	description: string,
	placeholder: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder,
		description,
		routing: {
			send: {
				type: 'query',
				property: name,
				preSend: [readQuery(name, displayName, anyText)],
			},
		},
	};
}

const FILTERS: Record<FilterName, INodeProperties> = {
	created_since: date(
		'Created Since',
		'created_since',
		'Only records created at this time or later',
	),
	created_until: date('Created Until', 'created_until', 'Only records created up to this time'),
	updated_since: date(
		'Updated Since',
		'updated_since',
		'Only records changed at this time or later',
	),
	q: text('Search', 'q', 'Only records that match these words', 'e.g. linen shirt'),
	sku: text('SKU', 'sku', 'Only records with this stock keeping unit', 'e.g. SHIRT-BLUE-M'),
	status: text('Status', 'status', 'Only records with this status', 'e.g. published'),
	sort,
	location_id: text(
		'Location ID',
		'location_id',
		'Only stock levels of this location',
		'e.g. sloc_main',
	),
	after_event_id: text(
		'After Event ID',
		'after_event_id',
		'Only events behind this one, e.g. the last one that was handled',
		'e.g. evt_1001',
	),
};

/**
 * The filters of a list, in the order in which n8n wants options: by display name.
 *
 * @param names those that the API document gives for this list
 * @param overrides texts that are specific to it, e.g. which status values were seen
 */
export function filters(
	names: FilterName[],
	overrides: Partial<Record<FilterName, Partial<INodeProperties>>> = {},
): INodeProperties[] {
	return names
		.map((name) => ({ ...FILTERS[name], ...overrides[name] }) as INodeProperties)
		.sort((a, b) => a.displayName.localeCompare(b.displayName));
}

/** All that the document's common table names. */
export const COMMON_FILTERS: FilterName[] = [
	'created_since',
	'created_until',
	'updated_since',
	'q',
	'sku',
	'status',
	'sort',
];
