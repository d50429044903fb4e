import type { IDataObject } from 'n8n-workflow';

import { isTool } from '../../../shared/n8n';
import { checkHeaderValue, type PlatformRequest } from '../../../shared/rest/request';
import { InputError } from '../../../shared/rest/errors';
import {
	checkGuardIsSaid,
	choice,
	type Item,
	jsonField,
	shownWhen,
	textField,
} from '../../../shared/values/fields';
import { isObject } from '../../../shared/values/json';
import { enteredObject } from '../../fields/jsonText';
import { minorToMajor, readCurrencyCode } from '../../../shared/values/money';
import { describe, optionalText, saysNothing, text } from '../../../shared/values/readers';
import { amountFields, amountForm, amountOptions, enteredMoney } from '../../fields/amounts';
import type { Call } from '../../runner/operation';
import { each } from '../makeOperation';
import { CHANGE, changeOrder, readOrder } from './order';

/** The label of the field for an amount. */
const AMOUNT = 'Amount';

const EXTENT = 'How Much to Refund';
const NOTHING_REFUNDED = 'Nothing was refunded.';

const refundJson = jsonField(
	'JSON',
	'json',
	'The fields of the refund as JSON, under the platform’s names. Amounts are in minor units: 1999 for 19.99 EUR.',
);

/**
 * How much is refunded. The user has to say it: the API document does not show the body of a refund, and without an
 * amount the platform may refund everything.
 */
const refundFields = [
	choice(
		EXTENT,
		'extent',
		{
			'': ['– Choose –', 'Nothing is refunded before you choose'],
			amount: ['Amount', 'An amount with its currency'],
			platform: ['Everything', 'Send no amount: the platform refunds all that is left'],
			fields: ['JSON', 'What your platform takes: line items, or amounts in minor units'],
		},
		'Nothing is preselected, because this sends money',
		{
			noDataExpression: true,
			send: { in: 'body', read: (_label, extent, item) => bodyOf(extent, item) },
		},
	),
	...shownWhen(
		'extent',
		['amount'],
		...amountFields(AMOUNT, 'What is paid back,'),
		textField(
			'Currency',
			'currency',
			'Left empty, it is the order’s currency, which is read first: one more request',
			{ example: 'EUR' },
		),
	),
	...shownWhen(
		'extent',
		['amount', 'platform'],
		textField(
			'Reason',
			'reason',
			"Sent as 'reason', if you enter one. Whether the platform keeps it is not documented.",
			{ example: 'Damaged in transit' },
		),
	),
	...shownWhen('extent', ['fields'], refundJson),
	textField(
		'Refund Only Once (Key)',
		'refundOnceKey',
		'One key is refunded once, however often it runs, as far as the platform keeps keys; e.g. the return’s number',
		{
			example: 'RMA-4711',
			displayOptions: { hide: { extent: [''] } },
			send: { in: 'headers', as: 'Idempotency-Key', read: readOnceKey },
		},
	),
];

function bodyOf(extent: unknown, item: Item): IDataObject {
	if (extent === 'amount') return { ...moneyOf(item), ...reasonOf(item) };
	if (extent === 'platform') return reasonOf(item);
	const field = extent === 'fields' ? refundJson.displayName : EXTENT;
	const entered: unknown = extent === 'fields' ? item.parameter(refundJson.name, '') : '';
	const body = saysNothing(entered) ? {} : enteredObject(field, item, refundJson.name, entered);
	if (Object.keys(body).length === 0)
		throw new InputError(
			field,
			'is empty',
			`${NOTHING_REFUNDED} Enter how much: without an amount the platform may refund everything.`,
		);
	checkExtent(field, body);
	return body;
}

/**
 * The amount with its currency; empty if the user entered no currency, because the order's currency is then read first.
 */
function moneyOf(item: Item): IDataObject {
	if (!saysNothing(item.parameter('currency', '')))
		return enteredMoney(AMOUNT, item, 1, NOTHING_REFUNDED);
	// A blank cell is no choice of the order's currency. A model leaves the field out by leaving it empty.
	if (item.isExpression('currency') && !isTool(item.node))
		throw new InputError(
			'Currency',
			'is empty',
			`${NOTHING_REFUNDED} Its expression returns nothing. Correct it, or leave the field empty for the order’s currency.`,
		);
	// What is no amount in any currency is refused before anything is sent. None has more decimals than CLF.
	const { unit, rounds } = amountForm(item);
	const anyForm = { unit, rounds: rounds === true || unit === 'major' };
	enteredMoney(AMOUNT, item, 1, NOTHING_REFUNDED, 'CLF', anyForm);
	return {};
}

function reasonOf(item: Item): IDataObject {
	const reason: unknown = item.parameter('reason', '');
	return saysNothing(reason) ? {} : { reason: text('Reason', reason) };
}

/** Refuses a key whose expression returns nothing: the refund would go out without a key. */
function readOnceKey(label: string, value: unknown, item: Item): string | undefined {
	const key = optionalText(label, value);
	if (key !== undefined) return checkHeaderValue(label, key);
	checkGuardIsSaid(label, item, 'refundOnceKey');
	return undefined;
}

