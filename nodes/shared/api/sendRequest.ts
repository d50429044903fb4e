import type { IHttpRequestOptions } from 'n8n-workflow';

import { attemptOnce, type Outcome } from './attempt';
import { CancelledError, pause } from './clock';
import { budgetKept, budgetSpent, failureOf } from './failure';
import { httpOptions } from './httpOptions';
import type { PlatformRequest, PlatformResponse } from './request';
import { decideRetry, isTooManyRequests, toldToWaitMs } from './retry';
import type { Sender } from './sender';

/**
 * Sends one request until it succeeded or failed for good. The only place of this package that sends.
 *
 * @throws InputError, PlatformError, CancelledError as `PlatformClient.request` says
 */
export async function sendRequest(
	sender: Sender,
	request: PlatformRequest,
): Promise<PlatformResponse> {
	const http = httpOptions(sender.baseUrl, request, sender.options);
	const { clock, options, signal } = sender;
	/** An earlier attempt may have reached the platform although its answer did not reach us. */
	let mayBeApplied = false;
	for (let attempts = 1, waitedMs = 0; ; attempts++) {
		const outcome = await attemptInSlot(sender, request, http);
		if (signal?.aborted) throw new CancelledError();
		if (mayBeApplied && isGone(request, outcome)) return outcome.response;
		const tried = { attempts, waitedMs };
		const decision = decideRetry(outcome, tried, options, clock.now(), clock.random());
		if (decision.kind === 'done' && outcome.kind === 'answered') return outcome.response;
		holdOthers(sender, outcome);
		if (decision.kind !== 'retry') throw failureOf(sender, request, outcome, attempts, decision);
		mayBeApplied ||= !isTooManyRequests(outcome);
		waitedMs += decision.afterMs;
		await pause(clock, decision.afterMs, signal);
	}
}

/** A delete that went through, but whose answer was lost, meets a 404 when it is repeated. */
function isGone(
	{ method }: PlatformRequest,
	outcome: Outcome,
): outcome is Outcome & { kind: 'answered' } {
	return method === 'DELETE' && outcome.kind === 'answered' && outcome.response.status === 404;
}

/** The key's other requests would meet the same 429, so they wait as well. */
function holdOthers({ limiter, clock }: Sender, outcome: Outcome): void {
	if (!isTooManyRequests(outcome)) return;
	const nowMs = clock.now();
	const waitMs = toldToWaitMs(outcome, nowMs);
	if (waitMs !== undefined) limiter.rateLimit.holdUntil(nowMs + waitMs, nowMs);
}

async function attemptInSlot(
	sender: Sender,
	request: PlatformRequest,
	http: IHttpRequestOptions,
): Promise<Outcome> {
	const { context, limiter, clock } = sender;
	await acquireSlot(sender, request);
	sender.requestsSent++;
	const outcome = await attemptOnce(context, http, () => clock.now());
	limiter.release(outcome.kind === 'unanswered' ? undefined : outcome.budget);
	return outcome;
}

async function acquireSlot(sender: Sender, request: PlatformRequest): Promise<void> {
	const { limiter, options, clock, signal } = sender;
	const result = await limiter.acquire(options.maxInFlight, options.maxWaitMs, signal);
	if (result.kind === 'blocked') throw budgetSpent(sender, request, result.untilMs);
	const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.now());
	if (day !== undefined && day.percent < options.keepDailyBudgetPercent) {
		limiter.release();
		throw budgetKept(sender, request, day);
	}
}
