import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { choices, collection, type Field, type ReadField } from '../../shared/values/fields';
import { hasField } from '../../shared/values/json';
import { textList } from '../../shared/values/readers';

/** By name in the API document: the label of a field that an update can empty, and the value that is sent. */
type Clearable = Record<string, readonly [label: string, empty: '' | []]>;

/**
 * The fields of an update: what to set and what to empty. An empty field is not sent, so an expression without a value
 * wipes nothing. Only what is chosen under Fields to Clear is sent as empty.
 */
export const updateFields = (settable: Field[], clearable: Clearable): Field[] => [
	collection(
		'Update Fields',
		'updateFields',
		'Add Field',
		settable,
		'The fields to change; what is not added here, or left empty, stays as it is',
	),
	choices('Fields to Clear', 'clearFields', 'The fields to empty; leave it out to keep them', {
		options: Object.entries(clearable).map(([value, [name]]) => ({ name, value })),
		send: { in: 'body', read: readCleared(clearable) },
	}),
];

/** Reads Fields to Clear. It is the last field that is read, so it also notices if there is nothing to send. */
function readCleared(clearable: Clearable): ReadField {
	return (label, value, _item, sent) => {
		const cleared: IDataObject = {};
		for (const name of textList(label, value)) {
			if (!hasField(clearable, name)) throw new InputError(label, `cannot hold “${name}”`);
			if (name in sent) throw new InputError(label, `names “${name}”, which is also set`);
			[, cleared[name]] = clearable[name];
		}
		if (Object.keys({ ...sent, ...cleared }).length === 0)
			throw new InputError('Update Fields', 'holds nothing to change', 'Add a field to update.');
		return cleared;
	};
}
