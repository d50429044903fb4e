import type { IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../shared/errors/nodeErrors';
import { PlatformError } from '../shared/errors/errors';
import type { ChangesParameters } from './parameters';
import type { PollerMemory } from './state/pollerMemory';

/** What a poll does about an error that stopped it. */
export type Reaction =
	/** It fails, so that n8n shows the error. */
	| 'throw'
	/** It ends quietly; the next one goes on where this one stopped. */
	| 'log';

/**
 * What stops a poll is shown as a failed execution. Not so where that would do harm: n8n takes an error of the
 * first poll after its start for a failed publication, and the trigger would stay off for a platform that was
 * away for a minute. And what has been emitted in front of the error is worth more than the error, which comes
 * again at the next poll if it lasts. A spent day is shown once.
 *
 * @param isResumed whether the trigger has a state from before
 */
export function reactionTo(
	error: unknown,
	memory: PollerMemory,
	{ isResumed, hasEmitted, nowMs }: { isResumed: boolean; hasEmitted: boolean; nowMs: number },
): Reaction {
	if (hasEmitted || isReported(error, memory, nowMs)) return 'log';
	return isResumed && !memory.hasPolled && isPassing(error) ? 'log' : 'throw';
}

/**
 * Whether a day's budget is meant of which an earlier poll has said until when it is spent. Until then no poll
 * sends anything, and none has to say so again.
 */
function isReported(error: unknown, memory: PollerMemory, nowMs: number): boolean {
	if (!(error instanceof PlatformError) || !error.details.day) return false;
	const reported = nowMs < (memory.reportedUntilMs ?? 0);
	memory.reportedUntilMs = error.details.resumeAtMs;
	return reported;
}

/** Logs an error in the words in which n8n would show it. */
export function logError(
	context: IPollFunctions,
	error: unknown,
	{ watch }: ChangesParameters,
): void {
	const { message, description } = toNodeError(context.getNode(), error, watch.errors);
	context.logger.warn(
		`The changes trigger could not read to the end and goes on at the next poll: ${message}`,
		{ node: context.getNode().name, description },
	);
}

function isPassing(error: unknown): boolean {
	if (!(error instanceof PlatformError)) return false;
	const { status = 0 } = error.details;
	return error.problem !== 'refused' || status >= 500 || status === 408;
}
