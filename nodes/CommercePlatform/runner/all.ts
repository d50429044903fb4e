import type { INodeExecutionData } from 'n8n-workflow';

import { nextTurn } from '../../shared/rest/clock';
import { addTo } from '../../shared/values/maps';
import { type InputItems, type ItemRequest, nameOfRow } from './items';
import type { AllOperation, BulkCall, BulkItem, Row, Run } from './operation';
import type { Results } from './results';

/**
 * Runs an operation that handles all items together. All are read before anything is written. Every item gets a result,
 * even if the operation breaks off: the results that it has reported stay.
 */
export async function runAll(
	run: Run,
	operation: AllOperation,
	itemRequests: AsyncIterable<ItemRequest> | readonly ItemRequest[],
	results: Results,
	inputs: InputItems,
): Promise<void> {
	const rowsRead = new Map<number, ReadRow>();
	let firstRequest: ItemRequest | undefined;
	const leftOut = new Set<string>();
	for await (const itemRequest of itemRequests) {
		const { item, fields } = itemRequest;
		firstRequest ??= itemRequest;
		for (const column of operation.columnsLeftOut?.(item) ?? []) leftOut.add(column);
		const name = nameOfRow(operation, item);
		rowsRead.set(item.itemIndex, { row: item.row, fields, name });
	}
	if (firstRequest === undefined || results.stopped) return;
	if (leftOut.size > 0)
		run.report.hint(
			`Columns that were not sent: ${[...leftOut].map((column) => `“${column}”`).join(', ')}. To send some of them, use 'Columns to Send as They Are'.`,
		);
	const readItems = await bulkItemsOf(run, operation, rowsRead, results, inputs);
	// The items hold what the rows say. 100,000 rows take noticeable memory.
	rowsRead.clear();
	const items: BulkItem[] = [];
	for (const item of readItems) {
		await nextTurn();
		if (beginWrite(run, item, results)) items.push(item);
	}
	if (results.stopped || items.length === 0) return;
	const call = bulkCall(run, operation, items, firstRequest, results);
	const reason = await operation.run(call).then(
		() => new TypeError('No result was given for an item'),
		(error: unknown) => error,
	);
	if (results.stopped) return;
	for (const { itemIndexes, hasResult } of items)
		if (!hasResult) results.failed(itemIndexes, reason);
}

/** A row that could be read. */
interface ReadRow extends Row {
	/** The record that it is a row of, with others. */
	readonly name?: string;
}

/**
 * Makes an item of each row, or of all rows of one record, in the order of their first rows.
 *
 * @param rowsRead by item index: what each row says that could be read
 */
async function bulkItemsOf(
	{ client, itemIndexes, report, writes }: Run,
	operation: AllOperation,
	rowsRead: ReadonlyMap<number, ReadRow>,
	results: Results,
	inputs: InputItems,
): Promise<BulkItem[]> {
	const indexesByName = new Map<string | number, number[]>();
	for (const itemIndex of itemIndexes) {
		await nextTurn();
		const read = rowsRead.get(itemIndex) ?? { name: nameOfRow(operation, inputs.item(itemIndex)) };
		addTo(indexesByName, read.name ?? itemIndex, itemIndex);
	}
	const tell = (hint: string, row: number) => report.tellOfRow(hint, row);
	const items: BulkItem[] = [];
	for (const [name, indexes] of indexesByName) {
		await nextTurn();
		const readIndexes = indexes.filter((index) => rowsRead.has(index));
		if (readIndexes.length === 0) continue;
		const rows: Row[] = indexes.map(
			(index) => rowsRead.get(index) ?? { row: inputs.item(index).row },
		);
		const [{ row, fields = {} }] = rows;
		try {
			const joined = typeof name === 'string' ? operation.joinRows?.(name, rows, tell) : undefined;
			const record = { ...(joined ?? { fields }), itemIndexes: indexes };
			const targets = operation.targetsOf(record).map((target) => client.keyOf(target));
			const mayBeApplied = indexes.some((index) => writes.mayBeApplied(index));
			items.push({ ...record, row, targets, mayBeApplied, hasResult: false });
		} catch (error) {
			results.failed(readIndexes, error);
		}
	}
	return items;
}

/**
 * Begins an item's write, unless an earlier try has done all its rows. Of two rows with one target the later one counts,
 * so an earlier one that failed before is not sent after it.
 *
 * @returns false if it failed, so that nothing that it says is sent
 */
function beginWrite({ writes, report }: Run, item: BulkItem, results: Results): boolean {
	for (const target of item.targets) report.writesTo(target, item);
	const outputs = item.itemIndexes.map((index) => writes.outputOfEarlierTry(index));
	// Before n8n's Retry, another choice may have made several records of its rows.
	if (outputs.every((output) => output !== undefined)) {
		// It stays among the others, because how they are grouped depends on it.
		item.hasResult = true;
		for (const [n, itemIndex] of item.itemIndexes.entries()) results.done(itemIndex, outputs[n]);
		return true;
	}
	try {
		writes.begin(item.itemIndexes, { targets: item.targets });
		return true;
	} catch (error) {
		results.failed(item.itemIndexes, writes.afterFailure(item.itemIndexes, error));
		return false;
	}
}

const indexesOf = (items: readonly BulkItem[]) => items.flatMap(({ itemIndexes }) => itemIndexes);

function bulkCall(
	run: Run,
	operation: AllOperation,
	items: readonly BulkItem[],
	{ item: first, shape, dryRun }: ItemRequest,
	results: Results,
): BulkCall {
	const { client, writes, report } = run;
	/** The mark of an item whose values a later one replaces. Items that share an output have none. */
	const markOf = ([item, ...others]: readonly BulkItem[]) =>
		others.length === 0 && !dryRun
			? report.supersededBy(item.targets, item, operation.replaces)
			: undefined;
	/** Ends the items of a group that have no result yet. They share one. */
	const end = (group: readonly BulkItem[]): number[] => {
		const openItems = group.filter(({ hasResult }) => !hasResult);
		for (const item of openItems) item.hasResult = true;
		return indexesOf(openItems);
	};
	return {
		items,
		options: first.options,
		parameter: (name, fallback) => first.parameter(name, fallback) ?? fallback,
		client,
		report,
		send: async (request, group, step = '') =>
			await writes.sendFor(indexesOf(group), request, step, async (keyed) => {
				// A body of some megabytes has just been read for its key.
				await nextTurn();
				return await client.request(keyed);
			}),
		refused: (group) => writes.refused(indexesOf(group)),
		noteMayBeApplied: (group) => writes.noteMayBeApplied(indexesOf(group)),
		done: (group, record) => {
			const itemIndexes = end(group);
			let output: INodeExecutionData[] = [
				{ json: { ...shape(record), ...markOf(group) }, pairedItem: pairedWith(itemIndexes) },
			];
			for (const itemIndex of itemIndexes) {
				// What a dry run shows is not done: n8n's Retry may send it.
				if (!dryRun) writes.done(itemIndex, output);
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

/** Links an output item to the input items that led to it. */
function pairedWith(itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] {
	return itemIndexes.length > 1 ? itemIndexes.map((item) => ({ item })) : { item: itemIndexes[0] };
}
