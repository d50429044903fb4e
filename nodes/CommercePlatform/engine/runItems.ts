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
import {
	errorContextOf,
	type Items,
	type ItemScope,
	type Operation,
	type Resource,
} from './operation';
import { planItem, type ItemPlan } from './plan';
import { requestReader } from './routing';
import { startRun, type Run } from './run';
import { BatchPlans, runBatch } from './runBatch';
import { runSchedule } from './schedule';
import { findUnchangedItems } from './unchanged';
import { resultsOf, workOf, type Results } from './work';

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
	const plans = plansOf(context, run, description, collector, total, aheadOf(operation, first));
	const planned = await plans.begin();
	const looked = await settled(collector.stopped ? nothing() : findUnchangedItems(run, planned));
	if (looked.status === 'rejected') return collector.failAll(looked.reason);
	const results = resultsOf(context, run, collector);
	if (operation.kind === 'batch')
		await runBatch(run, operation, await batchPlans(plans, total), results, run.report);
	else await runOneByOne(run, first, plans, total, results);
	run.report.end(operation.cheaperWay);
	return collector.output();
}

async function runOneByOne(
	run: Run,
	first: ItemScope,
	plans: LookAhead<ItemPlan | undefined>,
	total: number,
	results: Results,
): Promise<void> {
	await runSchedule({
		total,
		atOnce: run.client.options.maxInFlight,
		batching: batchingOf(first),
		planOf: async (itemIndex) => await plans.take(itemIndex),
		targetsOf: ({ targets }) => targets,
		work: workOf(run, results),
		stopped: () => results.stopped(),
		clock: run.client.clock,
		signal: run.client.signal,
	});
}

/** How many items are read before the first is sent: all, where they are compared first. */
function aheadOf(operation: Operation, first: ItemScope): number | undefined {
	const { onlyIfChanged } = first.parameter('options', {}) as { onlyIfChanged?: unknown };
	const compares = operation.kind === 'record' && operation.changes !== undefined;
	return compares && (onlyIfChanged ?? false) !== false ? Number.POSITIVE_INFINITY : undefined;
}

const nothing = async () => await Promise.resolve();

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
	ahead?: number,
): LookAhead<ItemPlan | undefined> {
	const node = context.getNode();
	const read = requestReader(run.operation, node, description);
	const plan = async (itemIndex: number) => {
		const item = itemScope(context, itemIndex, node);
		return planItem(run, item, await read(item));
	};
	const make = async (itemIndex: number) => {
		const planned = await settled(plan(itemIndex));
		if (planned.status === 'fulfilled') return planned.value;
		collector.fail(itemIndex, planned.reason, { cancelled: run.client.signal?.aborted });
		return undefined;
	};
	return new LookAhead(total, make, ahead);
}
