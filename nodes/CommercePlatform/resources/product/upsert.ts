import type { IDataObject } from 'n8n-workflow';

import { inParallel, type PlatformClient } from '../../../shared/rest/client';
import { nextTurn } from '../../../shared/rest/clock';
import { isInDevelopment, mayBeNotThere } from '../../../shared/rest/errorBody';
import { InputError, PlatformError } from '../../../shared/rest/errors';
import type { PlatformResponse } from '../../../shared/rest/request';
import {
	type OperationResult,
	readBatchResults,
	type UpsertResult,
} from '../../../shared/shop/answers';
import { isSame, objectsIn } from '../../../shared/values/json';
import { choice, notice, numberField } from '../../../shared/values/fields';
import { amountOptions } from '../../fields/amounts';
import { dryRun, onlyIfChanged } from '../../fields/options';
import { isJustRead } from '../../runner/lookup';
import type { BulkCall, BulkItem, ReadItem } from '../../runner/operation';
import { counted } from '../../runner/report';
import { all } from '../makeOperation';
import { withCategoryIds } from './categories';
import { differences, isUnchanged, previewRow, replaces, skuOf, skusOf } from './changes';
import {
	isDone,
	isInShop,
	keysToLookUp,
	patchProduct,
	plannedWrites,
	type ProductWrite,
	skuOfItem,
	tellOfHandles,
	withSkuLocks,
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

/** API document, "Products". */
const BATCH = { method: 'POST', path: '/products/batch' } as const;

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
			const isCompared = onlyIfChanged === true || !isAsEntered;
			const mayBeLeft = product !== undefined && !isDone(write);
			if (mayBeLeft && isCompared && changesOf(write).next().done === true)
				productDone(write, product, 'unchanged');
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
 * list for the whole list.
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

/** Called for each product that was written or needed no write. `record` is the product, if the answer shows it. */
type ProductDone = (write: ProductWrite, record?: IDataObject, result?: UpsertResult) => void;

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
	const toSend: ProductWrite[] = [];
	for (const write of writes) {
		await nextTurn();
		const { items, fields, product } = write;
		const { title } = product ?? fields;
		const changes = [...changesOf(write)];
		const result = product === undefined ? 'would create' : undefined;
		if (product === undefined) tellOfNoTitle(call, write);
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

/** How many operations a batch may hold on every plan (API document, "Other limits"; Enterprise may have more). */
const MAX_BATCH_OPERATIONS = 100;

/** The document gives no limit for a body. Many servers refuse more than 1 MiB. */
const MAX_BATCH_BYTES = 1_000_000;

/** The body of a batch or an import (API document, "Products": `{ operations: [{ op: 'upsert', sku, title, ... }] }`). */
export const operationsOf = (products: ReadonlyArray<{ fields: IDataObject }>): IDataObject => ({
	operations: products.map(({ fields }) => ({ op: 'upsert', ...fields })),
});

/** How much a product adds to a body, save for the few bytes of the operation around it. */
export const operationBytes = ({ fields }: { fields: IDataObject }): number =>
	Buffer.byteLength(JSON.stringify(fields));

/** Groups writes into batches, each when it is asked for. One that is too large gets a batch of its own. */
function* groupBatches(
	writes: readonly ProductWrite[],
	maxOperations = MAX_BATCH_OPERATIONS,
): Generator<ProductWrite[], void, void> {
	let batch: ProductWrite[] = [];
	let batchBytes = 0;
	for (const write of writes) {
		const bytes = operationBytes(write);
		const isFull = batch.length >= maxOperations || batchBytes + bytes > MAX_BATCH_BYTES;
		if (isFull && batch.length > 0) {
			yield batch;
			[batch, batchBytes] = [[], 0];
		}
		batch.push(write);
		batchBytes += bytes;
	}
	if (batch.length > 0) yield batch;
}

/** Statuses with which the platform refuses a request for its content or its size. */
const REFUSED_WHOLE = new Set([400, 413, 422]);

/**
 * Says how a batch or job failed.
 *
 * @returns `notThere` if the platform has no such endpoint, or not for this key; `notTaken` if it does not accept the
 *   content or the size; `uncertain` if it may have been applied; undefined if it was not sent, or refused otherwise
 */
function batchFailureOf(error: unknown): 'notThere' | 'notTaken' | 'uncertain' | undefined {
	if (!(error instanceof PlatformError))
		return error instanceof InputError ? undefined : 'uncertain';
	const { status = 0, mayBeApplied, code = '' } = error.details;
	// 501 or IN_DEVELOPMENT: the endpoint does not exist, so no attempt was applied. After a lost answer, any other refusal
	// may answer a repeat, so it proves nothing. A 409 may mean that the platform knows the key, so that an earlier sending
	// was applied.
	if (isInDevelopment(error.details)) return 'notThere';
	if (mayBeApplied || status === 409 || /idempotency/i.test(code)) return 'uncertain';
	if (mayBeNotThere(error.details)) return 'notThere';
	return REFUSED_WHOLE.has(status) ? 'notTaken' : undefined;
}

/**
 * Notes what is known of a batch or job that failed. One that may have been applied keeps its key; one that was refused
 * gets a new one when it is sent again: for the old key the platform may repeat its old answer.
 */
export function noteFailure(call: BulkCall, items: readonly BulkItem[], error: unknown): void {
	const failure = batchFailureOf(error);
	if (isWholeRefusal(failure)) call.refused(items);
	else if (failure === 'uncertain') call.noteMayBeApplied(items);
}

const isWholeRefusal = (failure: ReturnType<typeof batchFailureOf>): boolean =>
	failure === 'notThere' || failure === 'notTaken';

/**
 * Sends writes of different SKUs in batches, several at once, and reports the result of each. Those of a refused batch
 * fail, unless they can be sent alone.
 */
class Batches {
	readonly toSendAlone = new Set<ProductWrite>();
	/** How many batches the platform refused as a whole. */
	refusedCount = 0;
	/** The error that says that the platform has no batches. */
	notThereError?: unknown;
	/** Whether the platform has answered a batch. A later refusal is then about its batch alone. */
	private areThere = false;

	constructor(
		private readonly call: BulkCall,
		private readonly productDone: ProductDone,
	) {}

	/** @throws CancelledError */
	async send(writes: readonly ProductWrite[]): Promise<void> {
		const { client, items, options, report } = this.call;
		let sentCount = items.length - writes.length;
		const sendOpen = async (batch: ProductWrite[]) => {
			// Writes that an earlier try has done (Retry On Fail) are left out here and not before: the grouping, and with
			// it the keys, must stay the same.
			await this.sendOne(batch.filter((write) => !isDone(write)));
			report.progress((sentCount += batch.length), items.length, 'products');
		};
		const batches = groupBatches(writes, options.batchSize);
		// The first batch shows whether the platform has batches at all.
		await sendOpen(batches.next().value ?? []);
		await inParallel(batches, client.options.maxInFlight, sendOpen, () => this.call.stopped());
	}

	private async sendOne(batch: readonly ProductWrite[]): Promise<void> {
		const { call } = this;
		if (this.notThereError !== undefined) return this.handleFailure(batch, this.notThereError);
		if (batch.length === 0 || call.stopped()) return;
		let answer: PlatformResponse;
		try {
			answer = await call.send({ ...BATCH, body: operationsOf(batch) }, itemsOf(batch));
		} catch (error) {
			const failure = batchFailureOf(error);
			if (!this.areThere && failure === 'notThere') this.notThereError = error;
			else if (isWholeRefusal(failure)) this.refusedCount++;
			return this.handleFailure(batch, error);
		}
		this.areThere = true;
		const skus = batch.map(({ sku }) => sku);
		const results = readBatchResults(skus, answer.body);
		for (const [index, write] of batch.entries()) this.handleResult(write, results[index], answer);
	}

	/** Sends the writes of a refused batch alone later, if that is allowed; otherwise they fail, as after any failure. */
	private handleFailure(batch: readonly ProductWrite[], error: unknown): void {
		const failure = batchFailureOf(error);
		if (isWholeRefusal(failure) && this.call.options.ifBatchNotAvailable !== 'stop') {
			for (const write of batch) this.toSendAlone.add(write);
			return;
		}
		noteFailure(this.call, itemsOf(batch), error);
		const reason =
			failure === 'notTaken' && error instanceof PlatformError
				? new PlatformError('batch-refused', error.request, error.details)
				: error;
		for (const { items } of batch) this.call.failed(items, reason);
	}

	/** Reports the result of a write. */
	private handleResult(
		write: ProductWrite,
		result: OperationResult,
		{ requestId, earlierMayBeApplied }: PlatformResponse,
	): void {
		const { call } = this;
		const { items, sku } = write;
		const request = { ...BATCH, host: call.client.host };
		const hint = `SKU “${sku}”`;
		if (result.kind === 'done') this.productDone(write, result.record, result.result);
		else if (result.kind === 'notConfirmed') {
			call.noteMayBeApplied(items);
			const details = { requestId, hint: `${hint}: ${result.reason}.` };
			call.failed(items, new PlatformError('not-confirmed', request, details));
		} else {
			// If an earlier answer was lost, the operation may have been done before this refusal.
			if (earlierMayBeApplied) call.noteMayBeApplied(items);
			else call.refused(items);
			const details = { requestId, ...result.details, hint: `${hint}.` };
			call.failed(items, new PlatformError('operation-refused', request, details));
		}
	}
}

const itemsOf = (writes: readonly ProductWrite[]): BulkItem[] =>
	writes.flatMap(({ items }) => items);

/** How many requests writes take at most if they are sent alone. */
function requestsAlone(writes: readonly ProductWrite[]): number {
	const unread = writes.filter(({ readMs }) => readMs === undefined);
	// A product takes a write, and a read before it if its variants are merged, unless it is created.
	return writes.reduce(
		(sum, { product, readMs, variantChanges: { length } }) =>
			sum + (length > 0 && (product !== undefined || readMs === undefined) ? 2 : 1),
		keysToLookUp(unread.flatMap(({ items }) => items)).length,
	);
}

/** Whether a batch can hold a write: the document's batch names products by SKU. */
const hasSku = ({ sku }: ProductWrite): boolean => sku !== '';

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
			await writeAlone(call, write, productDone);
			call.report.progress(++sentCount, known.length, 'products');
		},
		() => call.stopped(),
	);
}

