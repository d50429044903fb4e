import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { textList } from '../../shared/values/readers';
import { collection } from './build';
import type { Field, ReadField } from './field';

/** A field that an update can clear, and what the platform gets for it. */
interface Clearable {
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
export function updateFields(settable: Field[], clearable: Clearable[]): Field[] {
	return [
		collection(
			'Update Fields',
			'updateFields',
			'Add Field',
			'The fields to change; what is not added here, or left empty, stays as it is',
			settable,
		),
		{
			displayName: 'Fields to Clear',
			name: 'clearFields',
			type: 'multiOptions',
			options: clearable.map(({ name, value }) => ({ name, value })),
			default: [],
			description: 'The fields to empty; leave it out to keep them',
			send: { in: 'body', read: clear(clearable) },
		},
	];
}

/** Comes last of an update's fields, so it also sees whether anything is left to send. */
function clear(clearable: Clearable[]): ReadField {
	return (label, value, _item, sent) => {
		const cleared: IDataObject = {};
		for (const chosen of textList(label, value)) {
			const known = clearable.find((one) => one.value === chosen);
			if (known === undefined) throw new InputError(label, `cannot hold “${chosen}”`);
			if (chosen in sent) throw new InputError(label, `names “${chosen}”, which is also set`);
			cleared[chosen] = known.empty;
		}
		if (Object.keys(sent).length === 0 && Object.keys(cleared).length === 0)
			throw new InputError('Update Fields', 'holds nothing to change', 'Add a field to update.');
		return cleared;
	};
}
