import { randomUUID } from 'node:crypto';

import {
	ExecutionCancelledError,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import { emitWithOutcome, isUnknownExecution } from '../shared/n8n';
import { systemClock } from '../shared/rest/clock';
import { InputError } from '../shared/rest/errors';
import { keepLatest } from '../shared/values/latest';
import type { ChangesState, Emission, EmissionOutcome } from './state';

/** Nodes remembered at most, far more than one n8n runs. The one that polled longest ago is forgotten first. */
const MAX_NODES = 10_000;

/** What the next poll has to know of a poll that has not ended. */
interface PollUnderWay {
	/** What it watches, as text. */
	subject: string;
	/** n8n's static data of the node: another object after the workflow was published again. */
	staticData: object;
	isDurable: boolean;
	/** By this process's stopwatch, ms. */
	startedMs: number;
}

/** What this process knows of one node, beyond what n8n stores. */
export interface NodeMemory {
	/**
	 * Without durable cursors: the state after the latest poll. With them: none, except after a first poll of which n8n
	 * has stored nothing; then the state with which that poll began.
	 */
	state?: ChangesState;
	outcomes: KnownOutcomes;
	/** n8n may start a poll before the last one has ended. */
	underWay?: PollUnderWay;
	/** Until this time the user is not told again that the day's budget is spent. Unix ms. */
	budgetToldUntilMs: number;
	/** Whether a poll of this process has ended without an error. */
	hasPolled: boolean;
}

const memories = new Map<string, NodeMemory>();

/** This process's memory of a node. A node keeps its ID when it is renamed. */
export function memoryOf(context: IPollFunctions): NodeMemory {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const memory = memories.get(key) ?? {
		outcomes: new Map(),
		budgetToldUntilMs: 0,
		hasPolled: false,
	};
	return keepLatest(memories, key, memory, MAX_NODES);
}

/**
 * Begins a poll. If the workflow was published again, the poll overtakes the one under way, which then emits nothing. A
 * publication shows by other settings or, without durable cursors, by another object of static data.
 *
 * @throws InputError if the poll before has not ended
 */
export function beginPoll(memory: NodeMemory, poll: Omit<PollUnderWay, 'startedMs'>): PollUnderWay {
	const { underWay } = memory;
	const nowMs = systemClock.monotonic();
	if (underWay !== undefined && !overtakes(poll, underWay)) {
		const seconds = Math.round((nowMs - underWay.startedMs) / 1000);
		throw new InputError(
			'Poll Times',
			`come faster than the platform answers: the poll before has been under way for ${seconds} s`,
			'This poll has read nothing; the one under way goes on, and nothing is lost. Poll less often, or lower “Max Pages per Poll”.',
		);
	}
	memory.underWay = { ...poll, startedMs: nowMs };
	return memory.underWay;
}

/** Whether a poll belongs to another publication than the one under way. */
function overtakes(poll: Omit<PollUnderWay, 'startedMs'>, underWay: PollUnderWay): boolean {
	if (poll.subject !== underWay.subject) return true;
	// With durable cursors, each poll has static data of its own.
	return !poll.isDurable && poll.staticData !== underWay.staticData;
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
