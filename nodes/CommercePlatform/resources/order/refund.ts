import type { IDataObject } from 'n8n-workflow';

import { checkHeaderValue } from '../../../shared/api/http';
import { InputError } from '../../../shared/errors/errors';
import { optionalText, saysNothing, text } from '../../../shared/values/readers';
import { choice, shownWhen, textField } from '../../fields/build';
import type { Field, Item } from '../../fields/field';
import { enteredFields, freeBody } from '../../fields/freeBody';
import { amountFields, amountLabel, amountsAreIn, enteredMoney } from '../../fields/money';
import type { Call } from '../../run/operation';
import { each } from '../operation';
import { CHANGE, changeOrder } from './order';
import { checkDecimals, checkExtent } from './ownExtent';

const EXTENT = 'How Much to Refund';
const ONCE = 'Refund Only Once (Key)';
const KEY_HEADER = 'Idempotency-Key';

/** An answer whose refund was made so long before it was asked for is that of an earlier one. */
const CLOCKS_DIFFER_BY_MS = 60_000;

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
	'Nothing is preselected, because this sends money',
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
	textField(
		ONCE,
		'refundOnceKey',
		'The same key is refunded once, however often this runs, as far as the platform keeps keys; e.g. the number of the return',
		{ example: 'RMA-4711', send: { in: 'headers', as: KEY_HEADER, read: readOnceKey } },
	),
	// They are read by the extent.
	...freeBody('the refund').map((field) => ({
		...shownFor(['fields'], field.type === 'options' ? field : inMinorUnits(field)),
		send: undefined,
	})),
];

/** An expression that finds no key must not refund without one. */
function readOnceKey(label: string, value: unknown, item: Item): string | undefined {
	const key = optionalText(label, value);
	if (key === undefined) {
		if (!item.isExpression('refundOnceKey')) return undefined;
		throw new InputError(label, 'is empty', 'Nothing was refunded. Its expression gives nothing.');
	}
	if (!saysNothing((item.parameter('options', {}) as IDataObject).idempotencyKey))
		throw new InputError(
			label,
			'stands beside “Idempotency Key”',
			'Nothing was refunded. Keep one.',
		);
	return checkHeaderValue(label, key);
}

/** Sends the refund under the user's key, and says where a refund of before answers for it. */
async function sendRefund(call: Call): Promise<IDataObject> {
	const { [KEY_HEADER]: idempotencyKey, ...headers } = call.request.headers ?? {};
	if (idempotencyKey === undefined) return await changeOrder(call);
	const beganMs = call.client.clock.now();
	const record = await changeOrder(call, { ...call.request, headers, idempotencyKey });
	const madeMs = Date.parse(String(record.created_at));
	const isEarlier = record.transitionSkipped !== true && madeMs < beganMs - CLOCKS_DIFFER_BY_MS;
	return isEarlier ? { ...record, refundedEarlier: true } : record;
}

export const refund = each({
	...CHANGE,
	request: 'POST /orders/{orderId}/refunds',
	name: 'Refund',
	value: 'refund',
	action: 'Refund an order',
	description:
		'Create a refund through the linked payment provider. How much has to be chosen. Card data must never be entered.',
	permission:
		'Refunds need a key with payment permissions, and a payment provider that is linked to the shop. Their scope names are in the back office (Developers, Advanced mode).',
	run: sendRefund,
	fields: refundFields,
});

function inMinorUnits(field: Field): Field {
	return {
		...field,
		description: `${field.description}. Amounts are in minor units: 1999 for 19.99 EUR.`,
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
