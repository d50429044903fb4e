import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/rest/request';
import { choice } from '../../../shared/values/fields';
import { hasField } from '../../../shared/values/json';
import { skusOf } from '../../products/products';
import { differences, isUnchanged, previewRow } from '../../products/unchanged';
import type { Call, ReadItem } from '../../runner/operation';
import type { Changes } from '../../runner/findRecords';
import { dryRun, onlyIfChanged } from '../../fields/options';
import { amountsAreIn } from '../../fields/amounts';
import { updateFields } from '../../fields/updateFields';
import { changesNothing, checkVariantChanges, readProduct, writeMerged } from '../../products/merge';
import { update } from '../makeOperation';
import { PRODUCTS } from '../recordNames';
import { CHEAPER_WAY, productFields, title } from './productFields';

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
	'What happens to variants and prices that you do not enter. Merging adds a new SKU only with a title.',
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

/** Marks a key that is a handle. */
const HANDLE_PREFIX = 'handle:';

/** How Only If Changed finds the product of an update, which is named by its ID or its handle. */
const productChanges: Changes<ReadItem> = {
	source: {
		list: { method: 'GET', path: '/products' },
		requestFor: (key): PlatformRequest =>
			key.startsWith(HANDLE_PREFIX)
				? { method: 'GET', path: '/products', query: { q: key.slice(HANDLE_PREFIX.length) } }
				: { method: 'GET', path: '/products/{productId}', pathParams: { productId: key } },
		keysOf: ({ id, handle }) =>
			[id, typeof handle === 'string' ? HANDLE_PREFIX + handle : undefined].filter(
				(key): key is string => typeof key === 'string',
			),
		isUnique: (key) => !key.startsWith(HANDLE_PREFIX),
	},
	keyOf: ({ item, request }) =>
		(item.lookUpMode('productId') === 'handle' ? HANDLE_PREFIX : '') + productIdOf(request),
	isUnchanged: (readItem, product) => {
		const toMerge = variantsToMerge(readItem);
		if (toMerge === undefined) return isUnchanged(readItem.fields, product);
		const otherFields = { ...readItem.fields, variants: undefined };
		return isUnchanged(otherFields, product) && changesNothing(product.variants, toMerge);
	},
};

/** Sends the update. To merge variants, it first reads the product, and reads it again if it has changed since. */
async function mergeAndSend(call: Call): Promise<IDataObject> {
	const { request } = call;
	const toMerge = variantsToMerge(call);
	if (toMerge === undefined) return hintAtDifferences(call, request, await call.record(request));
	const { sent, answer } = await writeMerged(
		request,
		toMerge,
		{ request: async (toSend) => await call.send(toSend, 'read') },
		async (merged, attempt) =>
			await call.send(merged, attempt === 1 ? undefined : `merge ${attempt}`),
	);
	const { record, status } = answer;
	return record === undefined
		? { success: true, id: productIdOf(request), status }
		: hintAtDifferences(call, sent, record);
}

/**
 * Hints at fields that have other values in the answer than were written.
 *
 * @returns the record of the answer
 */
function hintAtDifferences(
	call: Call,
	{ body = {} }: PlatformRequest,
	record: IDataObject,
): IDataObject {
	const hasRecord = record.success !== true;
	const differing = Object.keys(body).filter(
		(name) => hasRecord && hasField(record, name) && !isUnchanged(body[name], record[name]),
	);
	if (differing.length > 0)
		call.hint(
			`The platform’s answer to an update shows other values than were written: ${differing.join(', ')}.`,
		);
	return record;
}

/** The row that a dry run shows: what the update would change. */
async function previewUpdate({ request, client }: Call): Promise<IDataObject> {
	const { record: product } = await readProduct(client, productIdOf(request));
	const productCells = { id: product.id, sku: skusOf(product).join(', '), title: product.title };
	return previewRow(productCells, differences(request.body, product));
}

export const updateProduct = update(PRODUCTS, {
	// Refuses rows that contradict each other about one price, before the product is read.
	check: (readItem) => checkVariantChanges(variantsToMerge(readItem) ?? []),
	run: mergeAndSend,
	preview: previewUpdate,
	changes: productChanges,
	cheaperWay: CHEAPER_WAY,
	fields: updateFields([...productFields, title(), writeVariants], {
		categories: ['Categories', []],
		description: ['Description', ''],
		variants: ['Variants', []],
	}),
	options: [amountsAreIn, dryRun, onlyIfChanged],
});