async function writeAlone(
	call: BulkCall,
	write: ProductWrite,
	productDone: ProductDone,
): Promise<void> {
	const { items, product } = write;
	try {
		if (product === undefined)
			return productDone(write, await createProduct(call, write), 'created');
		const written = await patchProduct(call, { ...write, product });
		if (written !== undefined) productDone(write, written.answer.record, 'updated');
	} catch (error) {
		call.failed(items, error);
	}
}

/**
 * Creates the same product as a batch would: its SKU is the SKU of a variant. If it was looked for some time ago, it is
 * looked for once more: somebody else may have made it.
 *
 * @returns the product, if the answer shows it
 * @throws InputError, also if the shop has it now; PlatformError
 */
async function createProduct(
	call: BulkCall,
	{ items, sku, ownFields, variantChanges, readMs = -Infinity }: ProductWrite,
): Promise<IDataObject | undefined> {
	if (!isJustRead(call.client, readMs) && (await isInShop(call, items)))
		throw new InputError(
			'SKU',
			`“${sku}” has come into the shop during this run`,
			'Nothing was sent for it. Run it again: that updates the product.',
		);
	const ofSku = sku === '' ? [] : [{ sku }];
	const variants = variantChanges.length === 0 ? ofSku : [...variantChanges];
	if (sku !== '' && !variants.some((variant) => variant.sku === sku))
		throw new InputError(
			'SKU',
			`“${sku}” is not the SKU of one of the product’s variants`,
			'It was not created, since nothing would find it by this SKU again. Enter the SKU of a variant.',
		);
	const body = { ...ownFields, ...(variants.length > 0 && { variants }) };
	const { record } = await call.send({ method: 'POST', path: '/products', body }, items);
	return record;
}
