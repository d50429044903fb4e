import { settled } from '../../shared/errors/errors';
import type { Item } from '../fields/field';
import { HeldItem } from './heldItem';
import { requestDigest } from './keys';
import type { BatchCall, AllOperation, Items, RunReport } from './operation';
import { asItIs, type ItemPlan, type Shape } from './plan';
import { pairedWith } from './results';
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
	readonly items: HeldItem[] = [];
	shape: Shape = asItIs;
	private first?: Item;

	/** Takes the plans in the order of their items. */
	add({ item, fields, shape }: ItemPlan): void {
		if (this.items.length === 0) {
			this.first = item;
			this.shape = shape;
		}
		this.items.push(new HeldItem(item.itemIndex, fields));
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
	operation: AllOperation,
	plans: BatchPlans,
	results: BatchResults,
	report: RunReport,
): Promise<void> {
	if (results.stopped()) return;
	const { items } = plans;
	for (const item of items) {
		const known = results.known(item.itemIndex);
		if (known === undefined) continue;
		// Its fields are kept: how it is grouped with others still depends on them.
		item.isDone = true;
		results.done(item.itemIndex, known);
	}
	const end = await settled(operation.run(batchCall(run, plans, results, report)));
	if (results.stopped()) return;
	const reason: unknown =
		end.status === 'rejected'
			? end.reason
			: new TypeError(`${run.name} gave no result for an item`);
	for (const { itemIndex, isDone } of items) if (!isDone) results.failed(itemIndex, reason);
}

const indexesOf = (items: readonly HeldItem[]) => items.map(({ itemIndex }) => itemIndex);

function batchCall(
	run: Run,
	plans: BatchPlans,
	results: BatchResults,
	report: RunReport,
): BatchCall {
	/** Gives the items that have no result yet one together. */
	const close = (
		items: readonly HeldItem[],
		take: (first: number, all: readonly number[]) => void,
	) => {
		const open = items.filter(({ isDone }) => !isDone);
		if (open.length === 0) return;
		for (const item of open) item.release();
		take(open[0].itemIndex, indexesOf(open));
	};
	return {
		items: plans.items,
		parameter: (name, fallback) => plans.parameter(name, fallback),
		client: run.client,
		report,
		send: async (request, items) => {
			const indexes = indexesOf(items);
			const idempotencyKey = run.writes.keyOfItems(indexes, requestDigest(request));
			const answer = await settled(run.client.request({ ...request, idempotencyKey }));
			if (answer.status === 'fulfilled') return answer.value;
			throw run.writes.afterFailure(indexes, answer.reason);
		},
		refused: (items) => run.writes.refused(indexesOf(items)),
		unclear: (items) => run.writes.unclear(indexesOf(items)),
		done: (items, record) =>
			close(items, (first, all) => {
				const json = plans.shape(record);
				results.done(first, [{ json, pairedItem: pairedWith(all) }]);
				for (const index of all.slice(1)) results.done(index, []);
			}),
		failed: (items, error) =>
			close(items, (first, all) => results.failed(first, error, { together: all })),
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
	operation: AllOperation,
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
