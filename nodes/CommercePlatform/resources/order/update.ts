import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import { textField } from '../../../shared/values/fields';
import { isObject } from '../../../shared/values/json';
import { describe, saysNothing } from '../../../shared/values/readers';
import { otherFields, otherFieldsJson, updateFields } from '../../fields/freeBody';
import { rewrite } from '../../runner/lookup';
import type { Call } from '../../runner/operation';
import { update } from '../makeOperation';
import { ORDERS } from '../recordNames';
import { CHANGE, changeOrder, readOrderAnswer } from './order';

const NOTE = 'merchant_note';

const addedNote = textField(
	'Add to Merchant Note',
	'addToMerchantNote',
	'A line below the order’s note, which is read first: one more request. Running again adds it again.',
	{ typeOptions: { rows: 2 }, example: 'Called the customer', body: NOTE },
);

/** Whether the item's note is a line to add. Fields that set the note twice were refused when they were read. */
function addsNote({ item }: Call): boolean {
	const entered = item.parameter('updateFields', {});
	return isObject(entered) && !saysNothing(entered[addedNote.name]);
}

/**
 * Changes an order. A line that is to be added to the note goes below the note that the order has now.
 *
 * @throws InputError, PlatformError
 */
async function updateOrder(call: Call): Promise<IDataObject> {
	const { request, earlierRequest } = call;
	if (earlierRequest !== undefined || !addsNote(call)) return await changeOrder(call);
	const { answer } = await rewrite(
		async () => await readOrderAnswer(call, request),
		({ [NOTE]: note }) => ({
			...request,
			body: { ...request.body, [NOTE]: noteWith(note, String(request.body?.[NOTE])) },
		}),
		async (toSend, attempt) =>
			await changeOrder(call, toSend, attempt === 1 ? undefined : `note ${attempt}`),
	);
	return answer;
}

function noteWith(note: unknown, line: string): string {
	if (saysNothing(note)) return line;
	if (typeof note === 'string') return `${note}\n${line}`;
	throw new InputError(
		addedNote.displayName,
		'cannot be added',
		`Nothing was written. The order’s note is ${describe(note)} and no text.`,
	);
}

export const updateOne = update(ORDERS, {
	...CHANGE,
	description: 'Change an order, e.g. add a line to its merchant note',
	run: updateOrder,
	fields: updateFields(
		[
			addedNote,
			textField(
				'Merchant Note',
				NOTE,
				'Internal note on the order; replaces the note that it has',
				{
					typeOptions: { rows: 3 },
					example: 'Gift wrap, please',
					body: NOTE,
				},
			),
			otherFields('Further fields by name and value', 'searchOrderFields'),
			otherFieldsJson,
		],
		{ [NOTE]: ['Merchant Note', ''] },
	),
});
