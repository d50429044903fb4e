import type { IDataObject } from 'n8n-workflow';

import { settled } from '../../shared/errors/errors';
import { HeldItem } from './heldItem';
import type { AllOperation, BatchCall } from './operation';
import type { ItemPlan } from './plan';
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
	const items: HeldItem[] = [];
	let first: ItemPlan | undefined;
	for (const plan of plans) {
		first ??= plan;
		items.push(new HeldItem(plan.item.itemIndex, plan.fields, fieldsOf));
	}
	if (first === undefined || results.stopped) return;
	for (const item of items) {
		const known = run.writes.known(item.itemIndex);
		if (known === undefined) continue;
		// It stays among the others: how they are grouped depends on it.
		item.isDone = true;
		results.done(item.itemIndex, known);
	}
	const end = await settled(operation.run(batchCall(run, items, first, results)));
	if (results.stopped) return;
	const reason: unknown =
		end.status === 'rejected'
			? end.reason
			: new TypeError(`${run.name} gave no result for an item`);
	for (const { itemIndex, isDone } of items) if (!isDone) results.failed(itemIndex, reason);
}

const indexesOf = (items: readonly HeldItem[]) => items.map(({ itemIndex }) => itemIndex);

function batchCall(
	run: Run,
	items: readonly HeldItem[],
	{ item: first, shape, options }: ItemPlan,
	results: Results,
): BatchCall {
	const { client, writes, report } = run;
	const done = (itemIndex: number, output: Parameters<Results['done']>[1]) => {
		writes.done(itemIndex, output);
		results.done(itemIndex, output);
	};
	/** Gives the items that have no result yet one together. */
	const close = (
		held: readonly HeldItem[],
		take: (first: number, all: readonly number[]) => void,
	) => {
		const open = held.filter(({ isDone }) => !isDone);
		if (open.length === 0) return;
		for (const item of open) item.end();
		take(open[0].itemIndex, indexesOf(open));
	};
	return {
		items,
		options,
		parameter: (name, fallback) => first.parameter(name, fallback) ?? fallback,
		client,
		report,
		send: async (request, held) =>
			await writes.sendFor(indexesOf(held), request, async (keyed) => await client.request(keyed)),
		refused: (held) => writes.refused(indexesOf(held)),
		unclear: (held) => writes.unclear(indexesOf(held)),
		done: (held, record) =>
			close(held, (itemIndex, [, ...others]) => {
				const pairedItem = pairedWith([itemIndex, ...others]);
				done(itemIndex, [{ json: shape(record), pairedItem }]);
				for (const other of others) done(other, []);
			}),
		failed: (held, error) =>
			close(held, (itemIndex, together) =>
				results.failed(itemIndex, writes.afterFailure(together, error), { together }),
			),
		stopped: () => results.stopped,
	};
}
