import { InputError } from '../../../shared/errors/errors';
import { toUtcIso } from '../../../shared/values/dates';
import { integer, saysNothing } from '../../../shared/values/readers';
import type { EachOperation } from '../../run/operation';
import { numberField } from '../../fields/build';
import { bodyField, type Field, type Item } from '../../fields/field';
import { onlyIfChanged, recordOptions } from '../../fields/options';
import { onConflict, setLevel } from './conflict';
import { ifMatch, levelChanges, levelFields, levelTarget } from './level';

/** Nothing is preset: a stock level is only written when the user said a number. */
const quantity = bodyField(
	numberField('Quantity', 'quantity', 'Whole number of pieces that are there now', {
		required: true,
		default: '',
		example: '12',
		hint: '0 says that none is left',
	}),
	integer,
);

/** When the quantity was counted: the platform refuses what is older than what it has. */
const updatedAt: Field = {
	displayName: 'Updated At',
	name: 'updatedAt',
	type: 'dateTime',
	default: '',
	description:
		'When the quantity was counted, as an ISO 8601 date; when it is sent, if empty. The platform refuses a time older than the one it has.',
	send: { in: 'body', as: 'updated_at', read: readUpdatedAt },
};

function readUpdatedAt(label: string, value: unknown, item: Item): string | undefined {
	if (!saysNothing(value)) return toUtcIso(label, value, item.timezone);
	if (!item.isExpression('updatedAt')) return undefined;
	throw new InputError(label, 'is empty', 'Nothing was sent. Its expression gives nothing.');
}

export const set: EachOperation = {
	kind: 'each',
	target: levelTarget,
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
	run: setLevel,
	fields: [
		...levelFields,
		quantity,
		updatedAt,
		recordOptions('PUT', [ifMatch, onConflict, onlyIfChanged]),
	],
};
