import type { Outcome } from './attempt';
import { findErrorCode, findErrorMessage } from './errorBody';
import { PlatformError, type Problem, type ProblemDetails } from './platformError';
import type { PlatformRequest } from './request';
import type { RetryDecision } from './retry';
import type { Sender } from './client';

/** How a request ended that failed. */
export interface Ended {
	attempts: number;
	/** One of its attempts may have been applied, and it is a write. */
	mayBeDone: boolean;
	decision: RetryDecision;
}

/** The error of a request for which there is no further attempt. */
export function failureOf(
	sender: Sender,
	request: PlatformRequest,
	outcome: Outcome,
	{ attempts, mayBeDone, decision }: Ended,
): PlatformError {
	const problem = problemOf(outcome);
	const retryAfterMs = decision.kind === 'give-up' ? decision.retryAfterMs : undefined;
	const details: ProblemDetails = {
		...answerDetails(sender, outcome),
		attempts,
		mayBeApplied: mayBeDone || undefined,
		retryAfterMs,
		timeoutMs: sender.options.timeoutMs,
		networkCode: outcome.kind === 'unanswered' ? outcome.networkCode : undefined,
		location: outcome.kind === 'unusable' ? outcome.location : undefined,
	};
	if (problem === 'budget-spent' && retryAfterMs !== undefined) {
		details.resumeAtMs = sender.clock.now() + retryAfterMs;
		details.day = dayIsSpent(sender);
	}
	return new PlatformError(problem, wireName(sender, request), details);
}

/** The error of a request that was not sent, since the budget is spent for longer than the caller waits. */
export function budgetSpent(
	sender: Sender,
	request: PlatformRequest,
	forMs: number,
): PlatformError {
	const retryAfterMs = Math.ceil(forMs);
	return new PlatformError('budget-spent', wireName(sender, request), {
		status: 429,
		resumeAtMs: sender.clock.now() + retryAfterMs,
		retryAfterMs,
		day: dayIsSpent(sender),
	});
}

/** The error of a request that was not sent, to keep the share of the day's budget that the user wants kept. */
export function budgetKept(
	sender: Sender,
	request: PlatformRequest,
	day: { percent: number; endsInMs: number },
): PlatformError {
	const keep = sender.options.keepDailyBudgetPercent;
	return new PlatformError('budget-kept', wireName(sender, request), {
		resumeAtMs: sender.clock.now() + Math.ceil(day.endsInMs),
		day: true,
		hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
	});
}

function answerDetails({ scrub }: Sender, outcome: Outcome): ProblemDetails {
	if (outcome.kind === 'unanswered') return {};
	const { status, headers, body, requestId } = outcome.response;
	const scrubbed = (text: string | undefined) => text && scrub.message(text);
	return {
		status,
		code: scrubbed(findErrorCode(body)),
		requestId: scrubbed(requestId),
		platformMessage: scrubbed(findErrorMessage(body)),
		isHtml: headers['content-type']?.includes('text/html') || undefined,
	};
}

function problemOf(outcome: Outcome): Problem {
	if (outcome.kind !== 'answered') return outcome.problem;
	return outcome.response.status === 429 ? 'budget-spent' : 'refused';
}

/** Whether nothing is left of the key's day, as far as its answers have told. */
function dayIsSpent({ limiter, clock }: Sender): boolean {
	return limiter.rateLimit.dailyBudget(0, clock.monotonic())?.percent === 0;
}

function wireName({ host }: Sender, { method, path, pathParams }: PlatformRequest) {
	return { method, path, pathParams, host };
}
