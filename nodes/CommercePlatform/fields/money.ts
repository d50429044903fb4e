import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { readMoney } from '../../shared/values/money';
import { describe } from '../../shared/values/readers';
import type { Item } from './field';

const MAJOR = 'major';
const MINOR = 'minor';

const MAJOR_LABEL = 'Amount';
const MINOR_LABEL = 'Amount (Minor Units)';

/** How the amounts that the user enters are meant. Stands above the first of them. */
export const amountsAreIn: INodeProperties = {
	displayName: 'Amounts Are In',
	name: 'amountsAreIn',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Major Units (19.99)',
			value: MAJOR,
			description: 'As people write them, converted exactly by the decimals of the currency',
		},
		{
			name: 'Minor Units (1999)',
			value: MINOR,
			description: 'Whole numbers of cents, as the API has them',
		},
	],
	default: MAJOR,
	description:
		'How the amounts in the fields below are meant. JSON is the API’s own: its amounts are always in minor units.',
};

/**
 * The field of an amount: one for each unit, so that label and example say which.
 *
 * @param what the amount is, e.g. `Price of the variant`
 * @param show further conditions
 */
export function amountFields(
	what: string,
	show?: Record<string, string[]>,
	required = false,
): INodeProperties[] {
	const field = (
		displayName: string,
		placeholder: string,
		text: string,
		displayOptions: INodeProperties['displayOptions'],
	): INodeProperties => {
		const shown = { displayName, placeholder, displayOptions, description: `${what}${text}` };
		return { ...shown, name: 'amount', type: 'string', default: '', required };
	};
	return [
		field(
			MAJOR_LABEL,
			'e.g. 19.99',
			' in major units, with a point before the decimals, e.g. 19.99',
			{ show, hide: { '/amountsAreIn': [MINOR] } },
		),
		field(MINOR_LABEL, 'e.g. 1999', ' as a whole number of minor units, e.g. 1999 for 19.99 EUR', {
			show: { '/amountsAreIn': [MINOR], ...show },
		}),
	];
}

/** What the field of an amount is called, for messages. */
export function amountLabel(item: Item): string {
	return amountUnit(item) === MINOR ? MINOR_LABEL : MAJOR_LABEL;
}

/**
 * Reads the amount and the currency that an item has in fields of their own.
 *
 * @returns as the API has them, in minor units
 * @throws InputError
 */
export function enteredMoney(item: Item): { amount: number; currency: string } {
	const entered = {
		amount: item.parameter('amount', '') as unknown,
		currency: item.parameter('currency', '') as unknown,
	};
	const names = { amount: amountLabel(item), currency: 'Currency' };
	return readMoney(names, entered, amountUnit(item));
}

/** How an item's amounts are meant. JSON, and lists that expressions give, are always in minor units. */
export type AmountUnit = typeof MAJOR | typeof MINOR;

/**
 * How the amounts are meant that the user entered in this item's fields.
 *
 * @throws InputError
 */
export function amountUnit(item: Item): AmountUnit {
	const unit: unknown = item.parameter(amountsAreIn.name, MAJOR);
	if (unit === MAJOR || unit === MINOR) return unit;
	throw new InputError(amountsAreIn.displayName, `cannot be ${describe(unit)}`);
}
