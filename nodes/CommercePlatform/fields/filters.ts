import type { INodeProperties } from 'n8n-workflow';

import { toUtcIso } from '../../shared/values/dates';
import { LIST_FILTERS, type ListFilter } from '../../shared/fields/listFilters';
import { text as anyText } from '../../shared/values/readers';
import type { PreSend } from '../engine/operation';
import { readQuery, type ItemReader } from '../engine/preSend';
import { isOfFirstVersion } from '../versions';
import { checkFilterGiven } from './emptyFilter';
import { sort } from './sort';

type FilterName = ListFilter | 'sort';

const readDate: ItemReader = (field, value, item) => toUtcIso(field, value, item.getTimezone());

/** The filter as a query parameter, read before it is sent. */
function filter(name: FilterName): INodeProperties {
	if (name === 'sort') return sort;
	const shown = LIST_FILTERS[name];
	const read = shown.type === 'dateTime' ? readDate : anyText;
	const readValue = readQuery(name, shown.displayName, read);
	// It is no filter but a place to begin at: a first run has none yet.
	const preSend = name === 'after_event_id' ? [readValue] : [checkGiven(shown), readValue];
	return { ...shown, routing: { send: { type: 'query', property: name, preSend } } };
}

/** Nodes of version 1 keep what they had: no value is no filter. */
const checkGiven = ({ name, displayName }: INodeProperties): PreSend =>
	async function (options) {
		const node = this.getNode();
		if (!isOfFirstVersion(node)) checkFilterGiven(node, name, displayName, options.qs?.[name]);
		return options;
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
		.map((name) => ({ ...filter(name), ...overrides[name] }) as INodeProperties)
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
