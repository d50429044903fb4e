import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/api/nodeErrors';
import { checkedQuery, describe, isObject } from '../../shared/declarative/checks';

const FORM = /^[A-Za-z][\w.]*:(?:asc|desc)$/;

/** Field and direction of a list's order (API document, "Common query parameters on list endpoints"). */
export const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'fixedCollection',
	placeholder: 'Add Sort',
	default: {},
	description: 'The order of the records; it stays the same through all pages',
	options: [
		{
			displayName: 'By',
			name: 'by',
			values: [
				{
					displayName: 'Field',
					name: 'field',
					type: 'string',
					default: 'updated_at',
					placeholder: 'e.g. updated_at',
					description: 'Field to sort by; the platform allows certain fields only, e.g. updated_at',
				},
				{
					displayName: 'Direction',
					name: 'direction',
					type: 'options',
					options: [
						{ name: 'Ascending', value: 'asc', description: 'Smallest or oldest first' },
						{ name: 'Descending', value: 'desc', description: 'Largest or newest first' },
					],
					default: 'asc',
					description: 'Which end comes first',
				},
			],
		},
	],
	routing: {
		send: { type: 'query', property: 'sort', preSend: [checkedQuery('sort', 'Sort', readSort)] },
	},
};

/** The collection's field and direction, or the wire form `updated_at:asc` from an expression. */
function readSort(field: string, value: unknown): string | undefined {
	if (isObject(value) && value.by === undefined) return undefined;
	const by = isObject(value) && isObject(value.by) ? value.by : {};
	const written = typeof value === 'string' ? value.trim() : `${by.field}:${by.direction ?? 'asc'}`;
	if (FORM.test(written)) return written;
	throw new InputError(field, 'must be a field and a direction', `It is ${describe(value)}.`);
}
