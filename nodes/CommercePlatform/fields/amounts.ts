import { InputError } from '../../shared/rest/errors';
import { choice, type Field, type Item, textField, toggle } from '../../shared/values/fields';
import { type AmountForm, readMoney } from '../../shared/values/money';

/** The options of operations that take amounts: their unit, and what becomes of further decimals. */
export const amountOptions: Field[] = [
	choice(
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
	),
	toggle(
		'Round to the Currency',
		'roundToCurrency',
		'Whether to round computed amounts to the decimals of their currency, e.g. a price plus 5 %. Without it, they are refused.',
	),
];

const IN_MINOR = ' (Minor Units)';

const IS_MINOR = { '/options.amountsAreIn': ['minor'] };

/**
 * The field of an amount, in two forms: label and example fit the unit.
 *
 * @param label e.g. `Price`
 * @param what the amount is, e.g. `Price of the variant`
 */
export const amountFields = (
	label: string,
	what: string,
	rules: { required?: true } = {},
): Field[] => [
	textField(
		label,
		'amount',
		`${what} in major units, with a point before the decimals, e.g. 19.99`,
		{ example: '19.99', displayOptions: { hide: IS_MINOR }, ...rules },
	),
	textField(
		label + IN_MINOR,
		'amount',
		`${what} as a whole number of minor units, e.g. 1999 for 19.99 EUR`,
		{ example: '1999', displayOptions: { show: IS_MINOR }, ...rules },
	),
];

/**
 * Reads the fields of an amount and its currency.
 *
 * @param label see `amountFields`
 * @param least in minor units: 0, or 1 if zero makes no sense
 * @param remedy what the error advises if the amount is too small
 * @param currency the one that was entered, unless it comes from elsewhere
 * @param form how the item says amounts, unless it counts otherwise here
 * @returns minor units, as the API has them
 * @throws InputError
 */
export function enteredMoney(
	label: string,
	item: Item,
	least: 0 | 1,
	remedy?: string,
	currency = item.parameter('currency', ''),
	form = amountForm(item),
): { amount: number; currency: string } {
	const names = { amount: form.unit === 'minor' ? label + IN_MINOR : label, currency: 'Currency' };
	const money = readMoney(names, { amount: item.parameter('amount', ''), currency }, form);
	if (money.amount >= least) return money;
	const problem = least === 0 ? 'must not be less than 0' : 'must be more than 0';
	throw new InputError(names.amount, problem, remedy);
}

/** How the amounts in this item's fields are entered. JSON, and lists from expressions, always hold minor units. */
export const amountForm = ({ options }: Item): AmountForm => ({
	unit: options.amountsAreIn ?? 'major',
	rounds: options.roundToCurrency,
});
