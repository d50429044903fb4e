import type { IDataObject } from 'n8n-workflow';

import type { PlatformRequest } from '../../../shared/api/request';
import { InputError } from '../../../shared/errors/errors';
import { decimalAmounts } from '../../../shared/fields';
import { describe, someText } from '../../../shared/values/readers';
import { skusOf } from '../../bulk/products';
import { differences, differingFields, isUnchanged, previewRow } from '../../bulk/unchanged';
import type { Call, Changes, PlannedItem } from '../../run/operation';
import { choice } from '../../fields/build';
import { bodyField } from '../../fields/field';
import { amountsAreIn } from '../../fields/money';
import { onlyIfChanged } from '../../fields/options';
import { updateFields } from '../../fields/update';
import {
	changesNothing,
	checkNamedOnce,
	mergedRequest,
	readProduct,
	writeMerged,
} from '../../bulk/merge';
import { update } from '../operation';
import { CHEAPER_WAY, productFields, PRODUCTS, title } from './productFields';

const MERGE = 'merge';
const REPLACE = 'replace';

/** What becomes of the variants and prices that an update does not name. */
const writeVariants = choice(
	'Variants',
	'writeVariants',
	{
		[MERGE]: [
			'Merge by SKU and Currency',
			'Read the product first, and change only the variants and prices that you enter: one more request',
		],
		[REPLACE]: [
			'Replace All',
			'Send your variants as the whole list: the platform may delete every variant, price and title that you do not enter',
		],
	},
	'What happens to variants and prices that you do not enter, if you enter any. Merging adds a new SKU only with a title.',
	{ noDataExpression: true },
);

/**
 * The variants to merge.
 *
 * @returns undefined where none are, or where they are to replace all others
 * @throws InputError
 */
function namedVariants({ item, fields }: PlannedItem): IDataObject[] | undefined {
	const { variants } = fields;
	// An empty list is what Fields to Clear sends.
	if (!Array.isArray(variants) || variants.length === 0) return undefined;
	const chosen = item.parameter(writeVariants.name, MERGE);
	if (chosen === MERGE) return variants as IDataObject[];
	if (chosen === REPLACE) return undefined;
	throw new InputError(writeVariants.displayName, `cannot be ${describe(chosen)}`);
}

/**
 * Refuses rows that say two things of one price, before the product is read.
 *
 * @throws InputError
 */
function checkNamedVariants(planned: PlannedItem): void {
	checkNamedOnce(writeVariants.displayName, namedVariants(planned) ?? []);
}

const idIn = ({ pathParams }: PlatformRequest) => (pathParams?.productId ?? '').trim();

const HANDLE = 'handle:';

/** Products as an update names them: by ID or by handle. */
const productChanges: Changes = {
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
	keyOf: ({ item, request }) => {
		const named = (request.pathParams?.productId ?? '').trim();
		return item.locatorMode('productId') === 'handle' ? HANDLE + named : named;
	},
	isUnchanged: (planned, product) => {
		const named = namedVariants(planned);
		if (named === undefined) return isUnchanged(planned.fields, product);
		return (
			isUnchanged({ ...planned.fields, variants: undefined }, product) &&
			changesNothing(product.variants, named)
		);
	},
};

/** Sends the update; variants that are to be merged are read first, and again where the product has changed since. */
async function mergeAndSend(call: Call): Promise<IDataObject> {
	const { request } = call;
	const named = namedVariants(call);
	if (named === undefined) return compared(call, request, await call.record(request));
	const id = idIn(request);
	const client = {
		request: async (one: PlatformRequest) => await call.send(one, 'read'),
	};
	const read = async () => await readProduct(client, id);
	let merged = request;
	const answer = await writeMerged(await read(), read, async (current, attempt) => {
		merged = mergedRequest(request, current, writeVariants.displayName, named);
		return await call.send(merged, attempt === 1 ? undefined : `merge ${attempt}`);
	});
	const { record, status } = answer;
	return record === undefined ? { success: true, id, status } : compared(call, merged, record);
}

/** Says where the answer to an update shows other values than were written. */
function compared(call: Call, { body = {} }: PlatformRequest, record: IDataObject): IDataObject {
	const differing = record.success === true ? [] : differingFields(body, record);
	if (differing.length > 0)
		call.hint(
			`The platform’s answer to an update shows other values than were written: ${differing.join(', ')}.`,
		);
	return record;
}

/** What a dry run shows: what the update would change. */
async function previewUpdate({ request, client }: Call): Promise<IDataObject> {
	const { product } = await readProduct(client, idIn(request));
	const about = { id: product.id, sku: skusOf(product).join(', '), title: product.title };
	return previewRow(about, differences(request.body, product));
}

export const updateProduct = update(PRODUCTS, {
	check: checkNamedVariants,
	run: mergeAndSend,
	preview: previewUpdate,
	changes: productChanges,
	cheaperWay: CHEAPER_WAY,
	fields: [
		writeVariants,
		amountsAreIn,
		...updateFields(
			[...productFields, bodyField(title, someText)],
			[
				{ name: 'Categories', value: 'categories', empty: [] },
				{ name: 'Description', value: 'description', empty: '' },
				{ name: 'Variants', value: 'variants', empty: [] },
			],
		),
	],
	options: [decimalAmounts, onlyIfChanged],
});
