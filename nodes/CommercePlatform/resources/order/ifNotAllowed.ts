import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { PlatformError } from '../../../shared/errors/errors';
import { recordOf } from '../../../shared/api/answer';
import { documentedCode, type DocumentedCode, isKindOf409 } from '../../../shared/errors/errorBody';
import type { OperationCall, PlannedItem } from '../../engine/operation';

const RETURN_CURRENT = 'returnCurrent';
const NOT_ALLOWED: DocumentedCode = 'INVALID_STATE_TRANSITION';

/** What to do when the order's state forbids it (API document, "States and transitions"). */
export const ifNotAllowed: INodeProperties = {
	displayName: 'If Not Allowed in This State',
	name: 'ifNotAllowed',
	type: 'options',
	options: [
		{
			name: 'Return Current Order',
			value: RETURN_CURRENT,
			description:
				'Get the order as it is and continue, with one more request; it carries “transitionSkipped”',
		},
		{ name: 'Stop', value: 'stop', description: 'Fail with an error' },
	],
	default: 'stop',
	description:
		'What to do when the order’s state does not allow the change; for Fulfill also when nothing is left to send',
};

/** An order that was left as it is. */
export const skipped = (order: IDataObject): IDataObject => ({ ...order, transitionSkipped: true });

const isNotAllowed = ({ details }: PlatformError): boolean =>
	documentedCode(details.code) === NOT_ALLOWED || isKindOf409(NOT_ALLOWED, details);

/** Whether the user wants the order as it is in place of an error. */
export function returnsCurrent({ item }: PlannedItem): boolean {
	const options = item.parameter('options', {}) as IDataObject;
	return options.ifNotAllowed === RETURN_CURRENT;
}

/** On 409 for orders: fetch the current order and continue (API document, "Errors", rule 2). */
export async function currentOrder(
	call: OperationCall,
	error: PlatformError,
): Promise<IDataObject | undefined> {
	if (!returnsCurrent(call) || !isNotAllowed(error)) return undefined;
	const { pathParams } = call.request;
	const answer = await call.send({ method: 'GET', path: '/orders/{orderId}', pathParams }, 'read');
	const order = recordOf(answer.body);
	return order && skipped(order);
}
