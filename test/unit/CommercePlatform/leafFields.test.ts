import type { INodeProperties } from 'n8n-workflow';

import { requestOptions } from '../../../nodes/CommercePlatform/fields/options';
import { resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';

/** Types that a person cannot fill. */
const NO_FIELD = ['notice', 'hidden'];

/** Names of the fields that can be filled, also in collections and their rows. A locator is one field. */
function leafNames(field: INodeProperties, place = ''): string[] {
	const { type, name, options = [] } = field;
	const path = place + name;
	if (NO_FIELD.includes(type)) return [];
	if (type !== 'collection' && type !== 'fixedCollection') return [path];
	return options.flatMap((option) => {
		const inside = 'values' in option ? option.values : [option as INodeProperties];
		return inside.flatMap((one) => leafNames(one, `${path}.`));
	});
}

/**
 * The number of fields of each operation. If one of two fields with the same name is shown at a time, they count once.
 */
const counts = new Map(
	resources.flatMap(({ value, operations }) =>
		operations.map(({ option, fields }) => {
			const names = new Set(fields.flatMap((field) => leafNames(field)));
			return [`${value}.${option.value}`, names.size] as const;
		}),
	),
);

/** Of all panels together. Request options are one collection of the node, and do not count. */
const MOST = 250;

it(`asks for at most ${MOST} fields in all panels together`, () => {
	const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
	expect(total).toBeLessThanOrEqual(MOST);
});

/** Fields to name the record, and to say what to do with it. */
const MOST_OF_ONE = 5;

it.each([...counts].filter(([name]) => /\.(get|delete|cancel)$/.test(name)))(
	'asks for no more than five fields: %s',
	(_name, count) => {
		expect(count).toBeLessThanOrEqual(MOST_OF_ONE);
	},
);

/** The only collections that an operation may have beside its fields. */
const COLLECTIONS = ['additionalFields', 'filters', 'options', 'updateFields'];

it('has no pace or retry settings among the parameters', () => {
	const fields = resources.flatMap(({ operations }) => operations.flatMap((one) => one.fields));
	const collections = fields.filter(({ type }) => type === 'collection').map(({ name }) => name);
	expect([...new Set(collections)].sort()).toEqual(COLLECTIONS);
	const own = new Set(
		fields.flatMap((field) => leafNames(field)).map((path) => path.split('.').at(-1)),
	);
	const ofRequests = (requestOptions.options ?? []).map(({ name }) => name);
	expect(ofRequests.filter((name) => own.has(name))).toEqual([]);
});
