import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

/** How the amounts that the user enters are meant. */
export const amountsInMajorUnits: INodeProperties = {
	displayName: 'Amounts in Major Units',
	name: 'amountsInMajorUnits',
	type: 'boolean',
	default: true,
	description:
		'Whether amounts are entered like 19.99 rather than in minor units like 1999. They are converted exactly, by the decimals of each currency; an amount finer than that is refused.',
};

/** Amounts as people write them, beside what the API gives. */
export const addDecimalAmounts: INodeProperties = {
	displayName: 'Add Decimal Amounts',
	name: 'addDecimalAmounts',
	type: 'boolean',
	default: true,
	description:
		'Whether to put “decimal” beside every amount and currency, e.g. "19.99" beside 1999 EUR',
};

/** Whether this item's amounts are in major units. */
export function inMajorUnits(item: IExecuteSingleFunctions): boolean {
	const options = item.getNodeParameter('options', {}) as { amountsInMajorUnits?: unknown };
	return options.amountsInMajorUnits === true;
}
