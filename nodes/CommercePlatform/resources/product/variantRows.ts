import type { IDataObject } from 'n8n-workflow';

import { hasField, isObject } from '../../../shared/values/json';
import type { Rows } from '../../engine/rows';
import type { OutputChoice } from '../../fields/options';

/** The choice of Output that gives them. */
export const variantsOutput: OutputChoice = {
	name: 'Variants',
	value: 'variants',
	description:
		'One item a variant and price: product ID, handle, title, SKU, amount and currency. Limit counts products.',
};

/** A product without variants is one row, and so is a variant without prices: nothing is left out of an export. */
function rowsOf({ id, handle, title, status, variants }: IDataObject): IDataObject[] {
	const product = known({ product_id: id, handle, title, status });
	const list = recordsOf(variants);
	return list.length === 0 ? [product] : list.flatMap((variant) => pricesOf(product, variant));
}

function pricesOf(product: IDataObject, { title, prices, ...more }: IDataObject): IDataObject[] {
	// What is the product’s keeps its name; a variant has further fields, e.g. an ID of its own.
	const row = {
		...product,
		...known({ variant_title: title }),
		...besides({ ...product, ...OF_PRICE }, more, 'variant'),
	};
	const list = recordsOf(prices);
	return list.length === 0
		? [row]
		: list.map((price) => ({ ...row, ...besides(row, price, 'price') }));
}

/** What a price has for certain (API document, "Price"). */
const OF_PRICE = { amount: null, currency: null };

/** Fields that join a row: one whose name is taken gets the name of what it is of in front. */
function besides(row: IDataObject, fields: IDataObject, of: string): IDataObject {
	const named = Object.entries(fields).map(([name, value]) => [
		hasField(row, name) ? `${of}_${name}` : name,
		value,
	]);
	return Object.fromEntries(named) as IDataObject;
}

const recordsOf = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

const known = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** One item a variant and price (API document, "Product"). */
export const variantRows: Rows = {
	output: variantsOutput.value,
	of: rowsOf,
	isWhole: ({ variants }) => Array.isArray(variants),
	missing: 'Products of which the platform shows no variants, so that they are one item each:',
	recordPath: '/products/{id}',
};
