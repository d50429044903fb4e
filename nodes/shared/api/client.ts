import type { IDataObject } from 'n8n-workflow';

import type { FetchedPage } from './answer';
import {
	attemptOnce,
	isDone,
	isTooManyRequests,
	type Answered,
	type AttemptContext,
	type Outcome,
} from './attempt';
import { CancelledError, saysNotFound } from '../errors/errors';
import { pause, systemClock, type Clock } from './clock';
import { checkApiKey, normaliseBaseUrl, scrubberOf } from './credential';
import { budgetKept, budgetSpent, failureOf } from '../errors/requestErrors';
import { httpOptions } from './http';
import {
	credentialIdOf,
	limiterOf,
	type Acquired,
	type RequestLimiter,
	type Told,
} from './limiter';
import { paginate, type PaginateOptions } from './pages';
import type { RateLimitSnapshot } from './rateLimit';
import {
	CREDENTIAL,
	DEFAULT_SEND_OPTIONS,
	type PlatformContext,
	type PlatformRequest,
	type PlatformResponse,
	type SendOptions,
} from './request';
import { decideRetry, mayBeApplied, toldToWaitMs } from './retry';

/** The way to the platform for one run of a node, one hook or one poll. Nothing else of this package sends. */
export interface PlatformClient {
	/**
	 * Sends one request: in turn with the key's other requests, within the key's rate limit, repeated where
	 * that can help.
	 *
	 * @returns the platform's answer, status below 400
	 * @throws InputError before anything was sent, when an id or a header value cannot be sent safely
	 * @throws PlatformError when the request failed for good
	 * @throws CancelledError when the execution was cancelled
	 */
	request(request: PlatformRequest): Promise<PlatformResponse>;
	/**
	 * Walks a list by cursor, page by page.
	 *
	 * @param request of the first page, without `limit` and `cursor`
	 * @throws the same as {@link request}
	 */
	pages(request: PlatformRequest, options?: PaginateOptions): AsyncGenerator<FetchedPage>;
	/** The same, record by record. */
	records(request: PlatformRequest, options?: PaginateOptions): AsyncGenerator<IDataObject>;
	/**
	 * What is known of the key's rate limit.
	 *
	 * @param nowMs Unix ms; the clock's time where it is left out
	 */
	rateLimit(nowMs?: number): RateLimitSnapshot;
	/** How long this client's requests have waited so far, for a hint to the user. */
	waits(): WaitSummary;
	/** Calls this at the beginning of every wait from now on. */
	onWait(listener: (wait: Wait) => void): void;
	/** Requests that this client has sent so far, repeats included: what the run has cost. */
	requestsSent(): number;
	/** Of the credential's Base URL, with its port where it has one. */
	readonly host: string;
	/** Names the API key at its address, for what is kept apart by merchant: limits, turns, times. */
	readonly credentialId: string;
	readonly options: SendOptions;
	readonly clock: Clock;
	/** Tells that the execution was cancelled. */
	readonly signal?: AbortSignal;
}

/**
 * Reads the credential and makes a client for it. Clients of one key and address share one limiter.
 *
 * @param options what is left out has the default of `DEFAULT_SEND_OPTIONS`
 * @throws CredentialError when the credential's address or key cannot be used
 */
export async function createClient(
	context: PlatformContext,
	options: Partial<SendOptions> = {},
	clock: Clock = systemClock,
): Promise<PlatformClient> {
	const credential = await context.getCredentials<IDataObject>(CREDENTIAL);
	const baseUrl = normaliseBaseUrl(credential.baseUrl);
	const apiKey = checkApiKey(credential.apiKey);
	const credentialId = credentialIdOf(baseUrl, apiKey);
	const sent = { ...DEFAULT_SEND_OPTIONS, ...options };
	const sender: Sender = {
		context,
		baseUrl,
		host: new URL(baseUrl).host,
		credentialId,
		limiter: limiterOf(credentialId, clock),
		options: sent,
		clock,
		idleMs: sent.timeoutMs,
		deadlineMs: sent.deadlineMs ?? Math.max(2 * sent.timeoutMs, MIN_DEADLINE_MS),
		signal: context.getExecutionCancelSignal?.(),
		scrub: scrubberOf(apiKey),
		waits: { rateLimitMs: 0, retries: 0, longestRetryWaitMs: 0 },
		heldSeenMs: 0,
		requestsSent: 0,
	};
	return clientOf(sender);
}

