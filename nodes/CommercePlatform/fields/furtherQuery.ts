import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { checkQueryLength, encodeText } from '../../shared/api/http';
import { InputError } from '../../shared/errors/errors';
import { rowsOf, saysNothing, someText, text } from '../../shared/values/readers';
import { isObject } from '../../shared/values/json';
import type { PreSend } from '../engine/operation';

const FIELD = 'Further Query Parameters';

/** Parameters that have a field of their own, by which the node also finds its way through the pages. */
const OF_THE_NODE = new Map([
	['cursor', 'Start Cursor'],
	['limit', 'Limit'],
]);

/** Filters that the API document does not show for a list, by name and value. */
export const furtherQuery: INodeProperties = {
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
	routing: { send: { preSend: [sendFurtherQuery()] } },
};

function sendFurtherQuery(): PreSend {
	return async function (options) {
		const entered: unknown = this.getNodeParameter('options.furtherQuery', {});
		const qs: IDataObject = { ...options.qs };
		for (const row of rowsOf(FIELD, entered, 'parameter') ?? []) {
			if (!isObject(row)) throw new InputError(FIELD, 'must be a list of names and values');
			const name = someText(`${FIELD}: Name`, row.name);
			const field = OF_THE_NODE.get(name);
			if (name === '__proto__') throw new InputError(`${FIELD}: Name`, 'cannot be “__proto__”');
			if (field !== undefined)
				throw new InputError(FIELD, `cannot set “${name}”`, `Use “${field}”.`);
			if (Object.keys(qs).includes(name) && qs[name] !== '')
				throw new InputError(FIELD, `sets “${name}” a second time`);
			if (saysNothing(row.value)) throw new InputError(`${FIELD}: ${name}`, 'has no value');
			const value = text(`${FIELD}: ${name}`, row.value);
			checkQueryLength(FIELD, encodeText(FIELD, `${name}=${value}`));
			qs[name] = value;
		}
		return { ...options, qs };
	};
}
