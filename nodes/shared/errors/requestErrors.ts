import { isTooManyRequests, type Outcome } from '../api/attempt';
import type { Clock } from '../api/clock';
import type { Scrubber } from '../api/credential';
import type { RequestLimiter } from '../api/limiter';
import type { PlatformRequest, PlatformResponse, SendOptions } from '../api/request';
import type { RetryDecision } from '../api/retry';
import { findErrorCode, findErrorMessage } from './errorBody';
import { PlatformError, type ProblemDetails } from './errors';

/** What is needed of the one that sends. */
interface Sender {
	host: string;
	limiter: RequestLimiter;
	options: SendOptions;
	clock: Clock;
	scrub: Scrubber;
}

/** How a request ended that failed. */
interface Ended {
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
	const details: ProblemDetails = {
		...answerDetails(sender, outcome),
		attempts,
		mayBeApplied: mayBeDone || undefined,
		timeoutMs: sender.options.timeoutMs,
	};
	const { toldMs: retryAfterMs } = decision;
	if (isTooManyRequests(outcome)) return budgetSpent(sender, request, retryAfterMs, details);
	const problem = outcome.problem ?? 'refused';
	return new PlatformError(problem, on(sender, request), { ...details, retryAfterMs });
}

/**
 * The error of a request whose budget is spent for longer than the caller waits.
 *
 * @param forMs how long, where that is known
 * @param details of the answer, or of earlier attempts
 */
export function budgetSpent(
	sender: Sender,
	request: PlatformRequest,
	forMs: number | undefined,
	details: ProblemDetails,
): PlatformError {
	const wait = forMs === undefined ? {} : { ...waitOf(sender, forMs), day: dayIsSpent(sender) };
	return new PlatformError('budget-spent', on(sender, request), { ...details, ...wait });
}

/**
 * The error of a request that was not sent, to keep the share of the day's budget that the user wants kept.
 *
 * @param details of earlier attempts
 */
export function budgetKept(
	sender: Sender,
	request: PlatformRequest,
	day: { percent: number; endsInMs: number },
	details: ProblemDetails,
): PlatformError {
	const keep = sender.options.keepDailyBudgetPercent;
	return new PlatformError('budget-kept', on(sender, request), {
		...details,
		...waitOf(sender, day.endsInMs),
		day: true,
		hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
	});
}

function answerDetails({ scrub }: Sender, outcome: Outcome): ProblemDetails {
	const { response, networkCode, location } = outcome;
	if (response === undefined) return { networkCode };
	const { status, headers, body, requestId } = response;
	const scrubbed = (text: string | undefined) => text && scrub.message(text);
	return {
		status,
		code: scrubbed(findErrorCode(body)),
		requestId: scrubbed(requestId),
		platformMessage: scrubbed(findErrorMessage(body)),
		isHtml: headers['content-type']?.includes('text/html') || undefined,
		location,
	};
}

function waitOf({ clock }: Sender, forMs: number): ProblemDetails {
	const retryAfterMs = Math.ceil(forMs);
	return { retryAfterMs, resumeAtMs: clock.now() + retryAfterMs };
}

/** Whether nothing is left of the key's day, as far as its answers have told. */
function dayIsSpent({ limiter, clock }: Sender): boolean {
	return limiter.rateLimit.dailyBudget(0, clock.monotonic())?.percent === 0;
}

const on = ({ host }: { host: string }, request: PlatformRequest) => ({ ...request, host });

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

/**
 * The error for an answer that is no page.
 *
 * @param what is wrong with it, as a sentence
 */
export function badPage(
	source: { host: string },
	request: PlatformRequest,
	{ status, requestId }: PlatformResponse,
	what: string,
	place: Place,
): unknown {
	const details = { status, requestId, hint: what };
	return resumable(new PlatformError('bad-page', on(source, request), details), place);
}

/** An error after the first page says what was fetched and where to go on. */
export function resumable(error: unknown, place: Place): unknown {
	const { fetched, cursor, parameter: cursorParameter, sort } = place;
	if (!(error instanceof PlatformError) || cursor === undefined) return error;
	const hint = [error.details.hint, ...resumeHint(place)].filter(Boolean).join(' ');
	const details = { ...error.details, fetched, cursor, cursorParameter, sort, hint };
	return new PlatformError(error.problem, error.request, details);
}

/** True with On Error set to continue, where the records come out, and without it, where nothing does. */
function resumeHint({ fetched, cursor, parameter, sort }: Place): string[] {
	if (fetched === 0) return [];
	const setting =
		parameter === undefined ? 'the option “Start Cursor”' : `the filter “${parameter}”`;
	return [
		`${fetched === 1 ? '1 record' : `${fetched} records`} had been fetched; they come out only where On Error is set to continue.`,
		`To read on after them, set ${setting} to “${cursor}”${sortHint(sort)}. To read everything, run the node again.`,
	];
}

/** A cursor belongs to the sort of its walk (API document, "Pagination rules", 3). */
function sortHint(sort: string | undefined): string {
	if (sort === undefined) return '';
	const [field, direction] = sort.split(':');
	return ` and the filter “Sort” to ${field}, ${direction === 'desc' ? 'Descending' : 'Ascending'}`;
}
