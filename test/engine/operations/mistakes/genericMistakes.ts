import { resources } from '../../../../nodes/CommercePlatform/resources';
import { byId, byMode } from '../../../support/parameters';
import { CASES } from '../cases';
import type { Fixtures } from '../shop';
import { mistakesOf, NOTHING, rowsOf, type Mistake } from './mistake';

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

/** Filters that name records, by list: without its filter a list gives all of them. */
const FILTERS: Array<[list: string, filters: Record<string, string>]> = [
	['customer', { email: 'Email', updated_since: 'Updated Since' }],
	['inventory', { location_id: 'Location ID', sku: 'SKU' }],
	['order', { created_until: 'Created Until', q: 'Search', status: 'Status' }],
	[
		'product',
		{
			category: 'Category Name or ID',
			created_since: 'Created Since',
			sku: 'SKU',
			status: 'Status',
		},
	],
];

/** Of a character that takes three in a web address. */
const TOO_MANY = 5_001;

/** Longer than any server takes in a query. */
const TOO_LONG = `={{ "[".repeat(${TOO_MANY}) }}`;

export const genericMistakes: Mistake[] = [
	...mistakesOf(
		LISTS.join(' '),
		{},
		{
			...rowsOf([0, -1, 1.5, '={{ "many" }}'], (limit) => ({
				[`limit ${limit}`]: [{ returnAll: false, limit }, 'Limit'],
			})),
			'an unknown output': [{ options: { output: '={{ "page" }}' } }, '“Output” cannot be "page"'],
			'a query that no server takes': [
				{ options: { furtherQuery: { parameter: [{ name: '[', value: TOO_LONG }] } } },
				'“Further Query Parameters” is too long',
			],
			'a cursor that no server takes': [
				{ options: { startCursor: TOO_LONG } },
				'“Start Cursor” is too long',
			],
		},
	),
	...mistakesOf(
		'order.getAll product.getAll',
		{},
		{
			'a search that no server takes': [{ filters: { q: TOO_LONG } }, '“Search” is too long'],
		},
	),
	...FILTERS.flatMap(([list, filters]) =>
		Object.entries(filters).flatMap(([name, label]) =>
			mistakesOf(
				`${list}.getAll`,
				{},
				rowsOf(Object.entries(NOTHING), ([what, value]) => ({
					[`${what} as the filter ${label}`]: [
						{ filters: { [name]: value } },
						`“${label}” is empty`,
					],
				})),
			),
		),
	),
	...REQUIRED.flatMap(({ operation, name, label, right }) =>
		mistakesOf(operation, right, {
			[`nothing in ${label}`]: [{ [name]: '={{ " " }}' }, `“${label}”`],
		}),
	),
	...BY_ID.flatMap(({ operation, locator, label, modes, right }) =>
		mistakesOf(operation, right, {
			...rowsOf(modes, (mode) =>
				rowsOf(Object.entries(NOTHING), ([what, value]) => ({
					[`${what} by ${mode}`]: [{ [locator]: byMode(mode, value) }, `“${label}” is empty`],
				})),
			),
			'nothing in place of a locator': [{ [locator]: '={{ $json.none }}' }, `“${label}” is empty`],
			'an ID of the wrong type': [{ [locator]: byId('={{ [1] }}') }, label],
			'a climbing ID': [{ [locator]: byId('..') }, `“${label}” is not an id`],
		}),
	),
];
