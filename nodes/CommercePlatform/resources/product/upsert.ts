import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../../shared/rest/client';
import { nextTurn } from '../../../shared/rest/clock';
import { InputError } from '../../../shared/rest/errors';
import { isSame, objectsIn } from '../../../shared/values/json';
import { choice, notice, numberField } from '../../../shared/values/fields';
import { amountOptions } from '../../fields/amounts';
import { dryRun, onlyIfChanged } from '../../fields/options';
import type { BulkCall, BulkItem, ReadItem } from '../../runner/operation';
import { counted } from '../../runner/report';
import { all } from '../makeOperation';
import { BATCH, Batches, groupBatches, hasSku } from './batches';
import { withCategoryIds } from './categories';
import { differences, isUnchanged, previewRow, replaces, skuOf, skusOf } from './changes';
import {
	isDone,
	plannedWrites,
	type ProductDone,
	type ProductWrite,
	skuOfItem,
	tellOfHandles,
} from './plan';
import { productOfRows } from './rows';
import {
	columnsNotSent,
	columnsToSend,
	groupEntered,
	isWholeBody,
	skuEntered,
	specifyProduct,
} from './specifyProduct';
import { requestsAlone, sendAlone, withSkuLocks } from './writeProduct';

/** The SKUs that an item writes: several if rows make one product. */
function skuTargets({ fields, itemIndexes }: Pick<BulkItem, 'fields' | 'itemIndexes'>): string[] {
	const skus = itemIndexes.length > 1 ? new Set(skusOf(fields)) : [skuOf(fields)];
	return [...skus].filter(Boolean).map((sku) => `SKU ${sku}`);
}

/** What an operation for many products says of its items, however the products are entered. */
export const OF_PRODUCTS = {
	keyOf: { name: 'sku', read: skuEntered },
	columnsLeftOut: columnsNotSent,
	// A row with an error still belongs to its product.
	rowOf: groupEntered,
	joinRows: productOfRows,
	targetsOf: skuTargets,
	replaces,
	// A whole body is sent as it stands.
	complete: async ({ item, fields }: ReadItem, client: PlatformClient): Promise<IDataObject> =>
		isWholeBody(item) ? fields : await withCategoryIds({ fields }, client),
};

export const upsert = all({
	...OF_PRODUCTS,
	request: `${BATCH.method} ${BATCH.path}`,
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update product',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	inDevelopment:
		"Meanwhile, set 'If Batch Is Not Available' to Send One by One: each product is looked up and written by itself.",
	run: upsertProducts,
	fields: [
		notice(
			'batchNotice',
			"Up to 100 products per request. Batches are in development: without them, one by one ('If Batch Is Not Available').",
		),
		...specifyProduct(),
	],
	options: [
		...amountOptions,
		dryRun,
		numberField(
			'Batch Size',
			'batchSize',
			'How many products one request holds at most. Fewer make it easier to see which one the platform refuses.',
			{ default: 100, min: 1, max: 100 },
		),
		choice(
			'If Batch Is Not Available',
			'ifBatchNotAvailable',
			{
				single: [
					'Send One by One',
					'Look up each SKU, then write: two requests per item, three with variants or prices. What you leave out stays.',
				],
				stop: ['Stop', 'Fail with an error'],
			},
			'How products are written while the platform takes no batches. Its changelog will announce them.',
		),
		columnsToSend,
		onlyIfChanged,
	],
});

/**
 * Creates or updates the products of all input items in batches. Runs that write one SKU go one after the other.
 *
 * @throws PlatformError if the shop's products cannot be read
 */
