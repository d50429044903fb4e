import { InputError } from '../../shared/errors/errors';
import { readMoney } from '../../shared/values/money';
import { describe } from '../../shared/values/readers';
import { choice, textField } from './build';
import type { Field, Item } from './field';

const MAJOR = 'major';
const MINOR = 'minor';

const MAJOR_LABEL = 'Amount';
const MINOR_LABEL = 'Amount (Minor Units)';

/** How the amounts that the user enters are meant. Stands above the first of them. */
export const amountsAreIn = choice(
	'Amounts Are In',
	'amountsAreIn',
	{
		[MAJOR]: [
			'Major Units (19.99)',
			'As people write them, converted exactly by the decimals of the currency',
		],
		[MINOR]: ['Minor Units (1999)', 'Whole numbers of cents, as the API has them'],
	},
	'How the amounts in the fields below are meant. JSON is the API’s own: its amounts are always in minor units.',
	{ noDataExpression: true },
);

/**
 * The field of an amount: one for each unit, so that label and example say which.
 *
 * @param what the amount is, e.g. `Price of the variant`
 * @param show further conditions
 */
export const amountFields = (
	what: string,
	show?: Record<string, string[]>,
	more: { required?: true } = {},
): Field[] => [
	textField(
		MAJOR_LABEL,
		'amount',
		`${what} in major units, with a point before the decimals, e.g. 19.99`,
		{
			example: '19.99',
			displayOptions: { show, hide: { '/amountsAreIn': [MINOR] } },
			...more,
		},
	),
	textField(
		MINOR_LABEL,
		'amount',
		`${what} as a whole number of minor units, e.g. 1999 for 19.99 EUR`,
		{
			example: '1999',
			displayOptions: { show: { '/amountsAreIn': [MINOR], ...show } },
			...more,
		},
	),
];

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
