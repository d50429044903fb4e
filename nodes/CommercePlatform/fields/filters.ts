import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import {
	choice,
	emptyFilter,
	type Field,
	type Item,
	type ReadField,
	rows,
	textField,
} from '../../shared/values/fields';
import { LIST_FILTERS, type ListFilter, readFilter } from '../../shared/shop/resources';
import { isTool } from '../../shared/n8n';
import { hasField } from '../../shared/values/json';
import { rowsOf, saysNothing, someText, text } from '../../shared/values/readers';

/** Texts for one list, e.g. which statuses are known. */
type FilterTexts = Partial<Record<ListFilter, Partial<INodeProperties>>>;

/**
 * The filters of a list, sent as query parameters.
 *
 * @param names those that the API document gives for this list
 */
export const filters = (names: readonly ListFilter[], overrides: FilterTexts = {}): Field[] =>
	names.map((name) => ({ ...filterField(name), ...overrides[name] }));

function filterField(name: ListFilter): Field {
	const listFilter = LIST_FILTERS[name];
	const read: ReadField = (_label, value, item, _sent, path) =>
		readFilter(name, value, item.timezone, () => mustSaySomething(item, path));
	const yesterday = name === 'created_until' ? '$today' : "$today.minus(1, 'day')";
	const hint =
		listFilter.type === 'dateTime'
			? `As an expression for yesterday: <code>{{ ${yesterday} }}</code>`
			: listFilter.hint;
	return { ...listFilter, hint, send: { in: 'query', as: name, read } };
}

/**
 * A status filter with the states that the API document names. Its list of states is not complete, so an expression may
 * give any other state, and a saved one stays as it is.
 *
 * @param records e.g. `orders`
 * @param states their labels by the API's words
 * @param preset the state that most users look for
 * @param hint below the field
 */
export const knownStates = (
	records: string,
	states: Record<string, string>,
	preset: string,
	hint = 'For another status, use an expression',
): Partial<INodeProperties> => ({
	type: 'options',
	allowArbitraryValues: true,
	options: Object.entries(states).map(([value, name]) => ({ name, value })),
	default: preset,
	description: `Only ${records} with this status: ${Object.keys(states).join(', ')}, or another one that the platform has`,
	hint,
});

const SORT_FORM = /^[A-Za-z][\w.]*:(?:asc|desc)$/;

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

/** Reads a sort into the API's form, e.g. `updated_at:asc`. */
function readSort(field: string, value: unknown): string | undefined {
	const [entered] = rowsOf(field, value, 'by') ?? [];
	if (entered === undefined) return undefined;
	const { field: sortField, direction } = entered;
	const sortText = `${text(field, sortField).trim()}:${text(field, direction ?? 'asc')}`;
	if (SORT_FORM.test(sortText)) return sortText;
	throw new InputError(field, 'must be a field and a direction', `It is “${sortText}”.`);
}

/**
 * Refuses a filter whose expression returns nothing. A filter that the user left empty is not sent.
 *
 * @throws InputError
 */
export function checkFilterGiven(item: Item, label: string, path: string): void {
	if (mustSaySomething(item, path)) throw emptyFilter(label);
}

/** Whether a filter is an expression. An AI tool's need not say anything: its model leaves out a filter by leaving it empty. */
const mustSaySomething = (item: Item, path: string): boolean =>
	item.isExpression(path) && !isTool(item.node);

/** By query parameter: the field that sets it. The node also uses these parameters to go through the pages. */
const RESERVED_QUERIES = new Map([
	['cursor', 'Start Cursor'],
	['limit', 'Limit'],
]);

/** Filters by name and value, for those that the API document does not show. */
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
		const field = RESERVED_QUERIES.get(name);
		if (name === '__proto__') throw new InputError(`${label}: Name`, 'cannot be “__proto__”');
		if (field !== undefined) throw new InputError(label, `cannot set “${name}”`, `Use '${field}'.`);
		if (hasField(query, name)) throw new InputError(label, `sets “${name}” a second time`);
		if (saysNothing(row.value)) throw new InputError(`${label}: ${name}`, 'has no value');
		query[name] = text(`${label}: ${name}`, row.value);
	}
	return query;
}
