import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/rest/request';
import { documentedCode, isKindOf409 } from '../../../shared/rest/errorBody';
import { PlatformError } from '../../../shared/rest/errors';
import { byOrderNumber } from '../../../shared/shop/records';
import { RESOURCES } from '../../../shared/shop/resources';
import { choice } from '../../../shared/values/fields';
import { readRecord } from '../../runner/lookup';
import type { Call } from '../../runner/operation';
import { recordsOf } from '../makeOperation';

/** Orders can be named by their number, with or without “#”. */
export const ORDERS = recordsOf(RESOURCES.order, 'ord_1001', {
	displayName: 'Number',
	name: 'number',
	placeholder: 'e.g. 1041',
	hint: 'With or without “#”',
	...byOrderNumber,
});

/** A status that a change leads to (API document, "States and transitions"). */
type OrderStatus = 'cancelled' | 'fulfilled';

const NOT_ALLOWED = 'INVALID_STATE_TRANSITION';

/** What to do when the order's state forbids it (API document, "States and transitions"). */
const ifNotAllowed = choice(
	'If Not Allowed in This State',
	'ifNotAllowed',
	{
		returnCurrent: [
			'Return Current Order',
			"Get the order as it is and continue, with one more request; it carries 'transitionSkipped'",
		],
		stop: ['Stop', 'Fail with an error'],
	},
	'The result if the order’s state does not allow the change, or nothing is left to fulfill',
	{ default: 'stop' },
);

/** What all operations that change an order have in common. */
export const CHANGE = {
	locator: ORDERS.locator,
	options: [ifNotAllowed],
	run: async (call: Call) => await changeOrder(call),
};

/** Whether the user wants the present order instead of an error. */
const returnsCurrent = ({ item }: Call): boolean => item.options.ifNotAllowed === 'returnCurrent';

/**
 * The order as it is, marked as left so, if the user wants that instead of an error or it has the wanted status already.
 *
 * @returns undefined if it is to be an error
 */
export const currentInstead = (
	call: Call,
	order: IDataObject,
	wanted?: OrderStatus,
): IDataObject | undefined =>
	returnsCurrent(call) || (wanted !== undefined && order.status === wanted)
		? { ...order, transitionSkipped: true }
		: undefined;

/**
 * Sends a change of an order. If the order's state does not allow it, returns the order as it is, provided that it is in
 * the wanted state already, or that the user chose so (API document, "Errors", rule 2). After a lost answer it throws
 * instead, since this very change may have led to the state.
 *
 * @param step as in `Call.send`
 * @param wanted the status that the change leads to
 * @throws InputError, PlatformError
 */
export async function changeOrder(
	call: Call,
	request = call.request,
	step?: string,
	wanted?: OrderStatus,
): Promise<IDataObject> {
	return await call.record(request, step).catch(async (error: unknown) => {
		if (!isNotAllowed(error, request)) throw error;
		if (returnsCurrent(call) || wanted !== undefined) {
			const { record: order } = await readOrder(call, request);
			const current = currentInstead(call, order, wanted);
			if (current !== undefined) return current;
		}
		throw new PlatformError(error.problem, error.request, { ...error.details, hint: GO_ON });
	});
}

/** How to go on after a change that is not allowed. */
export const GO_ON =
	"To get the order as it is instead of an error, use 'If Not Allowed in This State'.";

/**
 * Whether the platform refuses a change because of the order's state. A 409 without a code may also be about the user's
 * own key, which stands for a change that was made before.
 */
function isNotAllowed(error: unknown, { idempotencyKey }: PlatformRequest): error is PlatformError {
	if (!(error instanceof PlatformError) || error.details.mayBeApplied === true) return false;
	if (documentedCode(error.details.code) === NOT_ALLOWED) return true;
	return idempotencyKey === undefined && isKindOf409(NOT_ALLOWED, error.details);
}

/**
 * Reads the order that a request is about.
 *
 * @returns the answer with the order as its record
 * @throws InputError if the answer holds another order
 */
export async function readOrder(call: Call, { pathParams }: PlatformRequest) {
	const request = { method: 'GET', path: '/orders/{orderId}', pathParams } as const;
	const send: Call['send'] = async (toSend) => await call.send(toSend, 'read');
	return await readRecord(send, 'Order', request);
}
