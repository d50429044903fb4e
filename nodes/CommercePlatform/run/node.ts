import {
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { settled } from '../../shared/errors/errors';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { findUnchanged } from '../bulk/unchanged';
import type { Item } from '../fields/field';
import { BatchPlans, type BatchResults, runBatch } from './all';
import { runItem } from './each';
import { InputItem, requestReader } from './read';
import type { Items, Operation, Resource } from './operation';
import { type ItemPlan, planItem } from './plan';
import { Ahead, runSchedule } from './pool';
import { Collector, errorContextOf, failedItem, type MoreOfFailed } from './results';
import { batchingOf, type Run, startRun } from './run';

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * Runs every operation of the given resources from its own description. n8n's RoutingNode starts all items
 * at once, links none and overflows its stack at about 120,000 results; this takes its place.
 *
 * @returns what the node's `customOperations` holds
 */
export function customOperationsOf(resources: Resource[]): CustomOperations {
	const run = (resource: Resource, operation: Operation) =>
		async function (this: IExecuteFunctions) {
			return [await runItems(this, resource, operation)];
		};
	return Object.fromEntries(
		resources.map((resource) => [
			resource.value,
			Object.fromEntries(
				resource.operations.map((operation) => [operation.option.value, run(resource, operation)]),
			),
		]),
	);
}

/**
 * Runs one operation for all input items: their requests are planned, sent by a schedule, and their results
 * collected. Without Continue On Fail nothing further is started after the first failure.
 *
 * @returns the output in input order
 * @throws NodeApiError, NodeOperationError with the index of the item that failed
 */
async function runItems(
	context: IExecuteFunctions,
	resource: Resource,
	operation: Operation,
): Promise<Items> {
	const inputs = inputItems(context);
	const total = inputs.length;
	const collector = new Collector(context, resource, operation, inputs);
	const node = context.getNode();
	const first = InputItem.ofAll(context, 0, node);
	const start = await settled(startRun(context, resource, operation, first));
	if (start.status === 'rejected') return collector.failAll(start.reason);
	const run = start.value;
	const plans = plansOf(context, run, collector, total, aheadOf(operation, first));
	const planned = plans.begin();
	if (mayCompare(operation) && !collector.stopped) {
		const looked = await settled(findUnchangedItems(run, planned));
		if (looked.status === 'rejected') return collector.failAll(looked.reason);
	}
	const results = resultsOf(run, collector);
	if (operation.kind === 'all')
		await runBatch(run, operation, batchPlans(plans, total), results, run.report);
	else await runOneByOne(run, first, plans, total, results);
	// Who has the others left out by Only If Changed does it the cheaper way already.
	run.report.end(run.unchanged === undefined ? operation.cheaperWay : undefined);
	return collector.output();
}

async function runOneByOne(
	run: Run,
	first: Item,
	plans: Ahead<ItemPlan | undefined>,
	total: number,
	results: Results,
): Promise<void> {
	let done = 0;
	await runSchedule({
		total,
		atOnce: run.client.options.maxInFlight,
		batching: batchingOf(first),
		planOf: (itemIndex) => plans.take(itemIndex),
		keysOf: ({ targets }) => targets,
		work: async (plan) => {
			await work(run, plan, results);
			if (total > 1) run.report.progress(++done, total, 'items');
		},
		stopped: () => results.stopped(),
		clock: run.client.clock,
		signal: run.client.signal,
	});
}

/** Items of a batch that are read ahead of the one that is kept; all are, before the first is sent. */
const BATCH_AHEAD = 100;

/** How many items are read ahead; all before the first is sent, where they are compared first. */
function aheadOf(operation: Operation, first: Item): number | undefined {
	if (operation.kind === 'all') return BATCH_AHEAD;
	const { onlyIfChanged } = first.parameter('options', {}) as { onlyIfChanged?: unknown };
	return mayCompare(operation) && (onlyIfChanged ?? false) !== false
		? Number.POSITIVE_INFINITY
		: undefined;
}

function mayCompare(operation: Operation): boolean {
	return 'changes' in operation;
}

/** Takes what becomes of a run's items, and knows what earlier runs of the node led to. */
interface Results extends BatchResults {
	/** @param more what came before the error, and the items that failed together */
	failed(itemIndex: number, error: unknown, more?: MoreOfFailed): void;
}

/** Hands results to the collector. */
function resultsOf(run: Run, collector: Collector): Results {
	return {
		known: (itemIndex) => (run.isWrite ? run.writes.known(itemIndex) : undefined),
		done(itemIndex, items) {
			if (run.isWrite) run.writes.done(itemIndex, items);
			collector.add(itemIndex, items);
		},
		failed: (itemIndex, error, more) =>
			collector.fail(itemIndex, error, { cancelled: run.client.signal?.aborted, ...more }),
		stopped: () => collector.stopped,
	};
}

/** Sends what an item asks for. */
async function work(run: Run, plan: ItemPlan, results: Results): Promise<void> {
	const { itemIndex } = plan.item;
	const known = results.known(itemIndex);
	if (known !== undefined) return results.done(itemIndex, known);
	const items: Items = [];
	const result = await settled(runItem(run, plan, items));
	if (result.status === 'fulfilled') results.done(itemIndex, items);
	else results.failed(itemIndex, result.reason, { items });
}

/** Reads all items before anything is sent. */
function batchPlans(plans: Ahead<ItemPlan | undefined>, total: number): BatchPlans {
	const all = new BatchPlans();
	for (let itemIndex = 0; itemIndex < total; itemIndex++) {
		const plan = plans.take(itemIndex);
		if (plan !== undefined) all.add(plan);
	}
	return all;
}

/** As an AI tool the node gets its items by another connection. */
function inputItems(context: IExecuteFunctions): readonly INodeExecutionData[] {
	const items = context.getInputData();
	return items.length > 0 ? items : context.getInputData(0, NodeConnectionTypes.AiTool);
}

function plansOf(
	context: IExecuteFunctions,
	run: Run,
	collector: Collector,
	total: number,
	ahead?: number,
): Ahead<ItemPlan | undefined> {
	const node = context.getNode();
	const read = requestReader(run.operation, node);
	const make = (itemIndex: number) => {
		try {
			const item = InputItem.ofAll(context, itemIndex, node);
			return planItem(run, item, read(item));
		} catch (error) {
			collector.fail(itemIndex, error, { cancelled: run.client.signal?.aborted });
			return undefined;
		}
	};
	return new Ahead(total, make, ahead);
}

type Pagination = (this: IExecutePaginationFunctions) => Promise<INodeExecutionData[]>;

/**
 * Runs an item in the places where n8n insists on its RoutingNode (a node used as an AI tool, an operation given
 * by an expression). What the engine has made of the item is left alone.
 *
 * @returns what `requestOperations.pagination` holds; it is asked where `send.paginate` is true
 */
export function paginationOf(resources: Resource[]): Pagination {
	return async function (this) {
		const { resource, operation } = find(
			resources,
			this.getNodeParameter('resource'),
			this.getNodeParameter('operation'),
		);
		const item = InputItem.ofOne(this);
		const items: Items = [];
		try {
			const run = await startRun(this, resource, operation, item);
			const plan = planItem(run, item, requestReader(operation, item.node)(item));
			await findUnchangedItems(run, [plan]);
			await runItem(run, plan, items);
			run.report.end();
			return items;
		} catch (error) {
			const errorContext = errorContextOf(resource, operation, error);
			const nodeError = toNodeError(this.getNode(), error, errorContext, item.itemIndex);
			if (!this.continueOnFail()) throw nodeError;
			items.push(failedItem(this.getNode(), nodeError, { item, operation, cause: error }));
			return items;
		}
	};
}

function find(resources: Resource[], resourceName: unknown, operationName: unknown) {
	const resource = resources.find(({ value }) => value === resourceName);
	const operation = resource?.operations.find(({ option }) => option.value === operationName);
	if (resource === undefined || operation === undefined) {
		throw new TypeError(
			`There is no operation “${String(operationName)}” for “${String(resourceName)}”`,
		);
	}
	return { resource, operation };
}

/**
 * Finds the items that would change nothing, where the user wants to leave those out (Only If Changed). The option
 * is the same for all items.
 *
 * @throws PlatformError where the look-up fails
 */
async function findUnchangedItems(
	run: Run,
	planned: ReadonlyArray<ItemPlan | undefined>,
): Promise<void> {
	const { operation } = run;
	const plans = planned.filter((plan) => plan !== undefined).filter(({ dryRun }) => !dryRun);
	const [first] = plans;
	if (!('changes' in operation) || operation.changes === undefined) return;
	if (first === undefined || !first.onlyIfChanged) return;
	const { source, keyOf, isUnchanged } = operation.changes;
	run.unchanged = await findUnchanged(
		run,
		source,
		plans.map((plan) => ({
			itemIndex: plan.item.itemIndex,
			key: keyOf(plan),
			isUnchanged: (record) => isUnchanged(plan, record),
		})),
	);
}
