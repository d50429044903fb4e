import type { IExecuteFunctions } from 'n8n-workflow';

import { settled } from '../../shared/settled';
import type { Collector } from './collect';
import { ItemMemory } from './itemMemory';
import { isWrite, type Items } from './operation';
import type { ItemPlan } from './plan';
import type { Run } from './run';
import { runItem } from './runItem';

/** What the writes of a node's earlier runs in the same execution led to. */
const written = new ItemMemory<Items>();

/** Takes what becomes of a run's items, and knows what earlier runs of the node led to. */
export interface Results {
	/**
	 * Where n8n runs the node again after another item failed (Retry On Fail), a write that is done is not asked
	 * for again: what it led to is known. It may not even be possible again, as with a record named by a handle
	 * that was changed.
	 */
	known(itemIndex: number): Items | undefined;
	done(itemIndex: number, items: Items): void;
	/** @param items what came before the error */
	failed(itemIndex: number, error: unknown, items?: Items): void;
	/** Whether nothing further is to be started. */
	stopped(): boolean;
}

/** Hands results to the collector. */
export function resultsOf(context: IExecuteFunctions, run: Run, collector: Collector): Results {
	const mayRunAgain = context.getNode().retryOnFail === true && isWrite(run.operation);
	return {
		known: (itemIndex) => (mayRunAgain ? written.of(context, itemIndex).get() : undefined),
		done(itemIndex, items) {
			if (mayRunAgain) written.of(context, itemIndex).set(items);
			run.writes.forget(itemIndex);
			collector.add(itemIndex, items);
		},
		failed: (itemIndex, error, items) =>
			collector.fail(itemIndex, error, { cancelled: run.client.signal?.aborted, items }),
		stopped: () => collector.stopped,
	};
}

/** Makes the work of a schedule: sends what an item asks for. */
export function workOf(run: Run, results: Results): (plan: ItemPlan) => Promise<void> {
	return async (plan) => {
		const { itemIndex } = plan.item;
		const known = results.known(itemIndex);
		if (known !== undefined) return results.done(itemIndex, known);
		const items: Items = [];
		const result = await settled(runItem(run, plan, items));
		if (result.status === 'fulfilled') results.done(itemIndex, items);
		else results.failed(itemIndex, result.reason, items);
	};
}
