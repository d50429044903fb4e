import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { InputError, settled } from '../../shared/errors/errors';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { moneyToSend } from '../../shared/values/money';
import { findUnchanged } from '../bulk/unchanged';
import { runAll } from './all';
import { runItem } from './each';
import { Inputs } from './inputs';
import type { EachOperation, Items, ListOperation, Operation, Resource } from './operation';
import { type ItemPlan, planItem } from './plan';
import { madeAhead, runSchedule } from './pool';
import { requestReader } from './read';
import { Results } from './results';
import { type Run, startRun } from './run';

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
			return [await runItems(new Inputs(this), resource, operation)];
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

type Pagination = (this: IExecutePaginationFunctions) => Promise<INodeExecutionData[]>;

/**
 * Runs an item where n8n insists on its RoutingNode: the node is used as an AI tool. What the engine has made of the item
 * is left alone. n8n also comes here with a resource or operation that no list has, as it makes of an expression, which
 * it does not take for them.
 *
 * @returns what `requestOperations.pagination` holds; it is asked where `send.paginate` is true
 */
export function paginationOf(resources: Resource[]): Pagination {
	return async function (this) {
		const of = this.getNodeParameter('resource', '');
		const to = this.getNodeParameter('operation', '');
		const resource = resources.find(({ value }) => value === of);
		if (resource === undefined) throw notChosen(this, 'Resource', of);
		const operation = resource.operations.find(({ option }) => option.value === to);
		if (operation === undefined) throw notChosen(this, 'Operation', to);
		return await runItems(new Inputs(this), resource, operation);
	};
}

function notChosen(context: IExecutePaginationFunctions, field: string, value: unknown): Error {
	const remedy =
		'n8n takes no expression here. Choose from the list; for several operations use a node for each, behind a Switch node.';
	const error = new InputError(field, `cannot be “${String(value)}”`, remedy);
	return toNodeError(context.getNode(), error, undefined, context.getItemIndex());
}

/**
 * Runs one operation for input items: their requests are planned, sent by a schedule, and their results
 * collected. Without Continue On Fail nothing further is started after the first failure.
 *
 * @returns the output in input order
 * @throws NodeApiError, NodeOperationError with the index of the item that failed
 */
async function runItems(inputs: Inputs, resource: Resource, operation: Operation): Promise<Items> {
	const results = new Results(inputs, resource, operation);
	const start = await settled(startRun(inputs, resource, operation));
	if (start.status === 'rejected') return results.allFailed(start.reason);
	const run = start.value;
	const read = requestReader(operation, inputs.node);
	const fieldsOf = (itemIndex: number) => moneyToSend(read(inputs.item(itemIndex)).body ?? {});
	let plans: Iterable<ItemPlan> = plansOf(run, inputs, results, read);
	if (operation.kind === 'all') await runAll(run, operation, plans, results, fieldsOf);
	else {
		if (comparesFirst(run)) {
			const all = [...plans];
			const looked = results.stopped ? undefined : await settled(findUnchangedItems(run, all));
			if (looked?.status === 'rejected') return results.allFailed(looked.reason);
			plans = all;
		}
		await runOneByOne(run, operation, plans, results);
	}
	// Who has the others left out by Only If Changed does it the cheaper way already.
	run.report.end(run.unchanged === undefined ? operation.cheaperWay : undefined);
	return results.output();
}

/** Plans the items in their order, each when it is asked for; those that fail are left out. */
function* plansOf(
	run: Run,
	inputs: Inputs,
	results: Results,
	read: ReturnType<typeof requestReader>,
): Generator<ItemPlan, void, void> {
	for (let at = 0; at < inputs.total; at++) {
		const item = inputs.item(inputs.first + at);
		let plan: ItemPlan;
		try {
			plan = planItem(run, item, read(item));
		} catch (error) {
			results.failed(item.itemIndex, error);
			continue;
		}
		yield plan;
	}
}

async function runOneByOne(
	run: Run,
	operation: EachOperation | ListOperation,
	plans: Iterable<ItemPlan>,
	results: Results,
): Promise<void> {
	const { client, batching, report, total } = run;
	let done = 0;
	await runSchedule({
		plans: madeAhead(plans),
		atOnce: client.options.maxInFlight,
		batching,
		work: async (plan) => {
			await work(run, operation, plan, results);
			if (total > 1) report.progress(++done, total, 'items');
		},
		stopped: () => results.stopped,
		clock: client.clock,
		signal: client.signal,
	});
}

/** Sends what an item asks for, unless an earlier try of the node has done it (Retry On Fail). */
async function work(
	run: Run,
	operation: EachOperation | ListOperation,
	plan: ItemPlan,
	results: Results,
): Promise<void> {
	const { itemIndex } = plan.item;
	let items = run.isWrite ? run.writes.known(itemIndex) : undefined;
	if (items === undefined) {
		items = [];
		const result = await settled(runItem(run, operation, plan, items));
		if (result.status === 'rejected') return results.failed(itemIndex, result.reason, { items });
	}
	if (run.isWrite) run.writes.done(itemIndex, items);
	results.done(itemIndex, items);
}

/** Whether all items are compared with what the platform has before the first is sent (Only If Changed). */
const comparesFirst = ({ operation, options }: Run): boolean =>
	'changes' in operation && (options.onlyIfChanged ?? false) !== false;

/**
 * Finds the items that would change nothing, where the user wants to leave those out. The option is the same for all
 * items.
 *
 * @throws PlatformError where the look-up fails
 */
async function findUnchangedItems(run: Run, planned: readonly ItemPlan[]): Promise<void> {
	const { operation } = run;
	const plans = planned.filter(({ dryRun }) => !dryRun);
	if (!('changes' in operation) || operation.changes === undefined) return;
	if (plans.at(0)?.onlyIfChanged !== true) return;
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