async function upsertProducts(call: BulkCall): Promise<void> {
	const { options, report } = call;
	const { dryRun, onlyIfChanged } = options;
	await tellOfHandles(call);
	const reads = readsOf(call);
	if (dryRun === true) return await showWrites(call, await plannedWrites(call, call.items, reads));
	const counts = { created: 0, updated: 0, unchanged: 0, unknown: 0 };
	const productDone = resultsOf(call, counts);
	await withSkuLocks(call, async () => {
		// The shop is read after earlier runs of the same SKUs: before, it would show what they replace.
		// Items that an earlier try has done stay among the others, because how batches are grouped depends on it.
		const toSend: ProductWrite[] = [];
		for (const write of await plannedWrites(call, call.items, reads)) {
			await nextTurn();
			const { product, isAsEntered } = write;
			// What was joined or merged may be what the shop has already.
			const isCompared = onlyIfChanged === true || !isAsEntered;
			const mayBeLeft = product !== undefined && !isDone(write);
			// What an earlier try may have written is not called unchanged.
			const result = write.items.some((item) => item.mayBeApplied) ? undefined : 'unchanged';
			if (mayBeLeft && isCompared && changesOf(write).next().done === true)
				productDone(write, product, result);
			else toSend.push(write);
		}
		await sendWrites(call, toSend, productDone);
	});
	const { created, updated, unchanged, unknown } = counts;
	const unknownText = unknown === 0 ? '' : `, written without saying which: ${counted(unknown)}`;
	if (call.items.length > 1)
		report.hint(
			`Created: ${counted(created)}, updated: ${counted(updated)}, unchanged: ${counted(unchanged)}${unknownText}.`,
		);
}

/**
 * What is read of the shop. The products, for Only If Changed and for a dry run. Also their lists of variants, for rows
 * of a file, which may be about one product or have lost a zero, and for lists of variants: a platform may take such a
 * list for the whole list. A Price is a list of one variant.
 */
function readsOf({ items, options: { onlyIfChanged, dryRun }, parameter }: BulkCall) {
	const mode = parameter('specifyProduct', '');
	const hasLists = items.some(({ fields }) => fields.variants !== undefined);
	// What is entered as JSON is sent as it stands.
	if (mode === 'autoMapInputData' || (hasLists && mode !== 'json')) return 'lists';
	return onlyIfChanged === true || dryRun === true ? 'products' : 'nothing';
}

/** What a write would change of its product. */
function* changesOf({ fields, product, ownFields }: ProductWrite) {
	const { sku, variants, prices } = fields;
	yield* differences({ ...ownFields, variants }, product ?? {});
	// The product's own prices may be something else, such as a range from the lowest to the highest.
	const variant = objectsIn(product?.variants).find((entry) => entry.sku === sku);
	yield* differences(prices, (variant ?? product)?.prices, 'prices');
}

/** Makes the function that reports what became of a product, to each of its items. */
function resultsOf(call: BulkCall, counts: Record<string, number>): ProductDone {
	const isShort = call.options.wholeRecord !== true;
	const shown = (item: BulkItem, outcome: IDataObject, record?: IDataObject): IDataObject => {
		const sku = skuOfItem(item);
		if (record === undefined) return { sku, ...outcome, written: true };
		if (!isShort) return { ...record, ...outcome };
		const { id, title, updated_at } = record;
		return { id, sku, title, ...outcome, ...(updated_at !== undefined && { updated_at }) };
	};
	const writtenTo = new Map<unknown, ProductWrite>();
	return (write, record, result) => {
		tellOfContradiction(call, writtenTo, write, record);
		counts[result ?? 'unknown']++;
		const outcome = { ...(result && { result }), ...(result === 'unchanged' && { skipped: true }) };
		if (result === 'created') tellOfNoTitle(call, write);
		if (result !== 'unchanged') tellOfOtherSkus(call, write);
		for (const item of write.items) call.done([item], shown(item, outcome, record));
	};
}

/** Tells of rows with different SKUs that the platform took for one product, though they say different things of it. */
function tellOfContradiction(
	{ report }: BulkCall,
	writtenTo: Map<unknown, ProductWrite>,
	write: ProductWrite,
	{ id }: IDataObject = {},
): void {
	if (id === undefined) return;
	const earlier = writtenTo.get(id);
	writtenTo.set(id, write);
	if (earlier === undefined || earlier.sku === write.sku) return;
	const isOther = ([name, value]: [string, unknown]) =>
		name !== 'sku' && name in earlier.fields && !isSame(earlier.fields[name], value);
	if (Object.entries(write.fields).some(isOther))
		for (const { items } of [earlier, write])
			report.tellOfRow(
				'Rows with different SKUs are about one product and say different things of it, and the last one counts:',
				items[0].row,
			);
}

