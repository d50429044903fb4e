import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import { checkQueryLength, encodeText } from '../../shared/api/http';
import { InputError } from '../../shared/errors/errors';
import { LIST_FILTERS, type ListFilter } from '../../shared/fields';
import { toUtcIso } from '../../shared/values/dates';
import { hasField, isObject } from '../../shared/values/json';
import { rowsOf, saysNothing, someText, text } from '../../shared/values/readers';
import { choice, rows, textField } from './build';
import { type Field, type ReadField, unlessEmpty } from './field';

type FilterName = ListFilter | 'sort';

const readDate: ReadField = (label, value, item) => toUtcIso(label, value, item.timezone);

/** The filter as a query parameter, read before it is sent. */
function filter(name: FilterName): Field {
	if (name === 'sort') return sort;
	const shown = LIST_FILTERS[name];
	const read = shown.type === 'dateTime' ? readDate : text;
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

const FORM = /^[A-Za-z][\w.]*:(?:asc|desc)$/;

/** Field and direction of a list's order (API document, "Common query parameters on list endpoints"). */
export const sort: Field = {
	...rows(
		'Sort',
		'sort',
		'By',
		'The order of the records; it stays the same through all pages',
		[
			textField(
				'Field',
				'field',
				'Field to sort by; the platform allows certain fields only, e.g. updated_at',
				{ default: 'updated_at', example: 'updated_at' },
			),
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
	send: { in: 'query', as: 'sort', read: unlessEmpty(readSort) },
};

/** The wire form, e.g. `updated_at:asc`. */
function readSort(field: string, value: unknown): string | undefined {
	const [by] = rowsOf(field, value, 'by') ?? [];
	if (by === undefined) return undefined;
	const { field: sortField, direction } = by as IDataObject;
	const written = `${text(field, sortField).trim()}:${text(field, direction ?? 'asc')}`;
	if (FORM.test(written)) return written;
	throw new InputError(field, 'must be a field and a direction', `It is “${written}”.`);
}

/** An expression in which a model fills in the value: it leaves a filter empty to say that it wants none. */
const BY_MODEL = /\$fromAI\s*\(/i;

/**
 * Refuses a filter whose expression gives nothing: without it all records would come, and what follows in the
 * workflow would be done to all of them. One that was left empty by hand does not count, as ever.
 *
 * @param name of the filter among the node's `filters`
 * @param field display name
 * @param value what it gives
 * @throws InputError
 */
export function checkFilterGiven(
	{ parameters }: Pick<INode, 'parameters'>,
	name: string,
	field: string,
	value: unknown,
): void {
	const isEmpty = typeof value === 'string' ? value.trim() === '' : (value ?? null) === null;
	if (!isEmpty) return;
	const filters: unknown = parameters.filters;
	const entered: unknown = isObject(filters) ? filters[name] : filters;
	const isExpression = typeof entered === 'string' && entered.startsWith('=');
	if (!isExpression || BY_MODEL.test(entered)) return;
	throw new InputError(
		field,
		'is empty',
		'Nothing was sent: its expression gives nothing, and without this filter all records would come. Give it a value, or remove the filter.',
	);
}

const FIELD = 'Further Query Parameters';

/** Parameters that have a field of their own, by which the node also finds its way through the pages. */
const OF_THE_NODE = new Map([
	['cursor', 'Start Cursor'],
	['limit', 'Limit'],
]);

/** Filters that the API document does not show for a list, by name and value. */
export const furtherQuery: Field = {
	...rows(
		FIELD,
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
		if (!isObject(row)) throw new InputError(label, 'must be a list of names and values');
		const name = someText(`${label}: Name`, row.name);
		const field = OF_THE_NODE.get(name);
		if (name === '__proto__') throw new InputError(`${label}: Name`, 'cannot be “__proto__”');
		if (field !== undefined) throw new InputError(label, `cannot set “${name}”`, `Use “${field}”.`);
		if (hasField(query, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (saysNothing(row.value)) throw new InputError(`${label}: ${name}`, 'has no value');
		const value = text(`${label}: ${name}`, row.value);
		checkQueryLength(label, encodeText(label, `${name}=${value}`));
		query[name] = value;
	}
	return query;
}
