import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/api/request';
import { InputError } from '../../../shared/errors/errors';
import { toUtcIso } from '../../../shared/values/dates';
import { integer, saysNothing } from '../../../shared/values/readers';
import type { Call } from '../../run/operation';
import { numberField } from '../../fields/build';
import { bodyField, type Field } from '../../fields/field';
import { onlyIfChanged } from '../../fields/options';
import { each } from '../operation';
import { onConflict, stampFor, writeLevel } from './conflict';
import { ifMatch, levelChanges, levelFields, levelTarget, previewLevel, readLevel } from './level';

/** Nothing is preset: a stock level is only written when the user said a number. */
const quantity = bodyField(
	numberField('Quantity', 'quantity', 'Whole number of pieces that are there now', {
		required: true,
		default: '',
		example: '12',
		hint: '0 = sold out',
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
		'When the quantity was counted, in place of when it is sent. The platform refuses a time older than the one it has.',
	send: {
		in: 'body',
		as: 'updated_at',
		read: (label, value, item) => {
			if (!saysNothing(value)) return toUtcIso(label, value, item.timezone);
			throw new InputError(
				label,
				'is empty',
				'Nothing was sent. Enter a time, or remove the option.',
			);
		},
	},
};

/** Writes a quantity. Where that is a conflict it may be written again, since it says the same however often. */
async function setLevel(call: Call): Promise<IDataObject> {
	const { method, path, body } = call.request;
	const entered = body?.updated_at as string | undefined;
	const first = withTime(call.request, entered ?? stampFor(call));
	return await writeLevel(call, first, async () => {
		const current = await readLevel(call);
		const time = stampFor(call, Date.parse(String(current?.updated_at)) || 0);
		// The step holds the time, so that one Idempotency-Key never stands for two bodies.
		return { request: withTime({ method, path, body }, time), step: `overwrite ${time}` };
	});
}

const withTime = (request: PlatformRequest, updated_at: string): PlatformRequest => ({
	...request,
	body: { ...request.body, updated_at },
});

export const set = each({
	target: levelTarget,
	changes: levelChanges,
	cheaperWay: 'Where many levels are as they were, the option “Only If Changed” leaves those out.',
	request: 'PUT /inventory/levels',
	name: 'Set',
	value: 'set',
	action: 'Set a stock level',
	description: 'Write the absolute quantity of a SKU at a location: the preferred way',
	run: setLevel,
	preview: async (call) => await previewLevel(call, () => Number(call.fields.quantity)),
	fields: [...levelFields, quantity],
	options: [
		ifMatch,
		onConflict([
			'Overwrite',
			'Read the level again and write with a newer time: two more requests per try, three tries at most. If-Match is dropped.',
		]),
		onlyIfChanged,
		updatedAt,
	],
});
