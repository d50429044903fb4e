import type { IHttpRequestOptions } from 'n8n-workflow';

import { attemptOnce, isDone, isTooManyRequests, type Answered, type Outcome } from './attempt';
import { type AttemptLimits, CancelledError, pause } from './clock';
import { budgetKept, budgetSpent, failureOf } from './failure';
import { httpOptions } from './httpOptions';
import { saysNotFound } from './notFound';
import type { PlatformRequest, PlatformResponse, SendOptions } from './request';
import type { Acquired, Told } from './requestLimiter';
import { decideRetry, mayBeApplied, toldToWaitMs } from './retry';
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
	const { clock, options, signal, waits } = sender;
	const isWrite = request.method !== 'GET';
	/** An attempt may have reached the platform although its answer did not reach us. */
	let mayBeDone = false;
	for (let attempts = 1, waitedMs = 0; ; attempts++) {
		const slot = await acquireSlot(sender, request);
		if (attempts > 1) waitedMs += slot.held.toMs - slot.held.fromMs;
		const outcome = await attemptInSlot(sender, slot, http, request.forReturn);
		if (signal?.aborted) throw new CancelledError();
		if (isDone(outcome) || (mayBeDone && isGone(request, outcome))) return outcome.response;
		const tried = { isWrite, attempts, waitedMs };
		const decision = decideRetry(outcome, tried, options, clock.now(), clock.random());
		mayBeDone ||= isWrite && mayBeApplied(outcome);
		if (decision.kind !== 'retry') {
			throw failureOf(sender, request, outcome, { attempts, mayBeDone, decision });
		}
		waitedMs += decision.afterMs;
		waits.retries++;
		waits.longestRetryWaitMs = Math.max(waits.longestRetryWaitMs, waitedMs);
		sender.onWait?.({ reason: 'retry', ms: decision.afterMs });
		await pause(clock, decision.afterMs, signal);
	}
}

/** A delete that went through, but whose answer was lost, finds no record when it is repeated. */
function isGone({ method }: PlatformRequest, outcome: Outcome): outcome is Answered {
	if (method !== 'DELETE' || outcome.kind !== 'answered') return false;
	return saysNotFound(outcome.response.status);
}

type Slot = Extract<Acquired, { kind: 'acquired' }>;

async function attemptInSlot(
	sender: Sender,
	{ startedMs }: Slot,
	http: IHttpRequestOptions,
	forReturn?: true,
): Promise<Outcome> {
	sender.requestsSent++;
	const { context, watch, options, signal, limiter, clock, scrub } = sender;
	const exchange = { context, watch, limits: limitsOf(options), signal };
	const outcome = await attemptOnce(exchange, http, scrub, () => clock.now(), forReturn);
	limiter.release(toldBy(outcome, startedMs, clock.now()));
	return outcome;
}

/** No deadline is shorter, so that a slow line has time for a large page. ms. */
const MIN_DEADLINE_MS = 10_000;

function limitsOf({ timeoutMs, deadlineMs }: SendOptions): AttemptLimits {
	return {
		idleMs: timeoutMs,
		deadlineMs: deadlineMs ?? Math.max(2 * timeoutMs, MIN_DEADLINE_MS),
	};
}

/** What an outcome tells all requests of the key. */
function toldBy(outcome: Outcome, startedMs: number, nowMs: number): Told | undefined {
	if (outcome.kind === 'unanswered') return undefined;
	const reading = outcome.budget;
	if (isTooManyRequests(outcome)) {
		return { startedMs, reading, verdict: 'refused', waitMs: toldToWaitMs(outcome, nowMs) };
	}
	const isAccepted = outcome.response.status < 500;
	return { startedMs, reading, verdict: isAccepted ? 'accepted' : undefined };
}

async function acquireSlot(sender: Sender, request: PlatformRequest): Promise<Slot> {
	const { limiter, options, clock, signal, waits } = sender;
	const { maxInFlight, maxWaitMs, keepMinuteBudgetPercent: keepPercent } = options;
	const onHold = (ms: number) => sender.onWait?.({ reason: 'rateLimit', ms });
	const slot = await limiter.acquire({ maxInFlight, maxWaitMs, keepPercent, signal, onHold });
	if (slot.kind === 'blocked') throw budgetSpent(sender, request, slot.ms);
	const { fromMs, toMs } = slot.held;
	waits.rateLimitMs += Math.max(0, toMs - Math.max(fromMs, sender.heldSeenMs));
	sender.heldSeenMs = Math.max(sender.heldSeenMs, toMs);
	const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.monotonic());
	if (day !== undefined && day.percent < options.keepDailyBudgetPercent) {
		limiter.release();
		throw budgetKept(sender, request, day);
	}
	return slot;
}
