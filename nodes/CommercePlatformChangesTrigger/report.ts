import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../shared/rest/clock';
import { PlatformError } from '../shared/rest/errors';
import { toNodeError } from '../shared/rest/nodeErrors';
import type { ErrorContext } from '../shared/rest/refusals';
import type { NodeMemory } from './memory';
import type { PollResult } from './walk/advance';

/** Writes a warning into n8n's log. */
export const warn = (context: IPollFunctions, message: string, details: IDataObject = {}): void =>
	context.logger.warn(message, { node: context.getNode().name, ...details });

/**
 * Tells the user if the poll did not end as usual: in n8n's log, or as a failed execution.
 *
 * @param isResumed whether the trigger went on from an earlier state
 * @throws the error that n8n is to show as a failed execution
 */
export function report(
	context: IPollFunctions,
	memory: NodeMemory,
	errorContext: ErrorContext,
	{ error, changes }: PollResult,
	isResumed: boolean,
): void {
	if (error !== undefined) {
		if (decideShown(error, memory, isResumed, changes.length > 0)) throw error;
		const { message, description } = toNodeError(context.getNode(), error, errorContext);
		const text = 'The changes trigger could not read to the end and goes on at the next poll';
		warn(context, `${text}: ${message}`, { description });
	}
	memory.hasPolled = true;
}

/**
 * Whether an error that stopped a poll is shown as a failed execution. It is not shown
 * - if the poll has read changes before it: they are worth more, and an error that lasts comes again at the next poll;
 * - if the trigger resumes and its first poll meets a passing error: n8n would take the publication for failed, and the
 *   trigger would stay off although the platform was away only for a minute;
 * - if the day's budget is spent and the user has been told: until the next day hardly a poll sends anything.
 */
function decideShown(
	error: unknown,
	memory: NodeMemory,
	isResumed: boolean,
	hasChanges: boolean,
): boolean {
	if (hasChanges) return false;
	if (!(error instanceof PlatformError)) return true;
	const { day, resumeAtMs = 0, status = 0 } = error.details;
	if (day) {
		const wasTold = systemClock.now() < memory.budgetToldUntilMs;
		memory.budgetToldUntilMs = resumeAtMs;
		if (wasTold) return false;
	}
	const isPassing = error.problem !== 'refused' || status >= 500 || status === 408;
	return !isResumed || memory.hasPolled || !isPassing;
}
