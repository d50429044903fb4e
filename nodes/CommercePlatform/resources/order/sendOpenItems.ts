import type { IDataObject } from 'n8n-workflow';

import { recordOf } from '../../../shared/api/answer';
import type { PlatformRequest } from '../../../shared/api/request';
import { InputError } from '../../../shared/errors/errors';
import { describe } from '../../../shared/values/readers';
import type { OperationCall, PlannedItem } from '../../engine/operation';
import { openItemsOf } from '../../model/openItems';
import { orderNumberOf } from '../../model/orderNames';
import { returnsCurrent, skipped } from './ifNotAllowed';
import { orderByNumber } from './orderId';

/** The choice that reads the order first. */
export const OPEN_ITEMS = 'open';

/** Whether the line items are to be taken from the order. */
export const takesOpenItems = ({ item }: PlannedItem): boolean =>
	item.parameter('specifyItems', '') === OPEN_ITEMS;

/** An order of which everything was sent. */
class NothingLeftToSend extends InputError {
	constructor(
		called: string,
		readonly order: IDataObject,
	) {
		super(
			'Order',
			`${called} has nothing left to send`,
			'Nothing was sent. To go on all the same, use “If Not Allowed in This State”.',
		);
	}
}

/** An order with nothing left to send is given as it is, like one whose state forbids it, where the user wants that. */
export function orderWithNothingLeft(
	planned: PlannedItem,
	error: InputError,
): IDataObject | undefined {
	if (!(error instanceof NothingLeftToSend) || !returnsCurrent(planned)) return undefined;
	return skipped(error.order);
}

/**
 * Puts the line items that are not sent yet into a fulfillment.
 *
 * @throws InputError when nothing is left to send, or the order does not tell
 */
export async function withOpenItems(call: OperationCall): Promise<PlatformRequest> {
	const request = await orderByNumber(call);
	if (!takesOpenItems(call)) return request;
	const { pathParams } = request;
	const answer = await call.send({ method: 'GET', path: '/orders/{orderId}', pathParams }, 'read');
	const order = recordOf(answer.body) ?? {};
	const orderId = String(pathParams?.orderId).trim();
	const called = `“${orderNumberOf(order) ?? orderId}”`;
	if (order.id !== orderId)
		throw new InputError(
			'Order',
			`“${orderId}” was answered with another order`,
			`Nothing was sent. The answer holds ${describe(order.id)} as its ID.`,
		);
	const open = openItemsOf(order);
	if ('problem' in open)
		throw new InputError(
			'Order',
			`${called} ${open.problem}`,
			'Nothing was sent. Set “Items to Send” to Choose, and enter what you know to be open.',
		);
	if (open.items.length === 0) throw new NothingLeftToSend(called, order);
	return { ...request, body: { ...request.body, items: open.items } };
}
