import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { settled } from '../../shared/errors/errors';
import { skuKey } from '../bulk/products';
import { BulkItem } from './bulkItem';
import type { AllOperation, BulkCall } from './operation';
import type { ItemPlan } from './itemRequest';
import { pairedWith, type Results } from './results';
import type { Run } from './run';

/**
 * Runs an operation for all items at once; all are read before anything is sent. Every item gets a result, also where
 * the operation breaks off: what it has said before stays.
 *
 * @param fieldsOf reads the fields of an item again
 */
export async function runAll(
	run: Run,
	operation: AllOperation,
	plans: Iterable<ItemPlan>,
	results: Results,
	fieldsOf: (itemIndex: number) => IDataObject,
): Promise<void> {
	const items: BulkItem[] = [];
	let first: ItemPlan | undefined;
	for (const plan of plans) {
		first ??= plan;
		items.push(new BulkItem(plan.item.itemIndex, plan.fields, fieldsOf));
	}
	if (first === undefined || results.stopped) return;
	for (const item of items)
		for (const target of targetsOf(item)) run.report.writesTo(target, item.itemIndex + 1);
	for (const item of items) {
		const known = run.writes.known(item.itemIndex);
		if (known === undefined) continue;
		// It stays among the others: how they are grouped depends on it.
		item.isDone = true;
		results.done(item.itemIndex, known);
	}
	beginWrites(run, items, results);
	const end = await settled(operation.run(bulkCall(run, items, first, results)));
	if (results.stopped) return;
	const reason: unknown =
		end.status === 'rejected' ? end.reason : new TypeError('No result was given for an item');
	for (const { itemIndex, isDone } of items) if (!isDone) results.failed([itemIndex], reason);
}

/** Of two rows of one SKU the later one counts: one that failed before is not sent behind it. */
function beginWrites({ writes }: Run, items: readonly BulkItem[], results: Results): void {
	for (const item of items.filter(({ isDone }) => !isDone))
		try {
			writes.begin(item.itemIndex, targetsOf(item));
		} catch (error) {
			item.end();
			results.failed([item.itemIndex], writes.afterFailure([item.itemIndex], error));
		}
}

/** A price is one of its currency. */
const targetsOf = ({ sku, currency }: BulkItem): string[] =>
	sku === '' ? [] : [`SKU ${skuKey(sku)} ${currency}`];

const indexesOf = (items: readonly BulkItem[]) => items.map(({ itemIndex }) => itemIndex);

function bulkCall(
	{ client, writes, report }: Run,
	items: readonly BulkItem[],
	{ item: first, shape }: ItemPlan,
	results: Results,
): BulkCall {
	/** Ends the items that have no result yet, which get one together. */
	const end = (held: readonly BulkItem[]): number[] => {
		const open = held.filter(({ isDone }) => !isDone);
		for (const item of open) item.end();
		return indexesOf(open);
	};
	return {
		items,
		options: first.options,
		parameter: (name, fallback) => first.parameter(name, fallback) ?? fallback,
		client,
		report,
		send: async (request, held) =>
			await writes.sendFor(indexesOf(held), request, async (keyed) => await client.request(keyed)),
		refused: (held) => writes.refused(indexesOf(held)),
		unclear: (held) => writes.unclear(indexesOf(held)),
		goAlone: (held) => writes.goAlone(indexesOf(held)),
		goesAlone: ({ itemIndex }) => writes.goesAlone(itemIndex),
		isUnclear: ({ itemIndex }) => writes.isUnclear(itemIndex),
		done: (held, record) => {
			const together = end(held);
			let output: INodeExecutionData[] = [
				{ json: shape(record), pairedItem: pairedWith(together) },
			];
			for (const itemIndex of together) {
				writes.done(itemIndex, output);
				results.done(itemIndex, output);
				output = [];
			}
		},
		failed: (held, error) => {
			const together = end(held);
			if (together.length > 0) results.failed(together, writes.afterFailure(together, error));
		},
		stopped: () => results.stopped,
	};
}
