import type { IDataObject } from 'n8n-workflow';

import { decimalAmounts } from '../../../shared/fields';
import { hasField, isObject } from '../../../shared/values/json';
import { optionalText } from '../../../shared/values/readers';
import type { Field } from '../../fields/field';
import { checkFilterGiven, COMMON_FILTERS, filters, knownStates } from '../../fields/filters';
import { CHANGES_TRIGGER, type OutputChoice } from '../../fields/options';
import type { ListCall, ListPage, Rows } from '../../run/operation';
import { getMany } from '../operation';
import { PRODUCTS } from './productFields';

/** The choice of Output that gives them. */
const variantsOutput: OutputChoice = {
	name: 'Variants',
	value: 'variants',
	description:
		'One item per variant and price: product ID, handle, title, status, categories, SKU, amount and currency. Limit counts products.',
};

/** A product without variants is one row, and so is a variant without prices: nothing is left out of an export. */
function rowsOf({ id, handle, title, status, categories, variants }: IDataObject): IDataObject[] {
	const product = known({ product_id: id, handle, title, status, categories });
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
const variantRows: Rows = {
	output: variantsOutput.value,
	of: rowsOf,
	isWhole: ({ variants }) => Array.isArray(variants),
	missing: 'Products of which the platform shows no variants, so that they are one item each:',
	recordPath: '/products/{id}',
};

/** It is no parameter of the list: the API document names none for it. */
const category: Field = {
	displayName: 'Category Name or ID',
	name: 'category',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getCategories' },
	default: '',
	description:
		'Only products of this category. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	hint: 'The platform’s list takes no category: it is read page by page, each a request, until Limit is reached',
};

/** The list, or those of its products that are of the filter's category, where it is set. */
async function* ofCategory(call: ListCall): AsyncGenerator<ListPage> {
	const chosen = call.item.parameter('filters', {}) as IDataObject;
	const { name, displayName } = category;
	if (name in chosen) checkFilterGiven(call.item.node, name, displayName, chosen.category);
	const wanted = optionalText(displayName, chosen.category);
	if (wanted === undefined) return yield* call.pages();
	let unknown = 0;
	try {
		for await (const page of call.pages(Number.POSITIVE_INFINITY)) {
			const shown = page.records.filter(({ categories }) => Array.isArray(categories));
			unknown += page.records.length - shown.length;
			const records = shown.filter(({ categories }) => (categories as unknown[]).includes(wanted));
			yield { ...page, records };
		}
	} finally {
		if (unknown > 0)
			call.hint(
				`Products of which the platform shows no categories, which were left out: ${unknown}.`,
			);
	}
}

export const getAll = getMany(PRODUCTS, {
	cheaperWay: CHANGES_TRIGGER,
	run: ofCategory,
	simplify: simplifyProduct,
	rows: variantRows,
	fields: [
		category,
		...filters(COMMON_FILTERS, { status: knownStates('products', ['draft', 'published']) }),
	],
	options: [decimalAmounts],
	outputs: [variantsOutput],
});

/** What the API document names of a product, but for the description, which may be long (Resources, "Product"). */
const OF_PRODUCT = ['id', 'title', 'handle', 'status', 'variants', 'categories'];
const OF_VARIANT = ['sku', 'title', 'prices'];

/** A product in short: what it is called, its state, its categories, and SKU, title and prices of its variants. */
export function simplifyProduct(product: IDataObject): IDataObject {
	const short = only(OF_PRODUCT, product);
	const variants: unknown = short.variants;
	if (Array.isArray(variants))
		short.variants = variants.map((one) =>
			isObject(one) ? only(OF_VARIANT, one) : (one as IDataObject),
		);
	return short;
}

const only = (names: string[], record: IDataObject): IDataObject =>
	Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
