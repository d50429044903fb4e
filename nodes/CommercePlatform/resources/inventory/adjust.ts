import type { IDataObject } from 'n8n-workflow';

import { integer, text } from '../../../shared/values/readers';
import type { Call } from '../../run/operation';
import { numberField, textField } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { each } from '../operation';
import { onConflict, writeLevel } from './conflict';
import { ifMatch, levelFields, levelTarget, previewLevel } from './level';

/** Nothing is preset: a stock level is only written when the user said a number. */
const delta = bodyField(
	numberField('Delta', 'delta', 'Whole number of pieces to add; negative to take away', {
		required: true,
		default: '',
		example: '-2',
	}),
	integer,
);

const reason = bodyField(
	textField('Reason', 'reason', 'Why the quantity changes; left out when empty', {
		example: 'Damaged in storage',
	}),
	text,
);

/**
 * Writes a difference, which is added to whatever the level is then. Where an answer was lost, a conflict may come of
 * this very write: then the difference is not sent again.
 */
async function adjustLevel(call: Call): Promise<IDataObject> {
	return await writeLevel(call, call.request, async ({ details }, written) => {
		const { method, path, body, headers } = written;
		if (details.mayBeApplied === true || headers?.['If-Match'] === undefined) return undefined;
		return await Promise.resolve({ request: { method, path, body }, step: 'without If-Match' });
	});
}

export const adjust = each({
	target: levelTarget,
	request: 'POST /inventory/levels/adjust',
	name: 'Adjust',
	value: 'adjust',
	action: 'Adjust a stock level',
	description: 'Change a quantity by a difference, for sparing use; Set is the preferred way',
	run: adjustLevel,
	preview: async (call) => await previewLevel(call, (old) => old + Number(call.fields.delta)),
	fields: [...levelFields, delta, reason],
	options: [
		ifMatch,
		onConflict(['Adjust the Current Level', 'Send the difference again without If-Match']),
	],
});
