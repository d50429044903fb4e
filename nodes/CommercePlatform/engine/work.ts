import type { IExecuteFunctions } from 'n8n-workflow';

import { settled } from '../../shared/settled';
import type { Collector } from './collect';
import { ItemMemory } from './itemMemory';
import { isWrite, type BatchOperation, type Items } from './operation';
import type { ItemPlan } from './plan';
import type { Run } from './run';
import { runBatch, runItem, toItem } from './runItem';

/** What the writes of a node's earlier runs in the same execution led to. */
const written = new ItemMemory<Items>();

/**
 * Makes the work of a schedule: sends what items ask for and hands the results to the collector.
 *
 * Where n8n runs the node again after another item failed (Retry On Fail), a write that is done is not asked
 * for again: what it led to is known. It may not even be possible again, as with a record named by a handle
 * that was changed.
 */
export function workOf(
	context: IExecuteFunctions,
	run: Run,
	collector: Collector,
): (plans: ItemPlan[]) => Promise<void> {
	const { operation } = run;
	const mayRunAgain = context.getNode().retryOnFail === true && isWrite(operation);
	const resultOf = ({ item }: ItemPlan) => written.of(context, item.itemIndex);
	const results: Results = {
		done({ item }, items) {
			if (mayRunAgain) written.of(context, item.itemIndex).set(items);
			collector.add(item.itemIndex, items);
		},
		failed({ item }, error) {
			collector.fail(item.itemIndex, error, run.client.signal?.aborted);
		},
	};
	return async (plans) => {
		const open = mayRunAgain ? plans.filter((plan) => resultOf(plan).get() === undefined) : plans;
		for (const plan of plans) {
			if (!open.includes(plan)) collector.add(plan.item.itemIndex, resultOf(plan).get() ?? []);
		}
		if (operation.kind === 'batch') await workOnBatch(run, operation, open, results);
		else for (const plan of open) await workOnItem(run, plan, results);
	};
}

/** Takes what became of an item. */
interface Results {
	done(plan: ItemPlan, items: Items): void;
	failed(plan: ItemPlan, error: unknown): void;
}

async function workOnItem(run: Run, plan: ItemPlan, results: Results): Promise<void> {
	const items: Items = [];
	const result = await settled(runItem(run, plan, items));
	if (result.status === 'fulfilled') results.done(plan, items);
	else results.failed(plan, result.reason);
}

async function workOnBatch(
	run: Run,
	operation: BatchOperation,
	plans: ItemPlan[],
	results: Results,
): Promise<void> {
	if (plans.length === 0) return;
	const batch = await settled(runBatch(run, operation, plans));
	plans.forEach((plan, at) => {
		if (batch.status === 'rejected') return results.failed(plan, batch.reason);
		const result = batch.value[at];
		if ('error' in result) return results.failed(plan, result.error);
		results.done(plan, [toItem(run, plan, result.record)]);
	});
}
