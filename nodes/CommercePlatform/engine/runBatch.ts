import { readable } from '../../shared/values/json';
import { settled } from '../../shared/errors/errors';
import type { BatchCall, RunReport } from './batchCall';
import { HeldEntries } from './heldEntries';
import { requestDigest } from './idempotencyKey';
import type { Item } from '../fields/field';
import type { BatchOperation, Items } from './operation';
import { pairedWith } from './pairedWith';
import { asItIs, type ItemPlan, type Shape } from './plan';
import type { Run } from './run';

/** Takes what becomes of items. */
export interface BatchResults {
	/** What an earlier run of the node led to (Retry On Fail). */
	known(itemIndex: number): Items | undefined;
	done(itemIndex: number, items: Items): void;
	/** @param more the items that failed together, where they are several: this tells of all of them */
	failed(itemIndex: number, error: unknown, more?: { together?: readonly number[] }): void;
	stopped(): boolean;
}

/** The items of a run of all items, with as little of each as is needed until it is sent. */
export class BatchPlans {
	readonly entries = new HeldEntries();
	shape: Shape = asItIs;
	private first?: Item;

	/** Takes the plans in the order of their items. */
	add({ item, fields, shape }: ItemPlan): void {
		if (this.entries.length === 0) {
			this.first = item;
			this.shape = shape;
		}
		this.entries.add(item.itemIndex, fields);
	}

	/** The first item's value of a parameter. */
	parameter(name: string, fallback: unknown): unknown {
		return this.first?.parameter(name, fallback) ?? fallback;
	}
}

/**
 * Runs an operation for all items at once. Every item gets a result, also where the operation breaks off: what it
 * has said before stays.
 */
export async function runBatch(
	run: Run,
	operation: BatchOperation,
	plans: BatchPlans,
	results: BatchResults,
	report: RunReport,
): Promise<void> {
	if (results.stopped()) return;
	const { entries } = plans;
	for (const { itemIndex } of entries) {
		const known = results.known(itemIndex);
		if (known === undefined) continue;
		entries.close(itemIndex);
		results.done(itemIndex, known);
	}
	const end = await settled(operation.run(batchCall(run, plans, results, report)));
	if (results.stopped()) return;
	const reason: unknown =
		end.status === 'rejected'
			? end.reason
			: new TypeError(`${run.name} gave no result for an item`);
	for (const { itemIndex } of entries) {
		if (entries.isOpen(itemIndex)) results.failed(itemIndex, reason);
	}
}

function batchCall(
	run: Run,
	plans: BatchPlans,
	results: BatchResults,
	report: RunReport,
): BatchCall {
	const { entries } = plans;
	/** Gives the items that have no result yet one together. */
	const close = (itemIndexes: readonly number[], take: (first: number, all: number[]) => void) => {
		const all = itemIndexes.filter((index) => entries.isOpen(index));
		if (all.length === 0) return;
		for (const index of all) entries.release(index);
		take(all[0], all);
	};
	return {
		entries,
		parameter: (name, fallback) => plans.parameter(name, fallback),
		client: run.client,
		report,
		send: async (request, itemIndexes) => {
			const idempotencyKey = run.writes.keyOfItems(itemIndexes, requestDigest(request));
			return await run.client.request({ ...request, idempotencyKey });
		},
		refused: (itemIndexes) => run.writes.refused(itemIndexes),
		done: (itemIndexes, record) =>
			close(itemIndexes, (first, all) => {
				const json = plans.shape(readable(record));
				results.done(first, [{ json, pairedItem: pairedWith(all) }]);
				for (const index of all.slice(1)) results.done(index, []);
			}),
		failed: (itemIndexes, error) =>
			close(itemIndexes, (first, all) => results.failed(first, error, { together: all })),
		wasDone: (itemIndex) => !entries.isOpen(itemIndex),
		stopped: () => results.stopped(),
	};
}

/**
 * The same for one item.
 *
 * @throws what failed it
 */
export async function runAlone(
	run: Run,
	operation: BatchOperation,
	plan: ItemPlan,
	output: Items,
): Promise<void> {
	const plans = new BatchPlans();
	plans.add(plan);
	const failures: unknown[] = [];
	const results: BatchResults = {
		known: () => undefined,
		done: (_itemIndex, items) => void output.push(...items),
		failed: (_itemIndex, error) => void failures.push(error),
		stopped: () => failures.length > 0,
	};
	await runBatch(run, operation, plans, results, run.report);
	if (failures.length > 0) throw failures[0];
}
