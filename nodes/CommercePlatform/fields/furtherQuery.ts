import type { IDataObject } from 'n8n-workflow';

import { checkQueryLength, encodeText } from '../../shared/api/http';
import { InputError } from '../../shared/errors/errors';
import { hasField, isObject } from '../../shared/values/json';
import { rowsOf, saysNothing, someText, text } from '../../shared/values/readers';
import type { Field } from './field';

const FIELD = 'Further Query Parameters';

/** Parameters that have a field of their own, by which the node also finds its way through the pages. */
const OF_THE_NODE = new Map([
	['cursor', 'Start Cursor'],
	['limit', 'Limit'],
]);

/** Filters that the API document does not show for a list, by name and value. */
export const furtherQuery: Field = {
	displayName: FIELD,
	name: 'furtherQuery',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Parameter',
	default: {},
	description:
		'Query parameters that have no field here, e.g. a filter that your platform has; they are sent as they are',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. updated_since',
					description: 'Name of the parameter, as the platform knows it',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'Value of the parameter; one without a value is refused',
				},
			],
		},
	],
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
