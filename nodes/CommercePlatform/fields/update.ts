import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { textList } from '../../shared/values/readers';
import type { PreSend } from '../engine/operation';

/** A field that an update can clear, and what the platform gets for it. */
export interface Clearable {
	name: string;
	/** The property in the API document. */
	value: string;
	empty: '' | [];
}

/**
 * The fields of an update: what to set and what to clear. An option left empty is not sent; only what is
 * chosen under Fields to Clear is sent as empty, so that nothing is wiped by an expression without a value.
 *
 * @param settable options, in alphabetical order
 */
export function updateFields(
	settable: INodeProperties[],
	clearable: Clearable[],
): INodeProperties[] {
	return [
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'The fields to change; what is not added here, or left empty, stays as it is',
			options: settable,
		},
		{
			displayName: 'Fields to Clear',
			name: 'clearFields',
			type: 'multiOptions',
			options: clearable.map(({ name, value }) => ({ name, value })),
			default: [],
			description: 'The fields to empty; leave it out to keep them',
			routing: { send: { preSend: [clear(clearable)] } },
		},
	];
}

/** Comes last of an update's fields, so it also sees whether anything is left to send. */
function clear(clearable: Clearable[]): PreSend {
	return async function (options) {
		const field = 'Fields to Clear';
		const body = { ...(options.body as IDataObject) };
		for (const chosen of textList(field, this.getNodeParameter('clearFields', []))) {
			const known = clearable.find(({ value }) => value === chosen);
			if (known === undefined) throw new InputError(field, `cannot hold “${chosen}”`);
			if (chosen in body) throw new InputError(field, `names “${chosen}”, which is also set`);
			body[chosen] = known.empty;
		}
		if (Object.keys(body).length === 0) {
			throw new InputError('Update Fields', 'holds nothing to change', 'Add a field to update.');
		}
		return { ...options, body };
	};
}
