import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/input/inputError';
import { describe, json, rowsOf, someText, text } from '../../../shared/input/readers';
import { isObject } from '../../../shared/isObject';
import { majorToMinor, minorToMajor, readCurrency, readMinorUnits } from '../../../shared/money';

/**
 * Reads the variants that the user entered into the form of the API document (Resources, "Variant").
 *
 * @param value rows of the editor's collection, or a list
 * @param inMajorUnits how the amounts are meant
 * @returns undefined where there is no row
 * @throws InputError that names the variant and price
 */
export function readVariants(
	field: string,
	value: unknown,
	inMajorUnits: boolean,
): IDataObject[] | undefined {
	return rowsOf(field, value, 'variant')?.map((entry, index) =>
		readVariant(`${field} ${index + 1}`, entry, inMajorUnits),
	);
}

/**
 * The same for a JSON list.
 *
 * @throws InputError
 */
export function readVariantList(
	field: string,
	value: unknown,
	inMajorUnits: boolean,
): IDataObject[] | undefined {
	const list = json(field, value);
	if (Array.isArray(list)) return readVariants(field, list, inMajorUnits);
	throw new InputError(field, 'must be a JSON array', `It is ${describe(list)}.`);
}

function readVariant(place: string, entry: unknown, inMajorUnits: boolean): IDataObject {
	if (!isObject(entry)) throw new InputError(place, 'must be an object with sku, title and prices');
	const { sku, title, prices, ...more } = entry;
	const variant: IDataObject = { sku: someText(`${place}: SKU`, sku) };
	const said = text(`${place}: Title`, title ?? '');
	if (said !== '') variant.title = said;
	const given = rowsOf(`${place}: Prices`, prices, 'price');
	if (given !== undefined && given.length > 0) {
		variant.prices = given.map((one, index) =>
			readPrice(`${place}, Price ${index + 1}`, one, inMajorUnits),
		);
	}
	return { ...variant, ...more };
}

function readPrice(place: string, entry: unknown, inMajorUnits: boolean): IDataObject {
	if (!isObject(entry)) throw new InputError(place, 'must be an object with amount and currency');
	const currency = readCurrency(`${place}: Currency`, entry.currency);
	const field = `${place}: Amount`;
	const amount = inMajorUnits
		? majorToMinor(field, entry.amount, currency)
		: readMinorUnits(field, entry.amount);
	const { decimal, ...more } = entry;
	// What Add Decimal Amounts has put there; whatever else it may be stays.
	const isOurs = decimal === undefined || decimal === minorToMajor(entry.amount, currency);
	return { ...more, amount, currency, ...(isOurs ? {} : { decimal }) };
}
