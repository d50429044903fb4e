import { randomUUID } from 'node:crypto';

import {
	ExecutionCancelledError,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import { systemClock } from '../shared/api/clock';
import { emitWithOutcome, isUnknownExecution } from '../shared/n8n';
import type { Emission, HandoverOutcome } from './state';

/** Names this process in the emissions that it hands over. */
export const PROCESS = randomUUID();

/** n8n reports a failed start within this time. What waits longer is an execution that is running. ms. */
const START_REPORTED_MS = 120_000;

/** What became of a handover, and when it was made by this process's stopwatch, ms. */
interface Handover {
	outcome: HandoverOutcome;
	atMs: number;
}

/** What this process handed over, by the emission's id. */
export type Handovers = Map<number, Handover>;

/**
 * What became of an emission, as far as it can be known.
 *
 * @param handovers those that this process remembers
 * @param others what an emission of another process counts as, which alone could have learned how it ended
 * @param nowMs this process's stopwatch, ms
 */
export function endedOf(
	{ id, process }: Pick<Emission, 'id' | 'process'>,
	handovers: Handovers,
	others: HandoverOutcome,
	nowMs: number,
): HandoverOutcome {
	if (process !== PROCESS) return others;
	// This process has forgotten it long after it was made.
	const { outcome, atMs } = handovers.get(id) ?? { outcome: 'done', atMs: nowMs };
	return outcome === 'pending' && nowMs - atMs > START_REPORTED_MS ? 'done' : outcome;
}

/**
 * Hands items to n8n, and notes how the start of the execution ends. What a poll returns would be handed over
 * the same way, but then nobody tells whether the execution came into being.
 */
export function handOver(
	context: IPollFunctions,
	handovers: Handovers,
	id: number,
	items: INodeExecutionData[],
): void {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	const atMs = systemClock.monotonic();
	const note = (outcome: HandoverOutcome) => handovers.set(id, { outcome, atMs });
	// Until n8n has taken it.
	note('failed');
	void done.promise.then(
		// n8n gives no run where it has made no execution.
		(run) => note(run === undefined ? 'failed' : 'done'),
		(error: unknown) => note(hasBegun(error) ? 'done' : 'failed'),
	);
	emitWithOutcome(context, items, done);
	note('pending');
}

/** Errors about an execution that came into being and has ended otherwise than by running through. */
const hasBegun = (error: unknown): boolean =>
	error instanceof ExecutionCancelledError || isUnknownExecution(error);
