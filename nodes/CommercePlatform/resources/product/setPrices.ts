import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { searchedText, someText } from '../../../shared/values/readers';
import { setPrices as setAllPrices } from '../../bulk/prices';
import { bodyField, type Item } from '../../fields/field';
import { onlyIfChanged } from '../../fields/options';
import { decimalAmounts } from '../../../shared/fields';
import { amountFields, amountLabel, amountsAreIn, enteredMoney } from '../../fields/money';
import { skuField, textField } from '../../fields/build';
import { all } from '../operation';

const variantSku = skuField('Stock keeping unit of the variant, exactly as the shop has it');

const currency = textField(
	'Currency',
	'currency',
	'Three-letter currency code of ISO 4217, e.g. EUR. A price in a currency that the variant does not have yet is added.',
	{ required: true, example: 'EUR', send: { in: 'body', read: readPrice } },
);

export const setPrices = all({
	request: 'PATCH /products/{productId}',
	name: 'Set Prices',
	value: 'setPrices',
	action: 'Set prices of products',
	description: 'Set prices of variants by SKU, and change nothing else of their products',
	run: async (call) => {
		const { onlyIfChanged: ifChanged, dryRun } = call.options;
		await setAllPrices(call, { onlyIfChanged: ifChanged === true, dryRun: dryRun === true });
	},
	fields: [
		bodyField(variantSku, readSku),
		amountsAreIn,
		...amountFields('The new price', {}, { required: true }),
		currency,
	],
	options: [decimalAmounts, onlyIfChanged],
});

function readPrice(_label: string, _value: unknown, item: Item): IDataObject {
	const money = enteredMoney(item);
	if (money.amount < 0) throw new InputError(amountLabel(item), 'must not be less than 0');
	return money;
}

function readSku(field: string, value: unknown): string {
	return searchedText(field, someText(field, value));
}
