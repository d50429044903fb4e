import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { decimalAmounts } from '../../../shared/fields/decimalAmounts';
import { saysNothing, text } from '../../../shared/values/readers';
import type { EachOperation } from '../../engine/operation';
import { choice, shownWhen, textField } from '../../fields/build';
import type { Field, Item } from '../../fields/field';
import { enteredFields, freeBody } from '../../fields/freeBody';
import { amountFields, amountLabel, amountsAreIn, enteredMoney } from '../../fields/money';
import { recordOptions } from '../../fields/options';
import { changeOrder, ifNotAllowed, orderByNumber, orderId } from './order';
import { checkDecimals, checkExtent } from './ownExtent';

const EXTENT = 'Extent';

const extent = choice(
	EXTENT,
	'extent',
	{
		'': ['– Choose –', 'Nothing is refunded before you choose'],
		amount: ['Amount', 'An amount with its currency'],
		platform: [
			'Everything',
			'Send no amount: the platform refunds all that is left of what was paid',
		],
		fields: [
			'Fields of Your Own',
			'The fields that your platform takes: line items, or amounts in minor units',
		],
	},
	'How much is refunded. Nothing is preselected, because this sends money.',
	{
		noDataExpression: true,
		send: { in: 'body', read: (_label, _value, item) => bodyOf(item) },
	},
);

const shownFor = (extents: string[], field: Field): Field => shownWhen('extent', extents, field);

/**
 * What is refunded. It has to be said: the API document does not show the body of a refund, and without an amount
 * a platform may refund everything.
 */
const refundFields: Field[] = [
	extent,
	shownFor(['amount'], amountsAreIn),
	...amountFields('What is paid back,', { extent: ['amount'] }),
	shownFor(
		['amount'],
		textField(
			'Currency',
			'currency',
			'The order’s currency as a three-letter code of ISO 4217, e.g. EUR',
			{ example: 'EUR' },
		),
	),
	shownFor(
		['amount', 'platform'],
		textField(
			'Reason',
			'reason',
			'Sent as “reason”, if you enter one. The API document does not show whether the platform keeps it.',
			{ example: 'Damaged in transit' },
		),
	),
	// They are read by the extent.
	...freeBody('the refund', true).map((field) => ({
		...shownFor(['fields'], field.type === 'options' ? field : inMinorUnits(field)),
		send: undefined,
	})),
];

export const refund: EachOperation = {
	kind: 'each',
	scope: undefined,
	reads: { scope: 'orders.read', when: ['Number', 'Return Current Order'] },
	remark: 'needs payment permissions and a linked payment provider; card data is never sent',
	option: {
		name: 'Refund',
		value: 'refund',
		action: 'Refund an order',
		description:
			'Create a refund through the linked payment provider. Its extent has to be said. Card data must never be entered.',
		routing: { request: { method: 'POST', url: '/orders/{orderId}/refunds' } },
	},
	permission:
		'Refunds need a key with payment permissions, and a payment provider that is linked to the shop. Their scope names are in the back office (Developers, Advanced mode).',
	run: async (call) => await changeOrder(call, await orderByNumber(call)),
	fields: [orderId, ...refundFields, recordOptions('POST', [decimalAmounts, ifNotAllowed])],
};

function inMinorUnits(field: Field): Field {
	return {
		...field,
		description: `${field.description}. Amounts are sent as you enter them, in minor units: 1999 for 19.99 EUR.`,
	};
}

function bodyOf(item: Item): IDataObject {
	const chosen: unknown = item.parameter('extent', '');
	if (chosen === 'amount') return { ...amountOf(item), ...reasonOf(item) };
	if (chosen === 'platform') return reasonOf(item);
	if (chosen !== 'fields') throw nothingSaid(EXTENT);
	const { field, body } = enteredFields(item);
	if (Object.keys(body).length === 0) throw nothingSaid(field);
	checkDecimals(field, item);
	checkExtent(field, body);
	return body;
}

const nothingSaid = (field: string) =>
	new InputError(
		field,
		'is empty',
		'Nothing was refunded. Say how much: without an amount the platform may refund everything.',
	);

function amountOf(item: Item): IDataObject {
	const money = enteredMoney(item);
	if (money.amount > 0) return money;
	throw new InputError(amountLabel(item), 'must be more than 0', 'Nothing was refunded.');
}

function reasonOf(item: Item): IDataObject {
	const reason: unknown = item.parameter('reason', '');
	return saysNothing(reason) ? {} : { reason: text('Reason', reason) };
}