/** Tells of rows that change a product with SKUs that no row names: its title and status count for them, too. */
function tellOfOtherSkus({ report }: BulkCall, { items, ownFields, product }: ProductWrite): void {
	if (product === undefined || isUnchanged(ownFields, product)) return;
	const named = new Set(items.flatMap(({ fields }) => skusOf(fields)));
	if (skusOf(product).some((sku) => !named.has(sku)))
		report.tellOfRow(
			'Title, status or other fields count for SKUs that no row names, too, since they are of the same product:',
			items[0].row,
		);
}

function tellOfNoTitle({ report }: BulkCall, { items, fields }: ProductWrite): void {
	if (fields.title === undefined) report.tellOfRow('New products without a title:', items[0].row);
}

/** Does the dry run: shows what would change. */
async function showWrites(call: BulkCall, writes: readonly ProductWrite[]): Promise<void> {
	const { batchSize, onlyIfChanged } = call.options;
	// Items that only name SKUs look which of them are there. Nobody creates such products.
	const isLookUp = writes.every(({ fields }) =>
		Object.keys(fields).every((name) => name === 'sku'),
	);
	const toSend: ProductWrite[] = [];
	for (const write of writes) {
		await nextTurn();
		const { items, fields, product } = write;
		const { title } = product ?? fields;
		const changes = [...changesOf(write)];
		const result = product === undefined ? 'would create' : undefined;
		if (product === undefined && !isLookUp) tellOfNoTitle(call, write);
		else if (changes.length > 0) tellOfOtherSkus(call, write);
		for (const item of items)
			call.done([item], previewRow({ sku: skuOfItem(item), title }, changes, result));
		if (product === undefined || changes.length > 0 || onlyIfChanged !== true) toSend.push(write);
	}
	const inBatches = toSend.filter(hasSku);
	const batches = [...groupBatches(inBatches, batchSize)];
	const requests = batches.length + toSend.length - inBatches.length;
	const alone = requestsAlone(toSend);
	call.report.wouldSend(
		requests,
		alone > requests ? ` Without batches, it is up to ${counted(alone)} requests.` : '',
	);
}

/** How a merchant gets batches, for messages. */
const HOW_TO_HAVE_BATCHES =
	'Batches need one for 100 products; ask the platform’s support for them.';

/** Sends writes in batches. Those that batches do not take are sent alone, if the day has enough requests left. */
async function sendWrites(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<void> {
	const batches = new Batches(call, productDone);
	await batches.send(writes.filter(hasSku));
	const { toSendAlone, refusedCount, notThereError } = batches;
	const withoutSku = writes.filter((write) => !hasSku(write) && !isDone(write));
	const alone = [...writes.filter((write) => toSendAlone.has(write)), ...withoutSku];
	if (alone.length === 0 || call.stopped()) return;
	const refused = refusedCount === 1 ? '1 batch' : `${counted(refusedCount)} batches`;
	const reason = notThereError === undefined ? `refused ${refused}` : 'takes no batches';
	const productsText = `${counted(alone.length)} ${alone.length === 1 ? 'product' : 'products'}`;
	const budget = call.client.rateLimit();
	const requests = requestsAlone(alone);
	if (budget.dayRemaining === undefined || requests <= budget.dayRemaining) {
		if (toSendAlone.size > 0)
			call.report.hint(
				`The platform ${reason}, so ${productsText} went one by one, with up to ${counted(requests)} requests. ${HOW_TO_HAVE_BATCHES}`,
			);
		return await sendAlone(call, alone, productDone);
	}
	const error = new InputError(
		'Send One by One',
		`takes up to ${counted(requests)} requests for ${productsText}, and ${counted(budget.dayRemaining)} are left of today`,
		`The platform ${reason}. None of these products was sent. Send fewer items, or wait for the next day (UTC). ${HOW_TO_HAVE_BATCHES}`,
	);
	for (const { items } of alone) call.failed(items, error);
}
