import type { INodeProperties } from 'n8n-workflow';

/** Amounts as people write them, beside what the API gives. */
export const addDecimalAmounts: INodeProperties = {
	displayName: 'Add Decimal Amounts',
	name: 'addDecimalAmounts',
	type: 'boolean',
	default: true,
	description:
		'Whether to put “decimal” beside every amount and currency, e.g. "19.99" beside 1999 EUR',
};
