import { integer, text } from '../../../shared/values/readers';
import type { RecordOperation } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { recordOptions } from '../../fields/options';
import { ifMatch } from './ifMatch';
import { levelFields, levelTarget } from './level';
import { onAdjustConflict, resolveAdjustConflict } from './onConflict';

/** Nothing is preset: a stock level is only written when the user said a number. */
const delta = bodyField(
	{
		displayName: 'Delta',
		name: 'delta',
		type: 'number',
		required: true,
		default: '',
		placeholder: 'e.g. -2',
		description: 'Whole number of pieces to add; negative to take away',
	},
	integer,
);

export const adjust: RecordOperation = {
	kind: 'record',
	target: levelTarget,
	scope: 'inventory.write',
	reads: { scope: 'inventory.read', when: ['Return Current Level'] },
	option: {
		name: 'Adjust',
		value: 'adjust',
		action: 'Adjust a stock level',
		description: 'Change a quantity by a difference, for sparing use; Set is the preferred way',
		routing: { request: { method: 'POST', url: '/inventory/levels/adjust' } },
	},
	recover: resolveAdjustConflict,
	fields: [
		...levelFields,
		delta,
		bodyField(
			{
				displayName: 'Reason',
				name: 'reason',
				type: 'string',
				default: '',
				placeholder: 'e.g. Damaged in storage',
				description: 'Why the quantity changes; left out when empty',
			},
			text,
		),
		recordOptions('POST', [ifMatch, onAdjustConflict]),
	],
};
