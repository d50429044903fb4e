import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { DECIMAL_FORMS, type DecimalForm } from '../values/money';
import { InputError } from '../errors/errors';
import { describe } from '../values/readers';

/** Amounts as people write them, beside what the API gives. */
export const decimalAmounts: INodeProperties = {
	displayName: 'Add Decimal Amounts',
	name: 'decimalAmounts',
	type: 'options',
	options: [
		{
			name: 'As Exact Text',
			value: 'text',
			description: 'With all decimals of the currency, e.g. "19.90"',
		},
		{
			name: 'As Number',
			value: 'number',
			description:
				'For Summarize, If and Sort, e.g. 19.9; as text where a number cannot hold it exactly',
		},
		{ name: 'Off', value: 'off', description: 'Only what the platform gives' },
	],
	default: 'number',
	description:
		'Whether to put “decimal” beside every amount and currency, e.g. 19.99 beside 1999 EUR. Where Simplify is on, it is a number unless you choose otherwise.',
};

/**
 * Reads how decimals are wanted.
 *
 * @param options the node's Options
 * @param byDefault where they say nothing
 * @throws InputError
 */
export function decimalFormOf(options: IDataObject, byDefault: DecimalForm): DecimalForm {
	const { decimalAmounts: chosen } = options;
	if (chosen === undefined) return byDefault;
	const known = DECIMAL_FORMS.find((form) => form === chosen);
	if (known !== undefined) return known;
	throw new InputError(decimalAmounts.displayName, `cannot be ${describe(chosen)}`);
}
