import type { IDataObject } from 'n8n-workflow';

import { decimalAmounts } from '../../../shared/fields';
import { hasField, isObject } from '../../../shared/values/json';
import { objectsIn } from '../../bulk/products';
import { COMMON_FILTERS, filters, knownStates, sort } from '../../fields/filters';
import { amountsAreIn } from '../../fields/amounts';
import { CHANGES_TRIGGER } from '../../fields/options';
import type { Resource } from '../../run/operation';
import { create, getMany, getOne, remove } from '../makeOperation';
import { PRODUCTS } from '../recordNames';
import { importCatalog, setPrices, upsert } from './bySku';
import { additionalFields, CHEAPER_WAY, title } from './productFields';
import { updateProduct } from './update';

/**
 * One item a variant and price (API document, "Product"). A product without variants is one row, and so is a variant
 * without prices: nothing is left out of an export.
 */
function variantRows(product: IDataObject): IDataObject[] {
	const ofProduct = ['handle', 'title', 'status', 'categories'];
	const row = { product_id: product.id, ...only(ofProduct, product) };
	const variants = objectsIn(product.variants);
	return variants.length === 0 ? [row] : variants.flatMap((variant) => priceRows(row, variant));
}

function priceRows(product: IDataObject, { prices, ...variant }: IDataObject): IDataObject[] {
	// What is the product’s keeps its name; a variant has further fields, e.g. an ID of its own.
	const row = { ...product, ...besides({ ...product, ...KEPT }, variant, 'variant') };
	const list = objectsIn(prices);
	return list.length === 0
		? [row]
		: list.map((price) => ({ ...row, ...besides(row, price, 'price') }));
}

/** Names that a row keeps for its product and its price (API document, "Product", "Price"). */
const KEPT = { title: null, amount: null, currency: null };

/** Fields that join a row: one whose name is taken gets the name of what it is of in front. */
function besides(row: IDataObject, fields: IDataObject, of: string): IDataObject {
	const named = Object.entries(fields).map(([name, value]) => [
		hasField(row, name) ? `${of}_${name}` : name,
		value,
	]);
	return Object.fromEntries(named) as IDataObject;
}

/** What the API document names of a product, but for the description, which may be long (Resources, "Product"). */
const OF_PRODUCT = ['id', 'title', 'handle', 'status', 'variants', 'categories'];
const OF_VARIANT = ['sku', 'title', 'prices'];

/** A product in short: what it is called, its state, its categories, and SKU, title and prices of its variants. */
function simplify(product: IDataObject): IDataObject {
	const short = only(OF_PRODUCT, product);
	const { variants } = short;
	if (Array.isArray(variants))
		short.variants = (variants as unknown[]).map((variant) =>
			isObject(variant) ? only(OF_VARIANT, variant) : variant,
		) as IDataObject[];
	return short;
}

const only = (names: string[], record: IDataObject): IDataObject =>
	Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));

export const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [
		create(PRODUCTS, {
			description: 'Create a product with its variants and prices',
			cheaperWay: CHEAPER_WAY,
			fields: [title(true), additionalFields],
			options: [amountsAreIn],
		}),
		upsert,
		remove(PRODUCTS),
		getOne(PRODUCTS, {
			description: 'Get one product with its variants and prices',
			simplify,
			options: [decimalAmounts],
		}),
		getMany(PRODUCTS, {
			cheaperWay: CHANGES_TRIGGER,
			simplify,
			recordRows: {
				output: 'variants',
				of: variantRows,
				isWhole: ({ variants }) => Array.isArray(variants),
				missing:
					'Products of which the platform shows no variants, so that they are one item each:',
				recordPath: '/products/{id}',
			},
			fields: filters(COMMON_FILTERS, {
				status: knownStates('products', { draft: 'Draft', published: 'Published' }, 'published'),
			}),
			sort,
			options: [decimalAmounts],
			outputs: {
				variants: [
					'Variants',
					'One item per variant and price, with product, title, status, categories and SKU. Limit counts products.',
				],
			},
		}),
		importCatalog,
		setPrices,
		updateProduct,
	],
};
