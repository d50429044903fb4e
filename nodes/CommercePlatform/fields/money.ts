import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { readMoney } from '../../shared/values/money';
import { describe, flag } from '../../shared/values/readers';
import { IN_FIRST_VERSION, isOfFirstVersion, SINCE_1_1 } from '../versions';
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
	displayOptions: { show: SINCE_1_1 },
	description:
		'How the amounts in the fields below are meant. JSON is the API’s own: its amounts are always in minor units.',
};

/** The same choice in nodes of version 1, where it is an option, and amounts are in minor units without it. */
export const amountsInMajorUnits: INodeProperties = {
	displayName: 'Amounts in Major Units',
	name: 'amountsInMajorUnits',
	type: 'boolean',
	default: true,
	displayOptions: { show: IN_FIRST_VERSION },
	description:
		'Whether amounts are entered like 19.99 rather than in minor units like 1999. They are converted exactly, by the decimals of each currency; an amount finer than that is refused.',
};

/**
 * The field of an amount: one for each unit, so that label and example say which.
 *
 * @param what the amount is, e.g. `Price of the variant`
 * @param show further conditions
 */
export function amountFields(
	what: string,
	show: Record<string, string[]> = {},
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
			{
				show: { ...SINCE_1_1, ...show },
				hide: { '/amountsAreIn': [MINOR] },
			},
		),
		field(MINOR_LABEL, 'e.g. 1999', ' as a whole number of minor units, e.g. 1999 for 19.99 EUR', {
			show: { '/amountsAreIn': [MINOR], ...show },
		}),
		field(
			MAJOR_LABEL,
			'e.g. 1999',
			' as a whole number of minor units (cents), or as a decimal with the option “Amounts in Major Units”',
			{ show: { ...IN_FIRST_VERSION, ...show } },
		),
	];
}

/** What the field of an amount is called, for messages. */
export function amountLabel(item: Item): string {
	const isMinor = !isOfFirstVersion(item.node) && amountUnit(item).entered === MINOR;
	return isMinor ? MINOR_LABEL : MAJOR_LABEL;
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
	return readMoney(names, entered, amountUnit(item).entered);
}

/** How an item's amounts are meant. */
export interface AmountUnit {
	/** Of what the user entered in fields. */
	entered: typeof MAJOR | typeof MINOR;
	/** Of JSON and of lists that expressions give: the API's own unit, but in nodes of version 1. */
	given: typeof MAJOR | typeof MINOR;
}

/**
 * How this item's amounts are meant.
 *
 * @throws InputError
 */
export function amountUnit(item: Item): AmountUnit {
	if (isOfFirstVersion(item.node)) {
		const options = item.parameter('options', {}) as IDataObject;
		const { name, displayName } = amountsInMajorUnits;
		const unit = flag(options, name, displayName) ? MAJOR : MINOR;
		return { entered: unit, given: unit };
	}
	const entered: unknown = item.parameter(amountsAreIn.name, MAJOR);
	if (entered === MAJOR || entered === MINOR) return { entered, given: MINOR };
	throw new InputError(amountsAreIn.displayName, `cannot be ${describe(entered)}`);
}
