import { requestDigest } from '../../shared/api/idempotencyKey';
import { settled } from '../../shared/settled';
import type { BatchCall, RunReport } from './batchCall';
import { HeldEntry } from './heldEntry';
import type { BatchOperation, Items, ItemScope } from './operation';
import { asItIs, type ItemPlan, type Shape } from './plan';
import type { Run } from './run';

/** Takes what becomes of items. */
export interface BatchResults {
	/** What an earlier run of the node led to (Retry On Fail). */
	known(itemIndex: number): Items | undefined;
	done(itemIndex: number, items: Items): void;
	failed(itemIndex: number, error: unknown): void;
	stopped(): boolean;
}

/** The items of a run of all items, with as little of each as is needed until it is sent. */
export class BatchPlans {
	readonly entries: HeldEntry[] = [];
	private readonly byIndex: HeldEntry[] = [];
	shape: Shape = asItIs;
	private first?: ItemScope;

	/** Takes the plans in the order of their items. */
	add({ item, fields, shape }: ItemPlan): void {
		if (this.entries.length === 0) {
			this.first = item;
			this.shape = shape;
		}
		const entry = new HeldEntry(item.itemIndex, fields);
		this.entries.push(entry);
		this.byIndex[item.itemIndex] = entry;
	}

	/** Whether an item has no result yet. */
	isOpen(itemIndex: number): boolean {
		return this.byIndex[itemIndex]?.isOpen ?? false;
	}

	/** An item has its result, so that nothing of it is needed any more. */
	release(itemIndex: number): void {
		this.byIndex[itemIndex]?.release();
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
	for (const entry of plans.entries) {
		const known = results.known(entry.itemIndex);
		if (known === undefined) continue;
		entry.close();
		results.done(entry.itemIndex, known);
	}
	const end = await settled(operation.run(batchCall(run, plans, results, report)));
	if (results.stopped()) return;
	const reason: unknown =
		end.status === 'rejected'
			? end.reason
			: new TypeError(`${run.name} gave no result for an item`);
	for (const { itemIndex, isOpen } of plans.entries) {
		if (isOpen) results.failed(itemIndex, reason);
	}
}

function batchCall(
	run: Run,
	plans: BatchPlans,
	results: BatchResults,
	report: RunReport,
): BatchCall {
	/** Gives the items that have no result yet one together. */
	const close = (itemIndexes: readonly number[], take: (first: number, all: number[]) => void) => {
		const all = itemIndexes.filter((index) => plans.isOpen(index));
		if (all.length === 0) return;
		for (const index of all) plans.release(index);
		take(all[0], all);
		for (const index of all.slice(1)) results.done(index, []);
	};
	return {
		entries: plans.entries,
		parameter: (name, fallback) => plans.parameter(name, fallback),
		client: run.client,
		report,
		send: async (request, itemIndexes, repeat = 0) => {
			const content = `${requestDigest(request)}${repeat === 0 ? '' : ` ${repeat}`}`;
			const idempotencyKey = run.writes.keyOfItems(itemIndexes, content);
			return await run.client.request({ ...request, idempotencyKey });
		},
		done: (itemIndexes, record) =>
			close(itemIndexes, (first, all) =>
				results.done(first, [{ json: plans.shape(record), pairedItem: pairedWith(all) }]),
			),
		failed: (itemIndexes, error) => close(itemIndexes, (first) => results.failed(first, error)),
		wasDone: (itemIndex) => !plans.isOpen(itemIndex),
		stopped: () => results.stopped(),
	};
}

function pairedWith(itemIndexes: number[]): Items[number]['pairedItem'] {
	const [first] = itemIndexes;
	return itemIndexes.length === 1 ? { item: first } : itemIndexes.map((item) => ({ item }));
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
