import type { IDataObject } from 'n8n-workflow';

import { RESOURCES } from '../../../shared/shop/resources';
import { decimalAmounts } from '../../../shared/values/fields';
import { hasField, isListOfObjects, isObject, pick } from '../../../shared/values/json';
import { withCategoryIds } from '../../products/categories';
import { objectsIn } from '../../products/products';
import { knownStates, sort } from '../../fields/filters';
import { amountOptions } from '../../fields/amounts';
import { CHANGES_TRIGGER } from '../../fields/options';
import type { Resource } from '../../runner/operation';
import { create, getMany, getOne, namedBy, recordsOf, remove, update } from '../makeOperation';
import { importCatalog, setPrices, upsert } from './bySku';
import { additionalFields, CHEAPER_WAY, oneVariant, title } from './productFields';
import { productUpdate } from './update';

/** Products can be named by their handle, or by the SKU of a variant. */
const PRODUCTS = recordsOf(
	// Not in the table: the changes trigger gives whole products.
	{ ...RESOURCES.product, simplify: simplifyProduct },
	'prod_1001',
	{
		displayName: 'Handle',
		name: 'handle',
		placeholder: 'e.g. linen-shirt',
		keysOf: namedBy('handle'),
	},
	{
		displayName: 'SKU',
		name: 'sku',
		placeholder: 'e.g. SHIRT-BLUE-M',
		searchBy: 'sku',
		keysOf: ({ variants }) => (isListOfObjects(variants) ? variants.flatMap(namedBy('sku')) : []),
	},
);

/** The fields of a product and a variant that the API document names (Resources, "Product"). */
const PRODUCT_FIELDS = ['id', 'title', 'handle', 'status', 'description', 'variants', 'categories'];
const VARIANT_FIELDS = ['sku', 'title', 'prices'];

/** Shortens a product and its variants to the fields that the API document names. */
function simplifyProduct(product: IDataObject): IDataObject {
	const short = pick(product, PRODUCT_FIELDS);
	const { variants } = short;
	if (Array.isArray(variants))
		short.variants = (variants as unknown[]).map((variant) =>
			isObject(variant) ? pick(variant, VARIANT_FIELDS) : variant,
		) as IDataObject[];
	return short;
}

/**
 * Makes one row per variant and price (API document, "Product"). A product without variants is one row, and so is a
 * variant without prices: an export leaves nothing out.
 */
function variantRows(product: IDataObject): IDataObject[] {
	const rowFields = ['handle', 'title', 'status', 'categories'];
	const productRow = { product_id: product.id, ...pick(product, rowFields) };
	const variants = objectsIn(product.variants);
	return variants.length === 0
		? [productRow]
		: variants.flatMap((variant) => priceRows(productRow, variant));
}

function priceRows(productRow: IDataObject, { prices, ...variant }: IDataObject): IDataObject[] {
	// The product’s fields keep their names. A variant has further fields, e.g. an ID of its own.
	const row = {
		...productRow,
		...prefixedIfTaken({ ...productRow, ...OWN_COLUMNS }, variant, 'variant'),
	};
	const priceList = objectsIn(prices);
	return priceList.length === 0
		? [row]
		: priceList.map(({ amount, currency, ...price }) => ({
				...row,
				price: { amount, currency },
				currency,
				...prefixedIfTaken({ ...row, ...OWN_COLUMNS }, price, 'price'),
			}));
}

/** Names that are kept free for the fields of the product and the price (API document, "Product", "Price"). */
const OWN_COLUMNS = { title: null, price: null, price_minor: null, currency: null };

/** Names fields so that they can join a row: a name that is taken gets a prefix. */
function prefixedIfTaken(row: IDataObject, fields: IDataObject, prefix: string): IDataObject {
	const renamed = Object.entries(fields).map(([name, value]) => [
		hasField(row, name) ? `${prefix}_${name}` : name,
		value,
	]);
	return Object.fromEntries(renamed) as IDataObject;
}

export const product: Resource = {
	name: 'Product',
	value: 'product',
	description: 'Products with their variants, prices and categories',
	noun: 'product',
	operations: [
		create(PRODUCTS, {
			description: 'Create a product with its variants and prices',
			cheaperWay: CHEAPER_WAY,
			complete: withCategoryIds,
			fields: [title(true), ...oneVariant, additionalFields],
			options: amountOptions,
		}),
		upsert,
		remove(PRODUCTS),
		getOne(PRODUCTS, {
			description: 'Get one product with its variants and prices',
			options: [decimalAmounts],
		}),
		getMany(PRODUCTS, {
			cheaperWay: CHANGES_TRIGGER,
			recordRows: {
				output: 'variants',
				of: variantRows,
				isWhole: ({ variants }) => Array.isArray(variants),
				missing:
					'Products of which the platform shows no variants, so that they are one item each:',
			},
			filterTexts: {
				status: knownStates('products', { draft: 'Draft', published: 'Published' }, 'published'),
			},
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
		update(PRODUCTS, productUpdate),
	],
};
