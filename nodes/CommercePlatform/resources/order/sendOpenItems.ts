import { recordOf } from '../../../shared/api/answer';
import type { PlatformRequest } from '../../../shared/api/request';
import { InputError } from '../../../shared/input/inputError';
import { openItemsOf } from '../../../shared/model/openItems';
import { orderNumberOf } from '../../../shared/model/orderNames';
import type { OperationCall, PlannedItem } from '../../engine/operation';
import { orderByNumber } from './orderId';

/** The choice that reads the order first. */
export const OPEN_ITEMS = 'open';

/** Whether the line items are to be taken from the order. */
export const takesOpenItems = ({ item }: PlannedItem): boolean =>
	item.parameter('specifyItems', '') === OPEN_ITEMS;

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
	const open = openItemsOf(order);
	const called = `“${orderNumberOf(order) ?? String(pathParams?.orderId)}”`;
	if ('problem' in open)
		throw new InputError(
			'Order',
			`${called} ${open.problem}`,
			'Nothing was sent. Choose the items.',
		);
	if (open.items.length === 0)
		throw new InputError('Order', `${called} has nothing left to send`, 'Nothing was sent.');
	return { ...request, body: { ...request.body, items: open.items } };
}
