import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { settled } from '../../shared/settled';
import { Collector } from './collect';
import { itemScope } from './itemScope';
import { LookAhead } from './lookAhead';
import { batchingOf } from './nodeOptions';
import { errorContextOf, type Items, type Operation, type Resource } from './operation';
import { planItem, type ItemPlan } from './plan';
import { requestReader } from './routing';
import { startRun, type Run } from './run';
import { BatchPlans, runBatch } from './runBatch';
import { runSchedule } from './schedule';
import { resultsOf, workOf } from './work';

/**
 * Runs one operation for all input items: their requests are planned, sent by a schedule, and their results
 * collected. Without Continue On Fail nothing further is started after the first failure.
 *
 * @param description the node's, for the conditions under which its fields count
 * @returns the output in input order
 * @throws NodeApiError, NodeOperationError with the index of the item that failed
 */
export async function runItems(
	context: IExecuteFunctions,
	resource: Resource,
	operation: Operation,
	description: INodeTypeDescription,
): Promise<Items> {
	const total = inputCount(context);
	const collector = new Collector(
		context,
		errorContextOf(resource, operation),
		total,
		operation.kind === 'batch',
	);
	const node = context.getNode();
	const first = itemScope(context, 0, node);
	const start = await settled(startRun(context, resource, operation, first));
	if (start.status === 'rejected') return collector.failAll(start.reason);
	const run = start.value;
	const plans = plansOf(context, run, description, collector, total);
	await plans.begin();
	const results = resultsOf(context, run, collector);
	if (operation.kind === 'batch') {
		await runBatch(run, operation, await batchPlans(plans, total), results, run.report);
	} else {
		await runSchedule({
			total,
			atOnce: run.client.options.maxInFlight,
			batching: batchingOf(first),
			planOf: async (itemIndex) => await plans.take(itemIndex),
			targetsOf: ({ targets }) => targets,
			work: workOf(run, results),
			stopped: () => collector.stopped,
			clock: run.client.clock,
			signal: run.client.signal,
		});
	}
	run.report.end(operation.cheaperWay);
	return collector.output();
}

/** Reads all items before anything is sent. */
async function batchPlans(
	plans: LookAhead<ItemPlan | undefined>,
	total: number,
): Promise<BatchPlans> {
	const all = new BatchPlans();
	for (let itemIndex = 0; itemIndex < total; itemIndex++) {
		const plan = await plans.take(itemIndex);
		if (plan !== undefined) all.add(plan);
	}
	return all;
}

/** As an AI tool the node gets its items by another connection. */
function inputCount(context: IExecuteFunctions): number {
	const items = context.getInputData();
	return (items.length > 0 ? items : context.getInputData(0, NodeConnectionTypes.AiTool)).length;
}

function plansOf(
	context: IExecuteFunctions,
	run: Run,
	description: INodeTypeDescription,
	collector: Collector,
	total: number,
): LookAhead<ItemPlan | undefined> {
	const node = context.getNode();
	const read = requestReader(run.operation, node, description);
	const plan = async (itemIndex: number) => {
		const item = itemScope(context, itemIndex, node);
		return planItem(run, item, await read(item));
	};
	return new LookAhead(total, async (itemIndex) => {
		const planned = await settled(plan(itemIndex));
		if (planned.status === 'fulfilled') return planned.value;
		collector.fail(itemIndex, planned.reason, { cancelled: run.client.signal?.aborted });
		return undefined;
	});
}
