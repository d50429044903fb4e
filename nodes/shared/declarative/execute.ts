import { randomUUID } from 'node:crypto';

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type INodeTypeDescription,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';

import { pause } from '../api/clock';
import { connect } from '../api/connection';
import { errorJson, toNodeError } from '../api/nodeErrors';
import { executionIdOf, ItemMemory } from './itemMemory';
import { LookAhead } from './lookAhead';
import {
	factsOf,
	isWrite,
	type ItemScope,
	type Items,
	type Operation,
	type Resource,
} from './operation';
import { performItem, planItem, type ItemPlan, type Run } from './perform';
import { requestReader } from './routing';
import { itemScope } from './scope';
import { batchingOf, sendOptionsOf } from './settings';

type NodeError = NodeApiError | NodeOperationError;

/** How far a run over all input items has come. */
interface Progress {
	results: Items[];
	done: number;
	failure?: { error: NodeError; itemIndex: number };
}

/**
 * Runs one operation for all input items: a few at once, output in input order. Without Continue On Fail no
 * further item is started after the first failure.
 *
 * @param description the node's, for the conditions under which its fields count
 * @throws NodeApiError, NodeOperationError with the index of the item that failed
 */
export async function runAllItems(
	context: IExecuteFunctions,
	resource: Resource,
	operation: Operation,
	description: INodeTypeDescription,
): Promise<Items> {
	const total = inputCount(context);
	const facts = factsOf(resource, operation);
	const progress: Progress = { results: new Array<Items>(total), done: 0 };
	const node = context.getNode();
	const first = itemScope(context, 0, node);
	const [start] = await Promise.allSettled([startRun(context, resource, operation, first)]);
	if (start.status === 'rejected') {
		const error = toNodeError(node, start.reason, facts);
		if (!context.continueOnFail()) throw error;
		return Array.from({ length: total }, (_, itemIndex) => failedItem(node, error, itemIndex));
	}
	const run = start.value;
	const mayRunAgain = node.retryOnFail === true && isWrite(operation);
	const perform = mayRunAgain ? performOnce(context) : performItem;
	const attempt = async (itemIndex: number, work: () => Promise<void>) => {
		try {
			await work();
		} catch (error) {
			const nodeError = toNodeError(context.getNode(), error, facts, itemIndex);
			if (context.continueOnFail() && run.connection.signal?.aborted !== true) {
				progress.results[itemIndex] = [failedItem(context.getNode(), nodeError, itemIndex)];
			} else if (progress.failure === undefined || itemIndex < progress.failure.itemIndex) {
				progress.failure = { error: nodeError, itemIndex };
			}
		}
	};
	const read = requestReader(operation, node, description);
	const plans = new LookAhead(total, async (itemIndex) => {
		let plan: ItemPlan | undefined;
		await attempt(itemIndex, async () => {
			const item = itemScope(context, itemIndex, node);
			plan = planItem(run, item, await read(item));
		});
		return plan;
	});
	await plans.begin();
	await inBatches(run, batchingOf(first), total, progress, async (itemIndex) => {
		const plan = await plans.take(itemIndex);
		if (plan === undefined || progress.failure !== undefined) return;
		await attempt(itemIndex, async () => {
			progress.results[itemIndex] = await perform(run, plan);
			progress.done++;
		});
	});
	if (progress.failure !== undefined)
		throw withProgress(progress.failure.error, progress.done, total);
	return flatten(progress.results);
}

const written = new ItemMemory<Items>();

/**
 * Where n8n runs the node again after another item failed (Retry On Fail), a write that is done is not asked for
 * again: what it led to is known. It may not even be possible again, as with a record named by a handle that was
 * changed.
 */
function performOnce(context: IExecuteFunctions): typeof performItem {
	return async (run, plan) => {
		const known = written.of(context, plan.item.itemIndex);
		const items = known.get() ?? (await performItem(run, plan));
		known.set(items);
		return items;
	};
}

/**
 * What all items of a run share.
 *
 * @throws CredentialError, InputError
 */
export async function startRun(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	resource: Resource,
	operation: Operation,
	first: ItemScope,
): Promise<Run> {
	return {
		operation,
		name: `${resource.value}.${operation.option.value}`,
		connection: await connect(context, sendOptionsOf(first)),
		identity: {
			workflowId: context.getWorkflow().id ?? '',
			nodeId: context.getNode().id,
			executionId: executionIdOf(context) ?? randomUUID(),
			runIndex: context.getWorkflowDataProxy(first.itemIndex).$runIndex as number,
		},
	};
}

/** What Continue On Fail gives in place of a failed item's result, for the regular or the error output. */
export function failedItem(node: INode, error: NodeError, itemIndex: number): INodeExecutionData {
	const item: INodeExecutionData = { json: errorJson(error), pairedItem: { item: itemIndex } };
	if (node.onError === 'continueErrorOutput') {
		// n8n sorts items with an error to the error output and copies them. Were the property enumerable, it
		// would be copied too, and n8n would then cut the JSON down to the message.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

/** As an AI tool the node gets its items by another connection. */
function inputCount(context: IExecuteFunctions): number {
	const items = context.getInputData();
	return (items.length > 0 ? items : context.getInputData(0, NodeConnectionTypes.AiTool)).length;
}

/** n8n's Batching setting: after each batch a pause. Without it, all items are one batch. */
async function inBatches(
	run: Run,
	batching: { size: number; intervalMs: number },
	total: number,
	progress: Progress,
	runItem: (itemIndex: number) => Promise<void>,
): Promise<void> {
	const size = batching.intervalMs > 0 ? batching.size : total;
	for (let start = 0; start < total && progress.failure === undefined; start += size) {
		if (start > 0) await pause(run.connection.clock, batching.intervalMs, run.connection.signal);
		const end = Math.min(total, start + size);
		let next = start;
		const work = async () => {
			while (next < end && progress.failure === undefined) await runItem(next++);
		};
		const workers = Math.min(run.connection.options.maxInFlight, end - start);
		await Promise.all(Array.from({ length: workers }, work));
	}
}

/** The user learns what was done before, since those requests cannot be taken back. */
function withProgress(error: NodeError, done: number, total: number): NodeError {
	if (total > 1) {
		const progress = `${done} of ${total} items were done before it stopped.`;
		error.description = error.description ? `${error.description} ${progress}` : progress;
	}
	return error;
}

function flatten(results: Items[]): Items {
	if (results.length === 1) return results[0];
	const items: Items = [];
	// One by one: a spread into push() overflows the stack at about 120,000 items.
	for (const result of results) for (const item of result) items.push(item);
	return items;
}
