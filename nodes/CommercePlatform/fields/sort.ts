import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { rowsOf, text } from '../../shared/values/readers';
import { unlessEmpty, type Field } from './field';

const FORM = /^[A-Za-z][\w.]*:(?:asc|desc)$/;

/** Field and direction of a list's order (API document, "Common query parameters on list endpoints"). */
export const sort: Field = {
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
