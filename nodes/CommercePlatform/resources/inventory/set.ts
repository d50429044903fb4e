import { integer } from '../../../shared/values/readers';
import type { RecordOperation } from '../../engine/operation';
import { bodyField } from '../../fields/field';
import { onlyIfChanged, recordOptions } from '../../fields/options';
import { ifMatch } from './ifMatch';
import { levelFields, levelTarget } from './level';
import { levelChanges } from './levelChanges';
import { onConflict, resolveConflict } from './onConflict';
import { stampNow, updatedAt } from './updatedAt';

/** Nothing is preset: a stock level is only written when the user said a number. */
const quantity = bodyField(
	{
		displayName: 'Quantity',
		name: 'quantity',
		type: 'number',
		required: true,
		default: '',
		placeholder: 'e.g. 12',
		description: 'Whole number of pieces that are there now',
		hint: '0 says that none is left',
	},
	integer,
);

export const set: RecordOperation = {
	kind: 'record',
	target: levelTarget,
	prepare: stampNow,
	changes: levelChanges,
	cheaperWay: 'Where many levels are as they were, the option “Only If Changed” leaves those out.',
	scope: 'inventory.write',
	reads: {
		scope: 'inventory.read',
		when: ['Overwrite', 'Return Current Level', 'Only If Changed'],
	},
	option: {
		name: 'Set',
		value: 'set',
		action: 'Set a stock level',
		description: 'Write the absolute quantity of a SKU at a location: the preferred way',
		routing: { request: { method: 'PUT', url: '/inventory/levels' } },
	},
	recover: resolveConflict,
	fields: [
		...levelFields,
		quantity,
		updatedAt,
		recordOptions('PUT', [ifMatch, onConflict, onlyIfChanged]),
	],
};
