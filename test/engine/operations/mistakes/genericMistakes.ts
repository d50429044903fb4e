import { resources } from '../../../../nodes/CommercePlatform/resources';
import { byId, byMode } from '../../../support/parameters';
import { CASES } from '../cases';
import type { Fixtures } from '../shop';
import { mistake, type Mistake } from './mistake';

/** What is wrong with nothing of an operation: its case, about records that need not be there. */
const RECORDS: Fixtures = {
	category: 'cat_1',
	customer: 'cust_1',
	event: 'evt_1',
	handle: 'lamp',
	lineItem: 'li_1',
	order: 'ord_1',
	product: 'prod_1',
	sku: 'A',
	webhook: 'wh_1',
};

/** Operations that take the items of a run one by one, by name, with parameters of which none is wrong. */
const OPERATIONS = resources.flatMap(({ value, operations }) =>
	operations
		.filter(({ kind }) => kind !== 'all')
		.map(({ kind, option, fields }) => {
			const operation = `${value}.${option.value}`;
			const one = CASES.find((known) => known.operation === operation);
			return { operation, kind, fields, right: one?.parameters(RECORDS) ?? {} };
		}),
);

const LISTS = OPERATIONS.filter(({ kind }) => kind === 'list').map(({ operation }) => operation);

/** Operations on one record: the locator, and what else they need. */
const BY_ID = OPERATIONS.flatMap(({ operation, fields, right }) =>
	fields
		.filter(({ type }) => type === 'resourceLocator')
		.map(({ name, displayName, modes = [] }) => ({
			operation,
			locator: name,
			label: displayName,
			modes: modes.map((mode) => mode.name),
			right,
		})),
);

/** Fields that must be filled, among those that the operation's case fills. */
const REQUIRED = OPERATIONS.flatMap(({ operation, fields, right }) => {
	const filled = fields.filter(
		({ name, type, required }) => required && type !== 'resourceLocator' && name in right,
	);
	const labels = new Map(filled.map(({ name, displayName }) => [name, displayName]));
	return [...labels].map(([name, label]) => ({ operation, name, label, right }));
});

/** What an expression that finds nothing gives. */
const NOTHING: Record<string, string> = {
	'an empty text': '={{ "" }}',
	blanks: '={{ " " }}',
	null: '={{ null }}',
	'a missing value': '={{ $json.none }}',
};

/** Filters that name records, by list: without its filter a list gives all of them. */
const FILTERS: Array<[list: string, filters: Record<string, string>]> = [
	['customer', { email: 'Email', updated_since: 'Updated Since' }],
	['inventory', { location_id: 'Location ID', sku: 'SKU' }],
	['order', { created_until: 'Created Until', q: 'Search', status: 'Status' }],
	['product', { created_since: 'Created Since', sku: 'SKU', status: 'Status' }],
];

/** Of a character that takes three in a web address. */
const TOO_MANY = 5_001;

export const genericMistakes: Mistake[] = [
	...LISTS.flatMap((operation) =>
		[0, -1, 1.5, '={{ "many" }}'].map((limit) =>
			mistake(operation, `limit ${limit}`, { returnAll: false, limit }, 'Limit'),
		),
	),
	...LISTS.flatMap((operation) => [
		mistake(
			operation,
			'an unknown output',
			{ options: { output: '={{ "page" }}' } },
			'“Output” cannot be "page"',
		),
		mistake(
			operation,
			'a query that no server takes',
			{
				options: {
					furtherQuery: { parameter: [{ name: '[', value: `={{ "[".repeat(${TOO_MANY}) }}` }] },
				},
			},
			'“Further Query Parameters” is too long',
		),
		mistake(
			operation,
			'a cursor that no server takes',
			{ options: { startCursor: `={{ "[".repeat(${TOO_MANY}) }}` } },
			'“Start Cursor” is too long',
		),
	]),
	...['order', 'product'].flatMap((resource) => [
		mistake(
			`${resource}.getAll`,
			'a search that no server takes',
			{ filters: { q: `={{ "[".repeat(${TOO_MANY}) }}` } },
			'“Search” is too long',
		),
	]),
	...FILTERS.flatMap(([list, filters]) =>
		Object.entries(filters).flatMap(([name, label]) =>
			Object.entries(NOTHING).map(([what, value]) =>
				mistake(
					`${list}.getAll`,
					`${what} as the filter ${label}`,
					{ filters: { [name]: value } },
					`“${label}” is empty`,
				),
			),
		),
	),
	...REQUIRED.map(({ operation, name, label, right }) =>
		mistake(operation, `nothing in ${label}`, { ...right, [name]: '={{ " " }}' }, `“${label}”`),
	),
	...BY_ID.flatMap(({ operation, locator, label, modes, right }) => [
		...modes.flatMap((mode) =>
			Object.entries(NOTHING).map(([what, value]) =>
				mistake(
					operation,
					`${what} by ${mode}`,
					{ ...right, [locator]: byMode(mode, value) },
					`“${label}” is empty`,
				),
			),
		),
		mistake(
			operation,
			'nothing in place of a locator',
			{ ...right, [locator]: '={{ $json.none }}' },
			`“${label}” is empty`,
		),
		mistake(
			operation,
			'an ID of the wrong type',
			{ ...right, [locator]: byId('={{ [1] }}') },
			label,
		),
		mistake(
			operation,
			'a climbing ID',
			{ ...right, [locator]: byId('..') },
			`“${label}” is not an id`,
		),
	]),
];