function clientOf(sender: Sender): PlatformClient {
	const { host, credentialId, options, clock, signal, limiter } = sender;
	const request = async (one: PlatformRequest) => await sendRequest(sender, one);
	const pages = (first: PlatformRequest, walk?: PaginateOptions) =>
		paginate({ request, host }, first, walk);
	return {
		request,
		pages,
		async *records(first, walk) {
			for await (const { records } of pages(first, walk)) yield* records;
		},
		rateLimit: (unixMs = clock.now()) =>
			limiter.rateLimit.snapshot({ unixMs, monotonicMs: clock.monotonic() }),
		waits: () => ({ ...sender.waits }),
		onWait: (listener) => {
			sender.onWait = listener;
		},
		requestsSent: () => sender.requestsSent,
		host,
		credentialId,
		options,
		clock,
		signal,
	};
}

/** How long the requests of a client have waited. */
export interface WaitSummary {
	/** Time in which the key's rate limit held requests of this client back, ms; parallel waits count once. */
	rateLimitMs: number;
	/** Attempts that were repeated. */
	retries: number;
	/** The longest wait of one request between its attempts, ms. */
	longestRetryWaitMs: number;
}

/** A wait that has just begun. */
export interface Wait {
	/** The key's rate limit, or the pause before a failed request is repeated. */
	reason: 'rateLimit' | 'retry';
	/** How long it will take as far as is known, ms. */
	ms: number;
}

/** No deadline is shorter, so that a slow line has time for a large page. ms. */
const MIN_DEADLINE_MS = 10_000;

/** What all requests of one client share. */
export interface Sender extends AttemptContext {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	host: string;
	credentialId: string;
	limiter: RequestLimiter;
	options: SendOptions;
	/** Kept up to date. */
	waits: WaitSummary;
	/** Told of every wait when it begins. */
	onWait?: (wait: Wait) => void;
	/** The limiter's total of held time up to which it is in `waits`, ms. */
	heldSeenMs: number;
	/** Attempts of all its requests so far. */
	requestsSent: number;
}

/**
 * Sends one request until it succeeded or failed for good. The only place of this package that sends.
 *
 * @throws InputError, PlatformError, CancelledError as `PlatformClient.request` says
 */
async function sendRequest(sender: Sender, request: PlatformRequest): Promise<PlatformResponse> {
	const http = httpOptions(sender.baseUrl, request, sender.options);
	const { clock, options, signal, waits } = sender;
	const isWrite = request.method !== 'GET';
	/** An attempt may have reached the platform although its answer did not reach us. */
	let mayBeDone = false;
	for (let attempts = 1, waitedMs = 0; ; attempts++) {
		const slot = await acquireSlot(sender, request, mayBeDone);
		if (attempts > 1) waitedMs += slot.held.toMs - slot.held.fromMs;
		sender.requestsSent++;
		const outcome = await attemptOnce(sender, http, request.forReturn);
		sender.limiter.release(toldBy(outcome, slot.startedMs, clock.now()));
		if (signal?.aborted) throw new CancelledError();
		if (isDone(outcome) || (mayBeDone && isGone(request, outcome))) return outcome.response;
		const tried = { isWrite, attempts, waitedMs };
		const decision = decideRetry(outcome, tried, options, clock.now(), clock.random());
		mayBeDone ||= isWrite && mayBeApplied(outcome);
		if (decision.afterMs === undefined) {
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
	const { response, problem } = outcome;
	return method === 'DELETE' && problem === undefined && saysNotFound(response?.status);
}

/** What an outcome tells all requests of the key. */
function toldBy(outcome: Outcome, startedMs: number, nowMs: number): Told | undefined {
	const { response, budget: reading } = outcome;
	if (response === undefined) return undefined;
	if (isTooManyRequests(outcome)) {
		return { startedMs, reading, verdict: 'refused', waitMs: toldToWaitMs(outcome, nowMs) };
	}
	return { startedMs, reading, verdict: response.status < 500 ? 'accepted' : undefined };
}

type Slot = Extract<Acquired, { kind: 'acquired' }>;

async function acquireSlot(
	sender: Sender,
	request: PlatformRequest,
	mayBeDone: boolean,
): Promise<Slot> {
	const { limiter, options, clock, signal, waits } = sender;
	const { maxInFlight, maxWaitMs, keepMinuteBudgetPercent: keepPercent } = options;
	const onHold = (ms: number) => sender.onWait?.({ reason: 'rateLimit', ms });
	const slot = await limiter.acquire({ maxInFlight, maxWaitMs, keepPercent, signal, onHold });
	const before = { mayBeApplied: mayBeDone || undefined };
	if (slot.kind === 'blocked')
		throw budgetSpent(sender, request, slot.ms, { ...before, status: 429 });
	const { fromMs, toMs } = slot.held;
	waits.rateLimitMs += Math.max(0, toMs - Math.max(fromMs, sender.heldSeenMs));
	sender.heldSeenMs = Math.max(sender.heldSeenMs, toMs);
	const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.monotonic());
	if (day !== undefined && day.percent < options.keepDailyBudgetPercent) {
		limiter.release();
		throw budgetKept(sender, request, day, before);
	}
	return slot;
}
