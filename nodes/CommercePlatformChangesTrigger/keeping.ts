import {
	ExecutionCancelledError,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { emitWithOutcome, isUnknownExecution } from '../shared/n8n';
import { systemClock } from '../shared/rest/clock';
import { isSame } from '../shared/values/json';
import { keepLatest } from '../shared/values/maps';
import { type ChangesState, type EmissionOutcome, loadState, type Subject } from './state';

/** Nodes remembered at most, far more than one n8n runs. The one that polled longest ago is forgotten first. */
const MAX_NODES = 10_000;

/** What this process knows of one node, beyond what n8n stores. */
interface NodeMemory {
	/** See {@link Keeping.next}. */
	next?: ChangesState;
	/** What n8n had stored when the last poll began. */
	storedBefore?: unknown;
	readonly outcomes: KnownOutcomes;
	/** n8n may start a poll before the last one has ended. Undefined before the first one. */
	isPolling?: boolean;
}

const nodeMemories = new Map<string, NodeMemory>();

/**
 * This process's memory of a node and what it watches. A node keeps its ID when it is renamed. If it is published again
 * for something else, a poll that is still under way does not disturb the new ones.
 */
export function memoryOf(context: IPollFunctions, subject: Subject): NodeMemory {
	const key = JSON.stringify([context.getNode().id, { ...subject, filters: '' }]);
	const memory = nodeMemories.get(key) ?? { outcomes: new Map() };
	return keepLatest(nodeMemories, key, memory, MAX_NODES);
}

/** The id of every emission with durable cursors. */
const DONE_IF_STORED = 'done if stored';

/** Names this process in the ids of its other emissions. */
const PROCESS = randomUUID();
let emissionCount = 0;

/** The id of a further emission. No other has it, of this process or of another. */
export const newEmissionId = (): string => `${PROCESS} ${++emissionCount}`;

/** A poll that has read. */
interface ReadPoll {
	startState: ChangesState;
	endState: ChangesState;
	/** Whether an error stopped it before any change. Of such a poll n8n stores nothing. */
	hasFailed: boolean;
	/** What n8n had stored when it began. */
	stored: unknown;
	subject: Subject;
}

/** What this process adds to what n8n stores. That depends on how n8n stores it: one form each below. */
interface Keeping {
	/** The state that this process remembers of the poll before, if it still counts. @param stored by n8n, by now */
	remembered(memory: NodeMemory, stored: unknown): ChangesState | undefined;
	/** The id of what a poll emits. See {@link emissionOutcome}. */
	emissionId(): string;
	/** The state to remember for the next poll. */
	next(poll: ReadPoll): ChangesState | undefined;
}

/**
 * n8n stores static data and creates the execution independently of each other, and may lose what is in static data. So
 * every state is remembered, and n8n's word is awaited for every emission.
 */
export const REMEMBERED: Keeping = {
	remembered: ({ next }) => next,
	emissionId: newEmissionId,
	next: ({ endState }) => endState,
};

/**
 * With “durable cursors” n8n stores static data and the execution in one transaction. So an emission is done if the state
 * that holds it is stored, and once n8n has stored anything, only that counts.
 */
export const DURABLE: Keeping = {
	remembered: ({ next, storedBefore }, stored) => (isSame(storedBefore, stored) ? next : undefined),
	emissionId: () => DONE_IF_STORED,
	next({ startState, endState, hasFailed, stored, subject }) {
		if (hasFailed) return endState;
		// n8n stores all else, but a quiet poll at publishing. Then the next poll begins where this one began: at what was
		// stored before, if that can be used.
		return loadState(stored, undefined, subject).state === undefined ? startState : undefined;
	},
};

/** If n8n could not start an execution, it says so within this time. After it, the execution counts as running. ms. */
const START_REPORTED_MS = 120_000;

/** What became of the emissions of this process, by their id, as far as n8n has reported. */
type KnownOutcomes = Map<string, { outcome: EmissionOutcome; emittedMs: number }>;

/**
 * Tells what became of an emission, as far as it can be known.
 *
 * @param knownOutcomes the emissions that this process remembers
 * @param foreignOutcome what an emission of another process counts as: only that process could learn its outcome
 * @param nowMs this process's stopwatch, ms
 */
export function emissionOutcome(
	id: string,
	knownOutcomes: KnownOutcomes,
	foreignOutcome: EmissionOutcome,
	nowMs: number,
): EmissionOutcome {
	if (id === DONE_IF_STORED) return 'done';
	const known = knownOutcomes.get(id);
	// Of its own emissions a process forgets only those of a node that has long not polled. Their executions have started.
	if (known === undefined) return id.startsWith(PROCESS) ? 'done' : foreignOutcome;
	const isOverdue = nowMs - known.emittedMs > START_REPORTED_MS;
	return known.outcome === 'pending' && isOverdue ? 'done' : known.outcome;
}

/**
 * Emits items: hands them to n8n, and notes whether n8n starts an execution. If a poll returned the items, it would
 * never learn that.
 */
export function emit(
	context: IPollFunctions,
	knownOutcomes: KnownOutcomes,
	id: string,
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
