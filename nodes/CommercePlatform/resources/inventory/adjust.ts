import { integer, text } from '../../../shared/values/readers';
import type { EachOperation } from '../../run/operation';
import { numberField, textField } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { recordOptions } from '../../fields/options';
import { adjustLevel, onAdjustConflict } from './conflict';
import { ifMatch, levelFields, levelTarget } from './level';

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

export const adjust: EachOperation = {
	kind: 'each',
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
	run: adjustLevel,
	fields: [...levelFields, delta, reason, recordOptions('POST', [ifMatch, onAdjustConflict])],
};
