import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/rest/request';
import { choice } from '../../../shared/values/fields';
import { hasField } from '../../../shared/values/json';
import { withCategoryIds } from '../../products/categories';
import { skusOf } from '../../products/products';
import { differences, isUnchanged, previewRow } from '../../products/unchanged';
import type { Call, Changes, ReadItem } from '../../runner/operation';
import { dryRun, onlyIfChanged } from '../../fields/options';
import { amountOptions } from '../../fields/amounts';
import { updateFields } from '../../fields/freeBody';
import { changesNothing, readProduct, tellSaidTwice, writeMerged } from '../../products/merge';
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

/** How Only If Changed finds the product of an update. A key that is no ID begins with the mode in which it is entered. */
const productChanges: Changes<ReadItem> = {
	source: {
		list: () => ({ method: 'GET', path: '/products' }),
		requestFor: (key): PlatformRequest => {
			const [, mode, name] = /^(handle|sku):(.*)/s.exec(key) ?? [];
			return mode === undefined
				? { method: 'GET', path: '/products/{productId}', pathParams: { productId: key } }
				: { method: 'GET', path: '/products', query: { [mode === 'sku' ? mode : 'q']: name } };
		},
		keysOf: (product) => [
			...[product.id].filter((id): id is string => typeof id === 'string'),
			...(typeof product.handle === 'string' ? [`handle:${product.handle}`] : []),
			...skusOf(product).map((sku) => `sku:${sku}`),
		],
		isUnique: (key) => !/^(?:handle|sku):/.test(key),
	},
	keyOf: ({ item, request }) => {
		const mode = item.lookUpMode('productId');
		return mode === undefined ? productIdOf(request) : `${mode}:${productIdOf(request)}`;
	},
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
	if (toMerge === undefined) return hintAtDifferences(call, await call.record(request));
	tellSaidTwice(toMerge, (text) => call.hint(text));
	const { answer } = await writeMerged(
		request,
		toMerge,
		{ request: async (toSend) => await call.send(toSend, 'read') },
		async (merged, attempt) =>
			await call.send(merged, attempt === 1 ? undefined : `merge ${attempt}`),
	);
	const { record, status } = answer;
	return record === undefined
		? { success: true, id: productIdOf(request), status }
		: hintAtDifferences(call, record);
}

/**
 * Hints at fields that have other values in the answer than the user entered. What was only read and sent back with
 * them does not count.
 *
 * @returns the record of the answer
 */
function hintAtDifferences(call: Call, record: IDataObject): IDataObject {
	const toMerge = variantsToMerge(call);
	const differing = Object.entries(call.fields).filter(([name, entered]) => {
		if (record.success === true || !hasField(record, name)) return false;
		return name === 'variants' && toMerge !== undefined
			? !changesNothing(record.variants, toMerge)
			: !isUnchanged(entered, record[name]);
	});
	if (differing.length > 0)
		call.hint(
			`The platform’s answer to an update shows other values than you entered: ${differing.map(([name]) => name).join(', ')}.`,
		);
	return record;
}

/** The row that a dry run shows: what the update would change. */
async function previewUpdate({ request, client }: Call, found?: IDataObject): Promise<IDataObject> {
	const product = found ?? (await readProduct(client, productIdOf(request))).record;
	const productCells = { id: product.id, sku: skusOf(product).join(', '), title: product.title };
	return previewRow(productCells, differences(request.body, product));
}

/** What the update of a product does beside its request. */
export const productUpdate = {
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
};
