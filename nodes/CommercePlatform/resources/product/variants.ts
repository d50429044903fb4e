import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/errors/errors';
import { isObject } from '../../../shared/values/json';
import { readMoney } from '../../../shared/values/money';
import { describe, json, rowsOf, someText, text } from '../../../shared/values/readers';
import { jsonField, rows, textField } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { amountFields, type AmountUnit, amountUnit } from '../../fields/money';
import { enteredIn, withoutBlanks } from '../../fields/blanks';

const price = [
	...amountFields('The price'),
	textField('Currency', 'currency', 'Three-letter currency code of ISO 4217, e.g. EUR', {
		example: 'EUR',
	}),
];

const variant = [
	textField('SKU', 'sku', 'Stock keeping unit that names the variant', { example: 'SHIRT-BLUE-M' }),
	textField('Title', 'title', 'Name of the variant; left out when empty', { example: 'Blue, M' }),
	rows('Prices', 'prices', 'Price', 'The prices of the variant, one for each currency', price),
];

/** The variants of a product, one after the other in the editor. */
export const variants = bodyField(
	rows('Variants', 'variants', 'Variant', 'The variants of the product with their prices', variant),
	(field, value, item) => readVariants(field, value, amountUnit(item), enteredIn(item, 'variants')),
);

/** The same as one list, for expressions and AI agents. */
export const variantsJson = bodyField(
	jsonField(
		'Variants (JSON)',
		'variantsJson',
		'[]',
		'The variants as a JSON array, in place of Variants, in minor units, e.g. [{ "sku": "SHIRT-M", "prices": [{ "amount": 1999, "currency": "EUR" }] }]',
	),
	(field, value, item) =>
		readVariantList(field, value, amountUnit(item), enteredIn(item, 'variantsJson')),
	'variants',
);

/**
 * Reads the variants that the user entered into the form of the API document (Resources, "Variant").
 *
 * @param value rows of the editor's collection, or a list as expressions give it, which is the API's own
 * @param unit how the amounts are meant
 * @param written what of it the user wrote himself, see `enteredIn`
 * @returns undefined where there is no row
 * @throws InputError that names the variant and price
 */
function readVariants(
	field: string,
	value: unknown,
	unit: AmountUnit,
	written?: unknown,
): IDataObject[] | undefined {
	const given = Array.isArray(value) ? withoutBlanks<unknown>(value, written) : value;
	return rowsOf(field, given, 'variant')?.map((entry, index) =>
		readVariant(`${field} ${index + 1}`, entry, unit),
	);
}

/**
 * The same for a JSON list.
 *
 * @throws InputError
 */
function readVariantList(
	field: string,
	value: unknown,
	unit: AmountUnit,
	written?: unknown,
): IDataObject[] | undefined {
	const list = json(field, value);
	if (Array.isArray(list)) return readVariants(field, list, unit, written);
	throw new InputError(field, 'must be a JSON array', `It is ${describe(list)}.`);
}

function readVariant(place: string, entry: unknown, unit: AmountUnit): IDataObject {
	if (!isObject(entry)) throw new InputError(place, 'must be an object with sku, title and prices');
	const { sku, title, prices, ...more } = entry;
	const variant: IDataObject = { sku: someText(`${place}: SKU`, sku) };
	const said = text(`${place}: Title`, title ?? '');
	if (said !== '') variant.title = said;
	const given = rowsOf(`${place}: Prices`, prices, 'price');
	if (given !== undefined && given.length > 0) {
		const unitHere = Array.isArray(prices) ? 'minor' : unit;
		variant.prices = given.map((one, index) =>
			readPrice(`${place}, Price ${index + 1}`, one, unitHere),
		);
	}
	return { ...variant, ...more };
}

function readPrice(place: string, entry: unknown, unit: AmountUnit): IDataObject {
	if (!isObject(entry)) throw new InputError(place, 'must be an object with amount and currency');
	const names = { amount: `${place}: Amount`, currency: `${place}: Currency` };
	return { ...entry, ...readMoney(names, entry, unit) };
}
