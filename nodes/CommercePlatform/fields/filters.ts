import type { INodeProperties } from 'n8n-workflow';

import { LIST_FILTERS, type ListFilter } from '../../shared/fields/listFilters';
import { toUtcIso } from '../../shared/values/dates';
import { text as anyText } from '../../shared/values/readers';
import { checkFilterGiven } from './emptyFilter';
import type { Field, ReadField } from './field';
import { sort } from './sort';

type FilterName = ListFilter | 'sort';

const readDate: ReadField = (label, value, item) => toUtcIso(label, value, item.timezone);

/** The filter as a query parameter, read before it is sent. */
function filter(name: FilterName): Field {
	if (name === 'sort') return sort;
	const shown = LIST_FILTERS[name];
	const read = shown.type === 'dateTime' ? readDate : anyText;
	return { ...shown, send: { in: 'query', as: name, read: filterReader(name, read) } };
}

const filterReader =
	(name: FilterName, read: ReadField): ReadField =>
	(label, value, item, sent) => {
		// The place to begin at is no filter: a first run has none yet.
		if (name !== 'after_event_id') checkFilterGiven(item.node, name, label, value);
		const isEmpty = value === undefined || value === null || value === '';
		return isEmpty ? undefined : read(label, value, item, sent);
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
): Field[] {
	return names
		.map((name) => ({ ...filter(name), ...overrides[name] }) as Field)
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

/**
 * A status filter that offers the states that the API document names; its list of states is not complete, so an
 * expression may give any other, and a saved one stays as it is.
 *
 * @param records e.g. `orders`
 */
export function knownStates(records: string, states: string[]): Partial<INodeProperties> {
	return {
		type: 'options',
		allowArbitraryValues: true,
		options: states.map((state) => ({
			name: state.charAt(0).toUpperCase() + state.slice(1),
			value: state,
		})),
		default: states[0],
		description: `Only ${records} with this status: ${states.join(', ')}, or another one that the platform has`,
		hint: 'An expression gives any other',
	};
}
