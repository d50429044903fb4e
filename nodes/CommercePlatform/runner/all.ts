import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import type { Item } from '../../shared/values/fields';
import { saysNothing } from '../../shared/values/readers';
import { BulkItem } from './bulkItem';
import type { InputItems } from './inputItems';
import type { AllOperation, BulkCall } from './operation';
import type { ItemRequest } from './itemRequest';
import { pairedWith, type Results } from './results';
import type { Run } from './run';

/**
 * Runs an operation that handles all items together. All are read before anything is sent. Every item gets a result,
 * even if the operation breaks off: the results that it has reported stay.
 */
export async function runAll(
	run: Run,
	operation: AllOperation,
	itemRequests: AsyncIterable<ItemRequest>,
	results: Results,
	inputs: InputItems,
): Promise<void> {
	const fieldsByIndex = new Map<number, IDataObject>();
	const fieldsOf = (itemIndex: number) => fieldsByIndex.get(itemIndex) ?? {};
	const singleRows: BulkItem[] = [];
	const readable = new Set<number>();
	let firstRequest: ItemRequest | undefined;
	for await (const itemRequest of itemRequests) {
		const { itemIndex } = itemRequest.item;
		firstRequest ??= itemRequest;
		readable.add(itemIndex);
		fieldsByIndex.set(itemIndex, itemRequest.fields);
		if (operation.productRows?.productOf(itemRequest.item) !== undefined) continue;
		if (operation.productRows && !saysNothing(itemRequest.fields.handle))
			run.report.hasHandle(String(itemRequest.fields.handle), itemIndex + 1);
		singleRows.push(new BulkItem([itemIndex], itemRequest.fields, () => fieldsOf(itemIndex)));
	}
	if (firstRequest === undefined || results.stopped) return;
	const multiRowProducts =
		readable.size === singleRows.length
			? []
			: bulkItemsOfRows(run, operation, fieldsByIndex, results, inputs);
	const items = [...singleRows, ...multiRowProducts];
	if (results.stopped) return;
	for (const item of items)
		for (const target of targetsOf(run.client.credentialId, item)) run.report.writesTo(target, item.itemIndex + 1);
	for (const item of items) {
		if (run.writes.outputOfEarlierTry(item.itemIndex) === undefined) continue;
		// It stays among the others, because how they are grouped depends on it.
		item.hasResult = true;
		for (const itemIndex of item.itemIndexes)
			results.done(itemIndex, run.writes.outputOfEarlierTry(itemIndex) ?? []);
	}
	beginWrites(run, items, results);
	const reason = await operation.run(bulkCall(run, items, firstRequest, results)).then(
		() => new TypeError('No result was given for an item'),
		(error: unknown) => error,
	);
	if (results.stopped) return;
	for (const { itemIndexes, hasResult } of items)
		if (!hasResult) results.failed(itemIndexes, reason);
}

/**
 * Makes products of several rows each, in the order of their first rows. If one row of a product cannot be used,
 * nothing of the product is sent.
 *
 * @param readable the fields of the items that could be read
 */
function bulkItemsOfRows(
	{ itemIndexes }: Run,
	{ productRows }: AllOperation,
	readable: ReadonlyMap<number, IDataObject>,
	results: Results,
	inputs: InputItems,
): BulkItem[] {
	const indexesByName = new Map<string, number[]>();
	for (const itemIndex of itemIndexes) {
		const name = nameOfRow(productRows, inputs.item(itemIndex));
		if (name === undefined) continue;
		const indexes = indexesByName.get(name) ?? [];
		indexes.push(itemIndex);
		indexesByName.set(name, indexes);
	}
	const items: BulkItem[] = [];
	for (const [name, indexes] of indexesByName) {
		const readableIndexes = indexes.filter((index) => readable.has(index));
		const readRows = () =>
			productRows?.merge(
				indexes.map((index) => ({ row: index + 1, product: readable.get(index) ?? {} })),
			) ?? {};
		try {
			const unreadableIndex = indexes.find((index) => !readable.has(index));
			if (unreadableIndex !== undefined) throw unusableRow(name, unreadableIndex + 1);
			items.push(new BulkItem(indexes, readRows(), readRows));
		} catch (error) {
			if (readableIndexes.length > 0) results.failed(readableIndexes, error);
		}
	}
	return items;
}

/** @returns undefined if the row names no product; its own error says so */
function nameOfRow(productRows: AllOperation['productRows'], item: Item): string | undefined {
	try {
		return productRows?.productOf(item) || undefined;
	} catch {
		return undefined;
	}
}

const unusableRow = (name: string, row: number) =>
	new InputError(
		`Row ${row}`,
		`of the product “${name}” cannot be used, so nothing of the product was sent`,
		'Mend that row, or take it out.',
	);

/**
 * Begins the items' writes. Of two rows with one SKU the later one counts, so an earlier one that failed before is not
 * sent after it.
 */
function beginWrites({ writes, client }: Run, items: readonly BulkItem[], results: Results): void {
	for (const item of items.filter(({ hasResult }) => !hasResult))
		try {
			writes.begin(item.itemIndex, targetsOf(client.credentialId, item));
		} catch (error) {
			item.end();
			results.failed(item.itemIndexes, writes.afterFailure(item.itemIndexes, error));
		}
}

/** What an item writes to. Prices in two currencies do not overwrite each other. */
const targetsOf = (account: string, { skus, currency }: BulkItem): string[] =>
	skus.filter((sku) => sku !== '').map((sku) => `${account} SKU ${sku} ${currency}`);

const indexesOf = (items: readonly BulkItem[]) => items.flatMap(({ itemIndexes }) => itemIndexes);

function bulkCall(
	{ client, writes, report }: Run,
	items: readonly BulkItem[],
	{ item: first, shape }: ItemRequest,
	results: Results,
): BulkCall {
	/** Ends the items of a group that have no result yet. They share one. */
	const end = (group: readonly BulkItem[]): number[] => {
		const openItems = group.filter(({ hasResult }) => !hasResult);
		for (const item of openItems) item.end();
		return indexesOf(openItems);
	};
	return {
		items,
		options: first.options,
		parameter: (name, fallback) => first.parameter(name, fallback) ?? fallback,
		client,
		report,
		send: async (request, group) =>
			await writes.sendFor(indexesOf(group), request, async (keyed) => await client.request(keyed)),
		refused: (group) => writes.refused(indexesOf(group)),
		noteMayBeApplied: (group) => writes.noteMayBeApplied(indexesOf(group)),
		noteSentAlone: (group) => {
			for (const item of group) item.isSentAlone = true;
		},
		isSentAlone: (item) => item.isSentAlone,
		mayBeApplied: ({ itemIndex }) => writes.mayBeApplied(itemIndex),
		done: (group, record) => {
			const itemIndexes = end(group);
			let output: INodeExecutionData[] = [
				{ json: shape(record), pairedItem: pairedWith(itemIndexes) },
			];
			for (const itemIndex of itemIndexes) {
				writes.done(itemIndex, output);
				results.done(itemIndex, output);
				output = [];
			}
		},
		failed: (group, error) => {
			const itemIndexes = end(group);
			if (itemIndexes.length > 0)
				results.failed(itemIndexes, writes.afterFailure(itemIndexes, error));
		},
		stopped: () => results.stopped,
	};
}
