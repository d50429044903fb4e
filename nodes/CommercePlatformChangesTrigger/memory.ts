import { randomUUID } from 'node:crypto';

import {
	ExecutionCancelledError,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import { emitWithOutcome, isUnknownExecution } from '../shared/n8n';
import { systemClock } from '../shared/rest/clock';
import { keepLatest } from '../shared/values/latest';
import type { ChangesState, Emission, EmissionOutcome, Subject } from './state';

/** Nodes remembered at most, far more than one n8n runs. The one that polled longest ago is forgotten first. */
const MAX_NODES = 10_000;

/** What this process knows of one node, beyond what n8n stores. */
export interface NodeMemory {
	/**
	 * Without durable cursors: the state after the latest poll. With them: none, except after a first poll of which n8n
	 * has stored nothing; then the state with which that poll began.
	 */
	state?: ChangesState;
	outcomes: KnownOutcomes;
	/** n8n may start a poll before the last one has ended. */
	isPolling?: boolean;
}

const memories = new Map<string, NodeMemory>();

/**
 * This process's memory of a node and what it watches. A node keeps its ID when it is renamed. If it is published again
 * for something else, a poll that is still under way does not disturb the new ones.
 */
export function memoryOf(context: IPollFunctions, subject: Subject): NodeMemory {
	const key = JSON.stringify([context.getNode().id, { ...subject, filters: '' }]);
	const memory = memories.get(key) ?? { outcomes: new Map() };
	return keepLatest(memories, key, memory, MAX_NODES);
}

/** Names this process in its emissions. */
export const PROCESS = randomUUID();

/** If n8n could not start an execution, it says so within this time. After it, the execution counts as running. ms. */
const START_REPORTED_MS = 120_000;

/** What became of an emission, as far as n8n has reported. */
interface KnownOutcome {
	outcome: EmissionOutcome;
	emittedMs: number;
}

/** The emissions of this process, by their id. */
type KnownOutcomes = Map<number, KnownOutcome>;

/**
 * Tells what became of an emission, as far as it can be known.
 *
 * @param knownOutcomes the emissions that this process remembers
 * @param foreignOutcome what an emission of another process counts as: only that process could learn its outcome
 * @param nowMs this process's stopwatch, ms
 */
export function outcomeOf(
	{ id, process }: Pick<Emission, 'id' | 'process'>,
	knownOutcomes: KnownOutcomes,
	foreignOutcome: EmissionOutcome,
	nowMs: number,
): EmissionOutcome {
	if (process !== PROCESS) return foreignOutcome;
	// Only a node that has long not polled is forgotten. By then its executions have started.
	const { outcome, emittedMs } = knownOutcomes.get(id) ?? { outcome: 'done', emittedMs: nowMs };
	return outcome === 'pending' && nowMs - emittedMs > START_REPORTED_MS ? 'done' : outcome;
}

/**
 * Emits items: hands them to n8n, and notes whether n8n starts an execution. If a poll returned the items, it would
 * never learn that.
 */
export function emit(
	context: IPollFunctions,
	knownOutcomes: KnownOutcomes,
	id: number,
	items: INodeExecutionData[],
): void {
	const ended = context.helpers.createDeferredPromise<IRun | undefined>();
	const emittedMs = systemClock.monotonic();
	const note = (outcome: EmissionOutcome) => knownOutcomes.set(id, { outcome, emittedMs });
	// This stays if the next call throws.
	note('failed');
	void ended.promise.then(
		// n8n gives no run if it has made no execution.
		(run) => note(run === undefined ? 'failed' : 'done'),
		(error: unknown) => note(provesExecution(error) ? 'done' : 'failed'),
	);
	emitWithOutcome(context, items, ended);
	note('pending');
}

/** Whether an error proves that n8n had made an execution: it was cancelled, or n8n no longer knows it. */
const provesExecution = (error: unknown): boolean =>
	error instanceof ExecutionCancelledError || isUnknownExecution(error);
