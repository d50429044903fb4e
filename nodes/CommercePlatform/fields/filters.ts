import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import {
	choice,
	type Field,
	type Item,
	LIST_FILTERS,
	type ListFilter,
	type ReadField,
	rows,
	textField,
} from '../../shared/fields';
import { isTool } from '../../shared/n8n';
import { toUtcIso } from '../../shared/values/dates';
import { hasField } from '../../shared/values/json';
import { rowsOf, saysNothing, someText, text } from '../../shared/values/readers';

/** Texts that are specific to a list, e.g. which status values were seen. */
type Overrides = Partial<Record<ListFilter, Partial<INodeProperties>>>;

/**
 * The filters of a list, sent as query parameters.
 *
 * @param names those that the API document gives for this list
 */
export const filters = (names: ListFilter[], overrides: Overrides = {}): Field[] =>
	names.map((name) => ({ ...filter(name), ...overrides[name] }));

function filter(name: ListFilter): Field {
	const filter = LIST_FILTERS[name];
	const read: ReadField = (label, value, item, _sent, path) => {
		if (saysNothing(value)) {
			// The place to begin at is no filter: a first run has none yet.
			if (name !== 'after_event_id') checkFilterGiven(item, label, path);
			return undefined;
		}
		return filter.type === 'dateTime' ? toUtcIso(label, value, item.timezone) : text(label, value);
	};
	const hint = filter.type === 'dateTime' ? EACH_DAY_ANEW : filter.hint;
	return { ...filter, hint, send: { in: 'query', as: name, read } };
}

/** A time that is entered once would soon be long ago. */
const EACH_DAY_ANEW = 'Each day anew: <code>{{ $today }}</code> as an expression';

/** All that the document's common table names. */
export const COMMON_FILTERS: ListFilter[] = [
	'created_since',
	'created_until',
	'updated_since',
	'q',
	'sku',
	'status',
];

/**
 * A status filter that offers the states that the API document names; its list of states is not complete, so an
 * expression may give any other, and a saved one stays as it is.
 *
 * @param records e.g. `orders`
 * @param states their names by the API's words for them
 * @param preset what most look for
 */
export const knownStates = (
	records: string,
	states: Record<string, string>,
	preset: string,
): Partial<INodeProperties> => ({
	type: 'options',
	allowArbitraryValues: true,
	options: Object.entries(states).map(([value, name]) => ({ name, value })),
	default: preset,
	description: `Only ${records} with this status: ${Object.keys(states).join(', ')}, or another one that the platform has`,
	hint: 'For another status, use an expression',
});

const FORM = /^[A-Za-z][\w.]*:(?:asc|desc)$/;

/** Field and direction of a list's order (API document, "Common query parameters on list endpoints"). */
export const sort: Field = {
	...rows(
		'Sort',
		'sort',
		'By',
		'The order of the records; it stays the same through all pages',
		[
			textField('Field', 'field', 'Field to sort by; not every field is allowed', {
				default: 'updated_at',
				example: 'updated_at',
			}),
			choice(
				'Direction',
				'direction',
				{
					asc: ['Ascending', 'Smallest or oldest first'],
					desc: ['Descending', 'Largest or newest first'],
				},
				'Which end comes first',
			),
		],
		{ typeOptions: { multipleValues: false }, placeholder: 'Add Sort' },
	),
	send: { in: 'query', as: 'sort', read: readSort },
};

/** The wire form, e.g. `updated_at:asc`. */
function readSort(field: string, value: unknown): string | undefined {
	const [by] = rowsOf(field, value, 'by') ?? [];
	if (by === undefined) return undefined;
	const { field: sortField, direction } = by;
	const written = `${text(field, sortField).trim()}:${text(field, direction ?? 'asc')}`;
	if (FORM.test(written)) return written;
	throw new InputError(field, 'must be a field and a direction', `It is “${written}”.`);
}

/**
 * Refuses a filter whose expression gives nothing: without it all records would come, and what follows in the
 * workflow would be done to all of them. A filter that was left empty by hand is left out; so is one of an AI
 * tool, since a model leaves a filter empty to say that it wants none.
 *
 * @throws InputError
 */
function checkFilterGiven(item: Item, label: string, path: string): void {
	if (!item.isExpression(path) || isTool(item.node)) return;
	throw new InputError(
		label,
		'is empty',
		'Nothing was sent: its expression gives nothing, and without this filter all records would come. Give it a value, or remove the filter.',
	);
}

/** Parameters that have a field of their own, by which the node also finds its way through the pages. */
const OF_THE_NODE = new Map([
	['cursor', 'Start Cursor'],
	['limit', 'Limit'],
]);

/** Filters that the API document does not show for a list, by name and value. */
export const furtherQuery: Field = {
	...rows(
		'Further Query Parameters',
		'furtherQuery',
		'Parameter',
		'Query parameters that have no field here, e.g. a filter that your platform has; they are sent as they are',
		[
			textField('Name', 'name', 'Name of the parameter, as the platform knows it', {
				example: 'updated_since',
			}),
			textField('Value', 'value', 'Value of the parameter; one without a value is refused'),
		],
	),
	send: { in: 'query', read: readFurtherQuery },
};

function readFurtherQuery(label: string, entered: unknown): IDataObject {
	const query: IDataObject = {};
	for (const row of rowsOf(label, entered, 'parameter') ?? []) {
		const name = someText(`${label}: Name`, row.name);
		const field = OF_THE_NODE.get(name);
		if (name === '__proto__') throw new InputError(`${label}: Name`, 'cannot be “__proto__”');
		if (field !== undefined) throw new InputError(label, `cannot set “${name}”`, `Use “${field}”.`);
		if (hasField(query, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (saysNothing(row.value)) throw new InputError(`${label}: ${name}`, 'has no value');
		query[name] = text(`${label}: ${name}`, row.value);
	}
	return query;
}
