import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/api/request';
import { choice } from '../../../shared/fields';
import { hasField } from '../../../shared/values/json';
import { skusOf } from '../../bulk/products';
import { differences, isUnchanged, previewRow } from '../../bulk/unchanged';
import type { Call, ReadItem } from '../../run/operation';
import type { Changes } from '../../run/findRecords';
import { dryRun, onlyIfChanged } from '../../fields/options';
import { amountsAreIn } from '../../fields/amounts';
import { updateFields } from '../../fields/updateFields';
import { changesNothing, checkVariantChanges, readProduct, writeMerged } from '../../bulk/merge';
import { update } from '../makeOperation';
import { PRODUCTS } from '../recordNames';
import { CHEAPER_WAY, productFields, title } from './productFields';

/** What becomes of the variants and prices that an update does not name. */
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
 * @returns undefined if none are, or where they are to replace all others
 */
function namedVariants({ item, fields }: ReadItem): IDataObject[] | undefined {
	const { variants } = fields;
	// An empty list is what Fields to Clear sends.
	if (!Array.isArray(variants) || variants.length === 0) return undefined;
	return item.parameter(`updateFields.${writeVariants.name}`, 'merge') === 'replace'
		? undefined
		: (variants as IDataObject[]);
}

const idIn = ({ pathParams }: PlatformRequest) => (pathParams?.productId ?? '').trim();

const HANDLE = 'handle:';

/** Products as an update names them: by ID or by handle. */
const productChanges: Changes<ReadItem> = {
	source: {
		list: { method: 'GET', path: '/products' },
		one: (key): PlatformRequest =>
			key.startsWith(HANDLE)
				? { method: 'GET', path: '/products', query: { q: key.slice(HANDLE.length) } }
				: { method: 'GET', path: '/products/{productId}', pathParams: { productId: key } },
		keysOf: ({ id, handle }) =>
			[id, typeof handle === 'string' ? HANDLE + handle : undefined].filter(
				(key): key is string => typeof key === 'string',
			),
		isUnique: (key) => !key.startsWith(HANDLE),
	},
	keyOf: ({ item, request }) =>
		(item.lookUpMode('productId') === 'handle' ? HANDLE : '') + idIn(request),
	isUnchanged: (readItem, product) => {
		const named = namedVariants(readItem);
		if (named === undefined) return isUnchanged(readItem.fields, product);
		const others = { ...readItem.fields, variants: undefined };
		return isUnchanged(others, product) && changesNothing(product.variants, named);
	},
};

/** Sends the update; variants that are to be merged are read first, and again where the product has changed since. */
async function mergeAndSend(call: Call): Promise<IDataObject> {
	const { request } = call;
	const named = namedVariants(call);
	if (named === undefined) return compared(call, request, await call.record(request));
	const { sent, answer } = await writeMerged(
		request,
		named,
		{ request: async (toSend) => await call.send(toSend, 'read') },
		async (merged, attempt) =>
			await call.send(merged, attempt === 1 ? undefined : `merge ${attempt}`),
	);
	const { record, status } = answer;
	return record === undefined
		? { success: true, id: idIn(request), status }
		: compared(call, sent, record);
}

/** Says where the answer to an update shows other values than were written. */
function compared(call: Call, { body = {} }: PlatformRequest, record: IDataObject): IDataObject {
	const isShown = record.success !== true;
	const differing = Object.keys(body).filter(
		(name) => isShown && hasField(record, name) && !isUnchanged(body[name], record[name]),
	);
	if (differing.length > 0)
		call.hint(
			`The platform’s answer to an update shows other values than were written: ${differing.join(', ')}.`,
		);
	return record;
}

/** What a dry run shows: what the update would change. */
async function previewUpdate({ request, client }: Call): Promise<IDataObject> {
	const { record: product } = await readProduct(client, idIn(request));
	const about = { id: product.id, sku: skusOf(product).join(', '), title: product.title };
	return previewRow(about, differences(request.body, product));
}

export const updateProduct = update(PRODUCTS, {
	// Refuses rows that say two things of one price, before the product is read.
	check: (readItem) => checkVariantChanges(namedVariants(readItem) ?? []),
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
