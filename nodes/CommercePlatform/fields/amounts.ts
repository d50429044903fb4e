import { InputError } from '../../shared/rest/errors';
import { choice, type Field, type Item, textField } from '../../shared/values/fields';
import { readMoney } from '../../shared/values/money';

/** The unit of the amounts that an item's fields hold. JSON, and lists from expressions, always hold minor units. */
export type AmountUnit = 'major' | 'minor';

/** The option for the unit of the amounts that the user enters. */
export const amountsAreIn = choice(
	'Amounts Are In',
	'amountsAreIn',
	{
		major: [
			'Major Units (19.99)',
			'As people write them, converted exactly by the decimals of the currency',
		],
		minor: ['Minor Units (1999)', 'Whole numbers of cents, as the API has them'],
	},
	'The unit of the amounts that you enter; in JSON they are always in minor units',
	{ noDataExpression: true, default: 'minor' },
);

const LABELS = { major: 'Amount', minor: 'Amount (Minor Units)' };

const IS_MINOR = { '/options.amountsAreIn': ['minor'] };

/**
 * The field of an amount, in two forms: label and example fit the unit.
 *
 * @param what the amount is, e.g. `Price of the variant`
 */
export const amountFields = (what: string, rules: { required?: true } = {}): Field[] => [
	textField(
		LABELS.major,
		'amount',
		`${what} in major units, with a point before the decimals, e.g. 19.99`,
		{ example: '19.99', displayOptions: { hide: IS_MINOR }, ...rules },
	),
	textField(
		LABELS.minor,
		'amount',
		`${what} as a whole number of minor units, e.g. 1999 for 19.99 EUR`,
		{ example: '1999', displayOptions: { show: IS_MINOR }, ...rules },
	),
];

/**
 * Reads the fields Amount and Currency of an item.
 *
 * @param least in minor units: 0, or 1 if zero makes no sense
 * @param remedy what the error advises if the amount is too small
 * @param currency the one that was entered, unless it comes from elsewhere
 * @returns minor units, as the API has them
 * @throws InputError
 */
export function enteredMoney(
	item: Item,
	least: 0 | 1,
	remedy?: string,
	currency = item.parameter('currency', ''),
): { amount: number; currency: string } {
	const unit = amountUnit(item);
	const names = { amount: LABELS[unit], currency: 'Currency' };
	const money = readMoney(names, { amount: item.parameter('amount', ''), currency }, unit);
	if (money.amount >= least) return money;
	const problem = least === 0 ? 'must not be less than 0' : 'must be more than 0';
	throw new InputError(names.amount, problem, remedy);
}

/** The unit of the amounts in this item's fields. */
export const amountUnit = ({ options }: Item): AmountUnit => options.amountsAreIn ?? 'major';
