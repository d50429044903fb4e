import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/resources';

/** What a person sees but cannot fill. */
const NO_FIELD = ['notice', 'hidden'];

/** Names of the fields that can be filled, also those inside collections and their rows; a locator is one. */
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

/** Fields of each operation. Two fields of one name, of which one is shown at a time, count once. */
const counts = new Map(
	resources.flatMap(({ value, operations }) =>
		operations.map(({ option, fields }) => {
			const names = new Set(fields.flatMap((field) => leafNames(field)));
			return [`${value}.${option.value}`, names.size] as const;
		}),
	),
);

/** Fields of all operations together. */
const MOST_FIELDS = 497;

it('asks for few fields over all operations', () => {
	const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
	expect(total).toBeLessThanOrEqual(MOST_FIELDS);
});
