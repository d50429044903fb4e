import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { plainName } from '../../shared/model/names';

/** How much of an order is on its way, as far as its words tell. */
export type Sent = 'all' | 'part' | 'none';

/** Where the state of an order's fulfillment stands; the API document has it in words only ("Order"). */
const STATE = /^fulfil+ment(state|status)?$/;

const ALL = /^(fully)?(fulfil+ed(all)?|shipped|completed?)$/;
const PART = /partial/;
const NONE = /^(un|not|notyet)(fulfil+ed|shipped|sent)$|^(none|open|pending)$/;
/** An order may be paid or refunded in part as well. */
const PART_SENT = /partial.*(fulfil|ship|sent)|(fulfil|ship|sent).*partial|^partial(ly)?$/;

/**
 * How much of an order is sent: its fulfillment state says it, and its status only where that state is missing or
 * says nothing of it, since a status also tells of money (API document, "States and transitions").
 */
export function sentOf(order: IDataObject): Sent {
	const states = stateWords(order);
	if (states.some((word) => PART.test(word))) return 'part';
	if (states.some((word) => ALL.test(word))) return 'all';
	if (states.some((word) => NONE.test(word))) return 'none';
	const status = wordIn(order.status);
	if (PART_SENT.test(status)) return 'part';
	return ALL.test(status) ? 'all' : 'none';
}

const stateWords = (order: IDataObject) =>
	Object.keys(order).flatMap((name) => {
		const value = order[name];
		if (isObject(value))
			return /^fulfil/.test(plainName(name)) ? [wordIn(value.status ?? value.state)] : [];
		return STATE.test(plainName(name)) ? [wordIn(value)] : [];
	});

const wordIn = (value: unknown) => (typeof value === 'string' ? plainName(value) : '');
