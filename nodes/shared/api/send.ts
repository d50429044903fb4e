import type { IHttpRequestOptions } from 'n8n-workflow';

import { attemptOnce, type Attempt } from './attempt';
import { CancelledError, pause } from './clock';
import type { Connection } from './connection';
import { findErrorCode, findErrorMessage } from './errorBody';
import { PlatformError, type Problem, type ProblemDetails } from './platformError';
import type { PlatformRequest, PlatformResponse } from './request';
import { judge, toldToWaitMs, type Outcome, type Verdict } from './retry';
import { requestOptions } from './wire';

/**
 * Sends one request until it succeeded or failed for good: in a slot of the key's lane, within the key's
 * budget, repeated where that can help. The only place of this package that sends.
 *
 * @returns the platform's answer, status below 400
 * @throws UnsafeValueError before anything was sent, when an id or header value cannot be sent safely
 * @throws PlatformError when the request failed for good
 * @throws CancelledError when the execution was cancelled
 */
export async function send(
	connection: Connection,
	request: PlatformRequest,
): Promise<PlatformResponse> {
	const options = requestOptions(connection, request);
	const { clock, signal } = connection;
	let waitedMs = 0;
	/** An earlier attempt may have reached the platform although its answer did not reach us. */
	let mayBeApplied = false;
	for (let attempt = 1; ; attempt++) {
		const result = await attemptInLane(connection, request, options);
		if (signal?.aborted) throw new CancelledError();
		const { outcome, response } = result;
		if (response?.status === 404 && request.method === 'DELETE' && mayBeApplied) return response;
		const verdict: Verdict =
			result.problem !== undefined && outcome.kind === 'answer'
				? { kind: 'give-up', reason: 'final' }
				: judge(outcome, attempt, waitedMs, connection.options, clock.now(), clock.random());
		if (verdict.kind === 'done' && response !== undefined) return response;
		holdLane(connection, outcome);
		if (verdict.kind === 'retry') {
			mayBeApplied ||= outcome.kind !== 'answer' || outcome.status !== 429;
			waitedMs += verdict.afterMs;
			await pause(clock, verdict.afterMs, signal);
			continue;
		}
		const retryAfterMs = verdict.kind === 'give-up' ? verdict.retryAfterMs : undefined;
		throw failed(connection, request, result, { attempts: attempt, retryAfterMs });
	}
}

/** The lane's other requests would meet the same 429, so they wait as well. */
function holdLane(connection: Connection, outcome: Outcome): void {
	if (outcome.kind !== 'answer' || outcome.status !== 429) return;
	const nowMs = connection.clock.now();
	const waitMs = toldToWaitMs(outcome, nowMs);
	if (waitMs !== undefined) connection.lane.pace.holdUntil(nowMs + waitMs, nowMs);
}

/** Whether nothing is left of the key's day, as far as its answers have told. */
function dayIsSpent({ lane, clock }: Connection): boolean {
	return lane.pace.dailyBudget(0, clock.now())?.percent === 0;
}

async function attemptInLane(
	connection: Connection,
	request: PlatformRequest,
	options: IHttpRequestOptions,
): Promise<Attempt> {
	await enterLane(connection, request);
	const attempt = await attemptOnce(connection, options);
	const { outcome } = attempt;
	connection.lane.leave(outcome.kind === 'no-answer' ? undefined : outcome.headers);
	return attempt;
}

async function enterLane(connection: Connection, request: PlatformRequest): Promise<void> {
	const { lane, options, clock } = connection;
	const entry = await lane.enter(options.maxInFlight, options.maxWaitMs, connection.signal);
	if (entry.kind === 'blocked') {
		throw new PlatformError('budget-spent', wireName(connection, request), {
			status: 429,
			resumeAtMs: entry.untilMs,
			retryAfterMs: entry.untilMs - clock.now(),
			day: dayIsSpent(connection),
		});
	}
	const day = lane.pace.dailyBudget(lane.underWay - 1, clock.now());
	const keep = options.keepDailyBudgetPercent;
	if (keep > 0 && day !== undefined && day.percent < keep) {
		lane.leave();
		throw new PlatformError('budget-kept', wireName(connection, request), {
			resumeAtMs: day.endsAtMs,
			day: true,
			hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
		});
	}
}

function failed(
	connection: Connection,
	request: PlatformRequest,
	attempt: Attempt,
	more: { attempts: number; retryAfterMs?: number },
): PlatformError {
	const { outcome, response } = attempt;
	const nowMs = connection.clock.now();
	const status = outcome.kind === 'no-answer' ? undefined : outcome.status;
	const problem = attempt.problem ?? problemOf(outcome);
	const message = findErrorMessage(response?.body);
	const code = findErrorCode(response?.body);
	const details: ProblemDetails = {
		...more,
		status,
		code: code === undefined ? undefined : connection.scrub(code),
		requestId: response?.requestId === undefined ? undefined : connection.scrub(response.requestId),
		platformMessage: message === undefined ? undefined : connection.scrub(message),
		timeoutMs: connection.options.timeoutMs,
		networkCode: attempt.networkCode,
		location: attempt.location,
	};
	if (problem === 'budget-spent' && more.retryAfterMs !== undefined) {
		details.resumeAtMs = nowMs + more.retryAfterMs;
		details.day = dayIsSpent(connection);
	}
	return new PlatformError(problem, wireName(connection, request), details);
}

const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

function problemOf(outcome: Outcome): Problem {
	if (outcome.kind === 'no-answer')
		return TIMEOUT_CODES.has(outcome.code ?? '') ? 'timeout' : 'unreachable';
	return outcome.status === 429 ? 'budget-spent' : 'refused';
}

function wireName(connection: Connection, request: PlatformRequest) {
	return {
		method: request.method,
		path: request.path,
		pathParams: request.pathParams,
		host: connection.host,
	};
}
