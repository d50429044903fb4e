import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import type { PlatformRequest } from '../../../shared/rest/request';
import { textField } from '../../../shared/values/fields';
import { isObject } from '../../../shared/values/json';
import { describe, saysNothing } from '../../../shared/values/readers';
import { otherFields, otherFieldsJson, updateFields } from '../../fields/freeBody';
import { isConflict } from '../../runner/lookup';
import type { Call } from '../../runner/operation';
import { update } from '../makeOperation';
import { ORDERS } from '../recordNames';
import { CHANGE, changeOrder, readOrderAnswer } from './order';

const NOTE = 'merchant_note';

/** How often a note is written at most. If others change the order so often, further writes would not help. */
const MAX_WRITES = 4;

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
 * Changes an order. A line that is to be added to the note goes below the note that the order has now. Where the
 * platform gives an ETag, the write holds for that reading only, and a conflict is read and written again.
 *
 * @throws InputError, PlatformError
 */
async function updateOrder(call: Call): Promise<IDataObject> {
	const { request, earlierRequest } = call;
	if (earlierRequest !== undefined || !addsNote(call)) return await changeOrder(call);
	for (let attempt = 1; ; attempt++) {
		const { record: order, headers } = await readOrderAnswer(call, request);
		const body = { ...request.body, [NOTE]: noteWith(order[NOTE], String(request.body?.[NOTE])) };
		const { etag = '' } = headers;
		// A weak ETag never matches there (RFC 9110, 13.1.1).
		const condition = etag.startsWith('"')
			? { headers: { ...request.headers, 'If-Match': etag } }
			: {};
		const toSend: PlatformRequest = { ...request, body, ...condition };
		const step = attempt === 1 ? undefined : `note ${attempt}`;
		const answer = await changeOrder(call, toSend, step).catch((error: unknown) => {
			if (isConflict(error) && attempt < MAX_WRITES) return undefined;
			throw error;
		});
		if (answer !== undefined) return answer;
	}
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