/** The fields of a refund that may say how much is refunded. */
const SAYS_HOW_MUCH = /^(?:currency|items|line_items)$|amount$/i;

/**
 * Checks that a JSON body says how much is refunded: without that the platform may refund everything. An expression may
 * give no value, so none of them may be empty. Amounts are checked when the body is sent (`moneyToSend`).
 *
 * @param field display name of the JSON field
 * @throws InputError that names the field
 */
function checkExtent(field: string, body: IDataObject): void {
	for (const [name, value] of Object.entries(body))
		if (SAYS_HOW_MUCH.test(name)) checkValues(`${field}: ${name}`, value);
	const { amount, currency } = isObject(body.amount) ? body.amount : body;
	if ('amount' in body) {
		readCurrencyCode(`${field}: currency`, currency);
		if (!Number.isSafeInteger(amount) || Number(amount) <= 0)
			throw new InputError(
				`${field}: amount`,
				'must be a whole number of minor units, more than 0',
				`It is ${describe(amount)}. ${NOTHING_REFUNDED} 19.99 EUR are 1999 here, or 19.99 with the choice 'Amount'.`,
			);
	}
	const saysExtent = ['items', 'line_items'].some((name) => Array.isArray(body[name]));
	if (saysExtent || 'amount' in body) return;
	throw new InputError(
		field,
		'does not say how much to refund',
		`${NOTHING_REFUNDED} Enter 'amount' with 'currency', or 'items', or 'line_items'.`,
	);
}

/** Refuses empty values at any depth. */
function checkValues(path: string, value: unknown): void {
	// An expression inside a text writes “undefined” if it finds nothing.
	if (saysNothing(value) || value === 'undefined' || value === 'null')
		throw new InputError(path, 'is empty', NOTHING_REFUNDED);
	if (Array.isArray(value))
		for (const [index, entry] of value.entries()) checkValues(`${path}[${index}]`, entry);
	else if (isObject(value))
		for (const [name, entry] of Object.entries(value)) checkValues(`${path}: ${name}`, entry);
}

/** Sends the refund, and hints what was accepted and what the same refund does when it runs again. */
async function sendRefund(call: Call): Promise<IDataObject> {
	const request = await withOrderCurrency(call);
	const record = await changeOrder(call, request);
	if (record.transitionSkipped === true) return record;
	const { item } = call;
	// A request that is sent again has a key, also if the user entered none.
	const hasOwnKey =
		!saysNothing(item.parameter('refundOnceKey', '')) || item.options.idempotencyKey !== undefined;
	call.hint(
		hasOwnKey
			? 'Running again with the same key refunds nothing more, as long as the platform keeps keys.'
			: `${accepted(call, { ...refundIn(record, request), ...request.body })} Running again refunds again.`,
	);
	return record;
}

/** The refund in an answer, which may stand in an object, or in its order, whose own status says nothing of it. */
function refundIn(record: IDataObject, { pathParams }: PlatformRequest): IDataObject {
	if (isObject(record.refund)) return record.refund;
	return record.id === pathParams?.orderId?.trim() ? {} : record;
}

/**
 * A sentence about the money. For several items it names neither amount nor state. A provider may settle a refund later,
 * so the platform's own state is quoted, and none is made up.
 */
function accepted({ total }: Call, { amount, currency, status, state }: IDataObject): string {
	if (total > 1) return 'The platform accepted refunds.';
	const majorAmount = minorToMajor(amount, currency);
	const money = majorAmount === undefined ? '' : ` of ${majorAmount} ${String(currency)}`;
	const word = [status, state].find((said) => !saysNothing(said));
	return `The platform accepted a refund${money}${word === undefined ? '' : `, now “${String(word)}”`}.`;
}

/**
 * Adds the amount in the order's currency to a request, if the user entered no currency.
 *
 * @throws InputError if the order shows no currency
 */
async function withOrderCurrency(call: Call): Promise<PlatformRequest> {
	const { item, request, earlierRequest } = call;
	const isComplete =
		item.parameter('extent', '') !== 'amount' || request.body?.amount !== undefined;
	if (isComplete || earlierRequest !== undefined) return request;
	const { record: order } = await readOrder(call, request);
	const { currency } = isObject(order.total) ? order.total : {};
	if (typeof currency !== 'string')
		throw new InputError(
			'Currency',
			'is empty',
			`${NOTHING_REFUNDED} The platform shows no currency of this order: enter it.`,
		);
	const money = enteredMoney(AMOUNT, item, 1, NOTHING_REFUNDED, currency);
	return { ...request, body: { ...money, ...request.body } };
}

export const refund = each({
	...CHANGE,
	cannotBeUndone: true,
	request: 'POST /orders/{orderId}/refunds',
	name: 'Refund',
	value: 'refund',
	action: 'Refund order',
	description:
		'Create a refund through the linked payment provider. How much has to be chosen. Card data must never be entered.',
	permission:
		'Refunds need a key with payment permissions, and a payment provider that is linked to the shop. Their scope names are in the back office (Developers, Advanced mode).',
	run: sendRefund,
	fields: refundFields,
	options: [...CHANGE.options, ...amountOptions],
});
