import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../shared/rest/client';
import { nextTurn } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import { isSame } from '../../shared/values/json';
import type { BulkCall, BulkItem } from '../runner/operation';
import { counted } from '../runner/report';
import { groupBatches, sendBatches } from './batches';
import { changesOf, namesToLookUp, plannedWrites, productsByNames } from './plan';
import {
	isDone,
	type ProductDone,
	type ProductWrite,
	skuOfItem,
	tellOfFreeProducts,
	tellOfHandles,
	withProductLock,
	withSkuLocks,
} from './products';
import { previewRow } from './unchanged';
import { findRecords, isJustRead } from '../runner/lookup';
import { patchProduct } from './merge';

/**
 * Creates or updates the products of all input items in batches. Runs that write one SKU go one after the other.
 *
 * @throws PlatformError if the shop's products cannot be read
 */
export async function upsertProducts(call: BulkCall): Promise<void> {
	const { options, report } = call;
	await tellOfHandles(call);
	await tellOfFreeProducts(call);
	const reads = readsOf(call);
	// Items that an earlier try has done stay among the others, because how batches are grouped depends on it.
	const planned = async () => await plannedWrites(call, call.items, reads);
	if (options.dryRun === true) return await showWrites(call, await planned());
	const counts = { created: 0, updated: 0, unchanged: 0, unknown: 0 };
	const productDone = resultsOf(call, counts);
	await withSkuLocks(call, async () => {
		// The shop is read after earlier runs of the same SKUs: before, it would show what they replace.
		const writes = await planned();
		const { onlyIfChanged } = options;
		const toSend: ProductWrite[] = [];
		for (const write of writes) {
			await nextTurn();
			const { product, isAsEntered } = write;
			const isCompared =
				product !== undefined && !isDone(write) && (onlyIfChanged === true || !isAsEntered);
			if (isCompared && changesOf(write).next().done === true)
				productDone(write, product, 'unchanged');
			else toSend.push(write);
		}
		await send(call, toSend, productDone);
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
 * list for the whole list.
 */
function readsOf({ items, options: { onlyIfChanged, dryRun }, parameter }: BulkCall) {
	const mode = parameter('specifyProduct', '');
	const hasLists = items.some(({ fields }) => fields.variants !== undefined);
	// What is entered as JSON is sent as it stands.
	if (mode === 'autoMapInputData' || (hasLists && mode !== 'json')) return 'lists';
	return onlyIfChanged === true || dryRun === true ? 'products' : 'nothing';
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

function tellOfNoTitle({ report }: BulkCall, { items, fields }: ProductWrite): void {
	if (fields.title === undefined) report.tellOfRow('New products without a title:', items[0].row);
}

/** How a merchant gets batches, for messages. */
const HOW_TO_HAVE_BATCHES =
	'Batches need one for 100 products; ask the platform’s support for them.';

/** Sends writes in batches. Those that batches do not take are sent alone, if the day has enough requests left. */
async function send(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<void> {
	const { toSendAlone, refusedBatches, takesNone } = await sendBatches(
		call,
		writes.filter(hasSku),
		productDone,
	);
	const withoutSku = writes.filter((write) => !hasSku(write) && !isDone(write));
	const alone = [...toSendAlone, ...withoutSku];
	if (alone.length === 0 || call.stopped()) return;
	const batches = refusedBatches === 1 ? '1 batch' : `${counted(refusedBatches)} batches`;
	const reason = takesNone ? 'takes no batches' : `refused ${batches}`;
	const productsText = `${counted(alone.length)} ${alone.length === 1 ? 'product' : 'products'}`;
	const budget = call.client.rateLimit();
	const requests = requestsAlone(alone);
	if (budget.dayRemaining === undefined || requests <= budget.dayRemaining) {
		if (toSendAlone.length > 0)
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

/** How many requests writes take at most if they are sent alone. */
function requestsAlone(writes: readonly ProductWrite[]): number {
	const unread = writes.filter(({ readMs }) => readMs === undefined);
	// A product takes a write, and a read before it if its variants are merged, unless it is created.
	return writes.reduce(
		(sum, { product, readMs, variantChanges: { length } }) =>
			sum + (length > 0 && (product !== undefined || readMs === undefined) ? 2 : 1),
		namesToLookUp(unread.flatMap(({ items }) => items)).length,
	);
}

/** Whether a batch can hold a write: the document's batch names products by SKU. */
const hasSku = ({ sku }: ProductWrite): boolean => sku !== '';

/** Does the dry run: shows what would change. */
async function showWrites(call: BulkCall, writes: readonly ProductWrite[]): Promise<void> {
	const { batchSize, onlyIfChanged } = call.options;
	const toSend: ProductWrite[] = [];
	for (const write of writes) {
		await nextTurn();
		const { items, fields, product } = write;
		const { title } = product ?? fields;
		const changes = [...changesOf(write)];
		const result = product === undefined ? 'would create' : undefined;
		if (product === undefined) tellOfNoTitle(call, write);
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

/**
 * Writes products without batches, each while no other run writes it.
 *
 * @param writes whose items have no result yet
 * @param productDone receives the products that were written
 */
async function sendAlone(
	call: BulkCall,
	writes: readonly ProductWrite[],
	productDone: ProductDone,
): Promise<void> {
	const { client } = call;
	const isRead = writes.every(({ readMs }) => readMs !== undefined);
	const items = writes.flatMap((write) => write.items);
	const known = isRead ? writes : await plannedWrites(call, items, 'products');
	let sentCount = 0;
	await inParallel(
		known,
		client.options.maxInFlight,
		async (write) => {
			const { product, readMs = -Infinity } = write;
			await withProductLock(call, product, async (hadToWait) => {
				if (call.stopped()) return;
				await writeOne(call, write, hadToWait || !isJustRead(client, readMs)).then(
					(written) => productDone(write, ...written),
					(error: unknown) => call.failed(write.items, error),
				);
			});
			call.report.progress(++sentCount, known.length, 'products');
		},
		() => call.stopped(),
	);
}

/**
 * @param isOutdated whether others may have written the product since it was looked for
 * @returns what `productDone` receives: the product, if the answer shows it, and what was done to it
 */
async function writeOne(
	call: BulkCall,
	write: ProductWrite,
	isOutdated: boolean,
): Promise<[record: IDataObject | undefined, result: 'created' | 'updated']> {
	const { product } = write;
	if (product === undefined) {
		if (isOutdated) await checkIsNew(call, write);
		return [await createProduct(call, write), 'created'];
	}
	const { answer } = await patchProduct(call, { ...write, product }, isOutdated);
	return [answer.record, 'updated'];
}

/**
 * Looks once more for a product before it is created: somebody else may have made it since all were looked for.
 *
 * @throws InputError if the shop has it now; PlatformError
 */
async function checkIsNew(call: BulkCall, { items, sku }: ProductWrite): Promise<void> {
	const products = await findRecords(call, productsByNames, namesToLookUp(items));
	if ([...products.values()].every((named) => named.length === 0)) return;
	throw new InputError(
		'SKU',
		`“${sku}” has come into the shop during this run`,
		'Nothing was sent for it. Run it again: that updates the product.',
	);
}

/** Creates the same product as a batch would: its SKU is the SKU of a variant. */
async function createProduct(
	call: BulkCall,
	{ items, sku, body: fields, variantChanges }: ProductWrite,
): Promise<IDataObject | undefined> {
	const ofSku = sku === '' ? [] : [{ sku }];
	const variants = variantChanges.length === 0 ? ofSku : [...variantChanges];
	if (sku !== '' && !variants.some((variant) => variant.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...fields, ...(variants.length > 0 && { variants }) };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, items);
	return record;
}
