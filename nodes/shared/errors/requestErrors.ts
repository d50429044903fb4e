import { isTooManyRequests, type Outcome } from '../api/attempt';
import type { Sender } from '../api/client';
import type { PlatformRequest, PlatformResponse } from '../api/request';
import type { RetryDecision } from '../api/retry';
import { findErrorCode, findErrorMessage } from './errorBody';
import { PlatformError, type Problem, type ProblemDetails } from './errors';

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
	const retryAfterMs = decision.toldMs;
	const details: ProblemDetails = {
		...answerDetails(sender, outcome),
		attempts,
		mayBeApplied: mayBeDone || undefined,
		retryAfterMs,
		timeoutMs: sender.options.timeoutMs,
		networkCode: outcome.networkCode,
		location: outcome.location,
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
	if (outcome.response === undefined) return {};
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
	return outcome.problem ?? (isTooManyRequests(outcome) ? 'budget-spent' : 'refused');
}

/** Whether nothing is left of the key's day, as far as its answers have told. */
function dayIsSpent({ limiter, clock }: Sender): boolean {
	return limiter.rateLimit.dailyBudget(0, clock.monotonic())?.percent === 0;
}

function wireName({ host }: Sender, { method, path, pathParams }: PlatformRequest) {
	return { method, path, pathParams, host };
}

/** How far a walk has come. */
export interface Place {
	/** Records before this page. */
	fetched: number;
	/** Leads to this page. */
	cursor?: string;
	/** The query parameter that takes it, where it is not `cursor`. */
	parameter?: string;
	/** The record before this page, by the field of the keyset. */
	key?: string;
	/** The walk's sort, where nobody chose it. */
	sort?: string;
}

/** An error after the first page says what was fetched and where to go on. */
export function resumable(error: unknown, place: Place): unknown {
	if (!(error instanceof PlatformError) || place.fetched === 0) return error;
	const hint = [error.details.hint, resumeHint(place)].filter(Boolean).join(' ');
	return new PlatformError(error.problem, error.request, {
		...error.details,
		...progressOf(place),
		hint,
	});
}

/**
 * The error for an answer that is no page.
 *
 * @param what is wrong with it, as a sentence
 */
export function badPage(
	{ host }: { host: string },
	{ method, path, pathParams }: PlatformRequest,
	{ status, requestId }: PlatformResponse,
	what: string,
	place: Place,
): PlatformError {
	const hint = `${what} ${resumeHint(place)}`.trim();
	return new PlatformError(
		'bad-page',
		{ method, path, pathParams, host },
		{ status, requestId, hint, ...progressOf(place) },
	);
}

function progressOf({ fetched, cursor, parameter, sort }: Place) {
	return cursor === undefined ? {} : { fetched, cursor, cursorParameter: parameter, sort };
}

/** True with On Error set to continue, where the records come out, and without it, where nothing does. */
function resumeHint({ fetched, cursor, parameter, sort }: Place): string {
	if (cursor === undefined) return '';
	const setting =
		parameter === undefined ? 'the option “Start Cursor”' : `the filter “${parameter}”`;
	return [
		`${fetched === 1 ? '1 record' : `${fetched} records`} had been fetched; they come out only where On Error is set to continue.`,
		`To read on after them, set ${setting} to “${cursor}”${sortHint(sort)}. To read everything, run the node again.`,
	].join(' ');
}

/** A cursor belongs to the sort of its walk (API document, "Pagination rules", 3). */
function sortHint(sort: string | undefined): string {
	if (sort === undefined) return '';
	const [field, direction] = sort.split(':');
	return ` and the filter “Sort” to ${field}, ${direction === 'desc' ? 'Descending' : 'Ascending'}`;
}
