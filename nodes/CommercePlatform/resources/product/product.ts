import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/rest/request';
import { RESOURCES } from '../../../shared/shop/resources';
import { choice, decimalAmounts } from '../../../shared/values/fields';
import { hasField, isListOfObjects, objectsIn, pick } from '../../../shared/values/json';
import { amountOptions } from '../../fields/amounts';
import { knownStates, sort } from '../../fields/filters';
import { updateFields } from '../../fields/freeBody';
import { CHANGES_TRIGGER, dryRun, onlyIfChanged } from '../../fields/options';
import { withCategoryIds } from './categories';
import {
	changesNothing,
	differences,
	isUnchanged,
	previewRow,
	skusOf,
	tellSaidTwice,
} from './changes';
import { productsByKey, readProduct } from './plan';
import type { Call, Changes, ReadItem } from '../../runner/operation';
import { create, getMany, getOne, namedBy, recordsOf, remove, update } from '../makeOperation';
import { additionalFields, oneVariant, productFields, title } from './productFields';
import { writeMerged } from './writeProduct';

/** Products can be named by their handle, or by the SKU of a variant. */
const PRODUCTS = recordsOf(
	// Not in RESOURCES: the changes trigger gives whole products.
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
		keysOf: ({ variants }) => objectsIn(variants).flatMap(namedBy('sku')),
		others: ({ variants }, wanted) =>
			objectsIn(variants)
				.filter((variant) => !namedBy('sku')(variant).includes(wanted))
				.map(({ sku, title, id }) => String(sku ?? title ?? id ?? 'one without a SKU')),
	},
);

/** Tells users who write products one by one of the operation that takes many. */
const CHEAPER_WAY =
	'Create or Update sends up to 100 products in one request, where the platform takes batches.';

/** The fields of a product and a variant that the API document names (Resources, "Product"). */
const PRODUCT_FIELDS = ['id', 'title', 'handle', 'status', 'description', 'variants', 'categories'];
const VARIANT_FIELDS = ['sku', 'title', 'prices'];

/** Shortens a product and its variants to the fields that the API document names. */
function simplifyProduct(product: IDataObject): IDataObject {
	const short = pick(product, PRODUCT_FIELDS);
	const { variants } = short;
	if (isListOfObjects(variants))
		short.variants = variants.map((variant) => pick(variant, VARIANT_FIELDS));
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

/** The choice what happens to variants and prices that the user does not enter. */
const writeVariants = choice(
	'Variants: Merge or Replace',
	'writeVariants',
	{
		merge: [
			'Merge by SKU and Currency',
			'Read the product first, and change only the variants and prices that you enter: one more request',
		],
		replace: [
			'Replace All',
			'Send your variants as the whole list: the platform may delete every variant, price and title not in it',
		],
	},
	'What happens to variants and prices that you do not enter. New variants need a title.',
	{ noDataExpression: true },
);

/**
 * The variants to merge.
 *
 * @returns undefined if there are none, or if they are to replace all others
 */
function variantsToMerge({ item, fields }: ReadItem): IDataObject[] | undefined {
	const { variants } = fields;
	// Fields to Clear sends an empty list.
	if (!Array.isArray(variants) || variants.length === 0) return undefined;
	return item.parameter(`updateFields.${writeVariants.name}`, 'merge') === 'replace'
		? undefined
		: (variants as IDataObject[]);
}

const productIdOf = ({ pathParams }: PlatformRequest) => (pathParams?.productId ?? '').trim();

/** The entered fields that a product has otherwise. What is only read and sent back with them does not count. */
function differingFields(readItem: ReadItem, product: IDataObject): string[] {
	const toMerge = variantsToMerge(readItem);
	const differs = ([name, entered]: [string, unknown]) =>
		name === 'variants' && toMerge !== undefined
			? !changesNothing(product.variants, toMerge)
			: !isUnchanged({ [name]: entered }, product);
	return Object.entries(readItem.fields)
		.filter(differs)
		.map(([name]) => name);
}

/** How Only If Changed finds the product of an update. */
const productChanges: Changes<ReadItem> = {
	source: productsByKey,
	keyOf: ({ item, request }) => `${item.lookUpMode('productId') ?? 'id'}:${productIdOf(request)}`,
	isUnchanged: (readItem, product) => differingFields(readItem, product).length === 0,
};

/**
 * Sends the update. To merge variants, it first reads the product, and reads it again if it has changed since. If the
 * answer shows other values than were entered, it hints at them.
 */
async function mergeAndSend(call: Call): Promise<IDataObject> {
	const { request } = call;
	const toMerge = variantsToMerge(call) ?? [];
	tellSaidTwice(toMerge, (text) => call.hint(text));
	const reader = { request: async (toSend: PlatformRequest) => await call.send(toSend, 'read') };
	const record =
		toMerge.length === 0
			? await call.record(request)
			: (await writeMerged(request, toMerge, reader, call.record)).answer;
	const differing = differingFields(call, record).filter((name) => hasField(record, name));
	if (differing.length > 0 && record.success !== true)
		call.hint(
			`The platform’s answer to an update shows other values than you entered: ${differing.join(', ')}.`,
		);
	return record;
}

/** The row that a dry run shows: what the update would change. */
async function previewUpdate({ request, client }: Call, found?: IDataObject): Promise<IDataObject> {
	const product = found ?? (await readProduct(client, productIdOf(request))).record;
	const productCells = { id: product.id, sku: skusOf(product).join(', '), title: product.title };
	return previewRow(productCells, differences(request.body, product));
}

/** Those on one product, and its list. */
export const productOperations = [
	create(PRODUCTS, {
		description: 'Create a product with its variants and prices',
		cheaperWay: CHEAPER_WAY,
		complete: withCategoryIds,
		fields: [title(true), ...oneVariant, additionalFields],
		options: amountOptions,
	}),
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
			missing: 'Products of which the platform shows no variants, so that they are one item each:',
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
	update(PRODUCTS, {
		complete: withCategoryIds,
		run: mergeAndSend,
		preview: previewUpdate,
		changes: productChanges,
		cheaperWay: CHEAPER_WAY,
		fields: updateFields([...productFields, title(), writeVariants], {
			categories: ['Categories', []],
			description: ['Description', ''],
			variants: ['Variants', []],
		}),
		options: [...amountOptions, dryRun, onlyIfChanged],
	}),
];
