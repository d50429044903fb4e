import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/input/inputError';
import { isObject } from '../../../shared/isObject';
import { majorToMinor, readCurrency, readMinorUnits } from '../../../shared/money';
import type { PreSend } from '../../engine/operation';
import { enteredFields, freeBody } from '../../fields/freeBody';
import { inMajorUnits } from '../../fields/money';

const EXTENT = 'Extent';

const AMOUNT = 'amount';
const FIELDS = 'fields';
const PLATFORM = 'platform';

/**
 * What is refunded. It has to be said: the API document does not show the body of a refund, and without an amount
 * a platform may refund everything.
 */
export const refundFields: INodeProperties[] = [
	{
		displayName: EXTENT,
		name: 'extent',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: '– Choose –',
				value: '',
				description: 'Nothing is refunded before you choose',
			},
			{ name: 'An Amount', value: AMOUNT, description: 'An amount with its currency' },
			{
				name: 'As the Fields Below Say',
				value: FIELDS,
				description: 'The fields that your platform takes, e.g. line items',
			},
			{
				name: 'Leave It to the Platform',
				value: PLATFORM,
				description: 'May refund everything that was paid',
			},
		],
		default: '',
		description: 'How much is refunded',
	},
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1999',
		displayOptions: { show: { extent: [AMOUNT] } },
		description:
			'Whole number of minor units (cents), or a decimal with the option “Amounts in Major Units”. Sent as “amount”, the API’s name of every amount.',
	},
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR',
		displayOptions: { show: { extent: [AMOUNT] } },
		description: 'Three-letter currency code of ISO 4217, e.g. EUR',
	},
	...withExtent(freeBody('the refund', false)),
];

/** The extent is looked at after the fields, which may say it. */
function withExtent(fields: INodeProperties[]): INodeProperties[] {
	const [first, ...others] = fields;
	const preSend = [...((first.routing?.send?.preSend ?? []) as PreSend[]), sendExtent()];
	return [{ ...first, routing: { send: { preSend } } }, ...others];
}

function sendExtent(): PreSend {
	return async function (options) {
		const body = (options.body ?? {}) as IDataObject;
		checkAmounts(enteredFields(this).field, body);
		const extent = this.getNodeParameter('extent', '');
		if (extent === AMOUNT) return { ...options, body: { ...body, ...amountOf(this, body) } };
		if (extent === PLATFORM) return options;
		// Workflows that were saved before there was an extent say it by their fields.
		if (Object.keys(body).length > 0) return options;
		throw new InputError(
			extent === FIELDS ? enteredFields(this).field : EXTENT,
			'is empty',
			'Nothing was refunded. Say how much: without an amount the platform may refund everything.',
		);
	};
}

function amountOf(item: IExecuteSingleFunctions, body: IDataObject): IDataObject {
	const twice = ['amount', 'currency'].find((name) => name in body);
	if (twice !== undefined) throw new InputError('Fields', `set “${twice}” a second time`);
	const currency = readCurrency('Currency', item.getNodeParameter('currency', ''));
	const entered: unknown = item.getNodeParameter('amount', '');
	const amount = inMajorUnits(item)
		? majorToMinor('Amount', entered, currency)
		: readMinorUnits('Amount', entered);
	if (amount > 0) return { amount, currency };
	throw new InputError('Amount', 'must be more than 0', 'Nothing was refunded.');
}

/** An expression that finds no amount gives null, or leaves it out. A platform may then refund everything. */
function checkAmounts(field: string, value: unknown): void {
	if (Array.isArray(value)) for (const entry of value) checkAmounts(field, entry);
	if (!isObject(value)) return;
	const isLost = value.amount === null || ('currency' in value && value.amount === undefined);
	if (isLost) throw new InputError(`${field}: amount`, 'is missing', 'Nothing was refunded.');
	for (const entry of Object.values(value)) checkAmounts(field, entry);
}
