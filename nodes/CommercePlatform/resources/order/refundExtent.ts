import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/input/inputError';
import { saysNothing, text } from '../../../shared/input/readers';
import { isObject } from '../../../shared/isObject';
import type { PreSend } from '../../engine/operation';
import { enteredFields, freeBody } from '../../fields/freeBody';
import { withNewDefault } from '../../versions';
import { amountFields, amountLabel, amountsAreIn, enteredMoney } from '../../fields/money';

const EXTENT = 'Extent';

const AMOUNT = 'amount';
const FIELDS = 'fields';
const EVERYTHING = 'platform';

const extent: INodeProperties = {
	displayName: EXTENT,
	name: 'extent',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: '– Choose –', value: '', description: 'Nothing is refunded before you choose' },
		{ name: 'Amount', value: AMOUNT, description: 'An amount with its currency' },
		{
			name: 'Everything',
			value: EVERYTHING,
			description: 'Send no amount: the platform refunds all that is left of what was paid',
		},
		{
			name: 'Fields of Your Own',
			value: FIELDS,
			description: 'The fields that your platform takes, e.g. line items',
		},
	],
	// Workflows that were saved before there was an extent say it by their fields.
	default: FIELDS,
	description: 'How much is refunded. Nothing is preselected, because this sends money.',
	routing: { send: { preSend: [sendExtent] } },
};

/**
 * What is refunded. It has to be said: the API document does not show the body of a refund, and without an amount
 * a platform may refund everything.
 */
export const refundFields: INodeProperties[] = [
	...withNewDefault(extent, ''),
	shownFor([AMOUNT], amountsAreIn),
	...amountFields('What is paid back,', { extent: [AMOUNT] }),
	shownFor([AMOUNT], {
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR',
		description: 'The order’s currency as a three-letter code of ISO 4217, e.g. EUR',
	}),
	shownFor([AMOUNT, EVERYTHING], {
		displayName: 'Reason',
		name: 'reason',
		type: 'string',
		default: '',
		placeholder: 'e.g. Damaged in transit',
		description:
			'Sent as “reason”, if you enter one. The API document does not show whether the platform keeps it.',
	}),
	// They are read by the extent.
	...freeBody('the refund', true).map((field) => ({ ...shownFor([FIELDS], field), routing: {} })),
];

function shownFor(extents: string[], field: INodeProperties): INodeProperties {
	const { displayOptions } = field;
	return {
		...field,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, extent: extents } },
	};
}

async function sendExtent(
	this: IExecuteSingleFunctions,
	options: Parameters<PreSend>[0],
): ReturnType<PreSend> {
	const body = bodyOf(this);
	return { ...options, body: { ...(options.body as IDataObject), ...body } };
}

function bodyOf(item: IExecuteSingleFunctions): IDataObject {
	const chosen: unknown = item.getNodeParameter('extent', '');
	if (chosen === AMOUNT) return { ...amountOf(item), ...reasonOf(item) };
	if (chosen === EVERYTHING) return reasonOf(item);
	if (chosen !== FIELDS) throw nothingSaid(EXTENT);
	const { field, body } = enteredFields(item);
	checkAmounts(field, body);
	if (Object.keys(body).length === 0) throw nothingSaid(field);
	return body;
}

const nothingSaid = (field: string) =>
	new InputError(
		field,
		'is empty',
		'Nothing was refunded. Say how much: without an amount the platform may refund everything.',
	);

function amountOf(item: IExecuteSingleFunctions): IDataObject {
	const money = enteredMoney(item);
	if (money.amount > 0) return money;
	throw new InputError(amountLabel(item), 'must be more than 0', 'Nothing was refunded.');
}

function reasonOf(item: IExecuteSingleFunctions): IDataObject {
	const reason: unknown = item.getNodeParameter('reason', '');
	return saysNothing(reason) ? {} : { reason: text('Reason', reason) };
}

/** An expression that finds no amount gives nothing, or leaves it out. A platform may then refund everything. */
function checkAmounts(field: string, value: unknown): void {
	if (Array.isArray(value)) for (const entry of value) checkAmounts(field, entry);
	if (!isObject(value)) return;
	if ('currency' in value && !('amount' in value)) throw missing(`${field}: amount`);
	for (const [name, entry] of Object.entries(value)) {
		if (/amount/i.test(name) && saysNoAmount(entry)) throw missing(`${field}: ${name}`);
		checkAmounts(field, entry);
	}
}

/** A template writes “undefined” or nothing at all where it finds no number. */
const saysNoAmount = (value: unknown): boolean =>
	saysNothing(value) || (typeof value === 'string' && !/\d/.test(value));

const missing = (field: string) => new InputError(field, 'is missing', 'Nothing was refunded.');
