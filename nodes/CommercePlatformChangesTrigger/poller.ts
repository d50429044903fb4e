import { randomUUID } from 'node:crypto';

import {
	ExecutionCancelledError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import type { ChangesState, Emission, Outcome } from './state';

/** Names this process. What another process has handed over, only that one could confirm. */
export const PROCESS = randomUUID();

/** Nodes remembered at most. The one that was used longest ago is forgotten first. */
const MAX_NODES = 500;

/** n8n reports a failed start within this time. What waits longer is an execution that is running. ms. */
const START_REPORTED_MS = 120_000;

/** What this process knows of one node, beyond what n8n keeps of it. */
export interface PollerMemory {
	/** The state after the latest poll: n8n keeps it only when something is given. */
	state?: ChangesState;
	/** What became of what this process handed over, and when by its stopwatch, ms. */
	handed: Map<number, { outcome: Outcome; atMs: number }>;
	/** True while a poll is under way: n8n starts the next one all the same. */
	isPolling: boolean;
	/** Until when the user has been told that the day's budget is spent, Unix ms. */
	reportedUntilMs?: number;
	/** Whether the log says that the records carry no time. */
	saidTimeless?: boolean;
	/** False until a poll in this process has reached the platform. */
	hasPolled: boolean;
}

const memories = new Map<string, PollerMemory>();

/**
 * This process's memory of a node.
 *
 * @param workflowId of the node's workflow
 * @param nodeId that stays when the node is renamed
 */
export function memoryOf(workflowId: string, nodeId: string): PollerMemory {
	const key = JSON.stringify([workflowId, nodeId]);
	const memory = memories.get(key) ?? { handed: new Map(), isPolling: false, hasPolled: false };
	memories.delete(key);
	memories.set(key, memory);
	for (const [oldest] of memories) {
		if (memories.size <= MAX_NODES) break;
		memories.delete(oldest);
	}
	return memory;
}

/**
 * Whether n8n stores what a node remembers together with the execution, in one transaction ("durable cursors").
 * A poll then works on a copy of its own; otherwise n8n watches the object for changes, by a mark that it bears.
 */
export const isDurable = (context: IPollFunctions, staticData: IDataObject): boolean =>
	typeof context.getPollBudgetMs === 'function' && !('__dataChanged' in staticData);

/**
 * What became of an emission, as far as it can be known.
 *
 * @param others what a handover of another process counts as
 * @param nowMs this process's stopwatch, ms
 */
export function outcomeOf(
	{ id, process }: Emission,
	{ handed }: PollerMemory,
	others: Outcome,
	nowMs: number,
): Outcome {
	if (process !== PROCESS) return others;
	const one = handed.get(id);
	if (one === undefined) return 'done';
	return one.outcome === 'pending' && nowMs - one.atMs > START_REPORTED_MS ? 'done' : one.outcome;
}

/**
 * Hands items to n8n, and notes how the start of the execution ends. What a poll returns would be handed over
 * the same way, but then nobody tells whether the execution came into being.
 *
 * @param nowMs this process's stopwatch, ms
 */
export function handOver(
	context: IPollFunctions,
	{ handed }: PollerMemory,
	emissionId: number,
	items: INodeExecutionData[],
	nowMs: number,
): void {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	const note = (outcome: Outcome) => handed.set(emissionId, { outcome, atMs: nowMs });
	// Until n8n has taken it.
	note('failed');
	void done.promise.then(
		// n8n gives no run where it has made no execution.
		(run) => note(run === undefined ? 'failed' : 'done'),
		(error: unknown) => note(hasBegun(error) ? 'done' : 'failed'),
	);
	context.__emit([items], undefined, done);
	note('pending');
}

/** Errors about an execution that came into being and has ended otherwise than by running through. */
function hasBegun(error: unknown): boolean {
	return (
		error instanceof ExecutionCancelledError ||
		(error instanceof Error && error.constructor.name === 'ExecutionNotFoundError')
	);
}
