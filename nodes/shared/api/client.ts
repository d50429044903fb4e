import type { IDataObject } from 'n8n-workflow';

import {
	CancelledError,
	PlatformError,
	type Problem,
	type ProblemDetails,
	saysNotFound,
} from '../errors/errors';
import type { FetchedPage } from './answer';
import { Attempts } from './attempt';
import { pause, systemClock, type Clock } from './clock';
import { checkApiKey, normaliseBaseUrl, scrubberOf } from './credential';
import { httpOptions } from './http';
import { credentialIdOf, limiterOf, type AcquireOptions, type RequestLimiter } from './limiter';
import { isDone, type Answered, type Outcome } from './outcome';
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
import { decideRetry, mayBeApplied } from './retry';

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
	return new PlatformClient(context, credential, { ...DEFAULT_SEND_OPTIONS, ...options }, clock);
}

/** The way to the platform for one run of a node, one hook or one poll. Nothing else of this package sends. */
export class PlatformClient {
	/** Of the credential's Base URL, with its port where it has one. */
	readonly host: string;
	/** Names the API key at its address, for what is kept apart by merchant: limits, turns, times. */
	readonly credentialId: string;
	/** Tells that the execution was cancelled. */
	readonly signal?: AbortSignal;
	private readonly baseUrl: string;
	private readonly limiter: RequestLimiter;
	private readonly caller: AcquireOptions;
	private readonly attempts: Attempts;
	private readonly waited: WaitSummary = { rateLimitMs: 0, retries: 0, longestRetryWaitMs: 0 };
	private listener?: (wait: Wait) => void;
	/** The limiter's held time up to which it is in `waited`, ms. */
	private heldSeenMs = 0;
	private sent = 0;

	/** @throws CredentialError */
	constructor(
		context: PlatformContext,
		credential: IDataObject,
		readonly options: SendOptions,
		readonly clock: Clock,
	) {
		const { maxInFlight, maxWaitMs, keepMinuteBudgetPercent: keepPercent, timeoutMs } = options;
		const { deadlineMs = Math.max(2 * timeoutMs, MIN_DEADLINE_MS) } = options;
		const apiKey = checkApiKey(credential.apiKey);
		const scrub = scrubberOf(apiKey);
		this.baseUrl = normaliseBaseUrl(credential.baseUrl);
		this.host = new URL(this.baseUrl).host;
		this.credentialId = credentialIdOf(this.baseUrl, apiKey);
		this.limiter = limiterOf(this.credentialId, clock);
		const signal = context.getExecutionCancelSignal?.();
		this.signal = signal;
		const onHold = (ms: number) => this.listener?.({ reason: 'rateLimit', ms });
		this.caller = { maxInFlight, maxWaitMs, keepPercent, signal, onHold };
		const idleMs = timeoutMs;
		this.attempts = new Attempts({ context, credential, clock, scrub, idleMs, deadlineMs, signal });
	}

	/**
	 * Sends one request: in turn with the key's other requests, within the key's rate limit, repeated where
	 * that can help.
	 *
	 * @returns the platform's answer, status below 400
	 * @throws InputError before anything was sent, when an id or a header value cannot be sent safely
	 * @throws PlatformError when the request failed for good
	 * @throws CancelledError when the execution was cancelled
	 */
	async request(request: PlatformRequest): Promise<PlatformResponse> {
		const http = httpOptions(this.baseUrl, request, this.options);
		const { clock, options, signal, limiter, waited } = this;
		const isWrite = request.method !== 'GET';
		/** An attempt may have reached the platform although its answer did not reach us. */
		let mayBeDone = false;
		for (let attempts = 1, waitedMs = 0; ; attempts++) {
			const heldFromMs = limiter.heldMs;
			const slot = limiter.acquire(this.caller);
			const blockedMs = slot instanceof Promise ? await slot : slot;
			this.checkBudget(request, blockedMs, { mayBeApplied: mayBeDone || undefined });
			const heldMs = this.noteHeld(heldFromMs);
			if (attempts > 1) waitedMs += heldMs;
			const startedMs = clock.monotonic();
			this.sent++;
			const outcome = await this.attempts.send(http, request.forReturn);
			limiter.release(startedMs, outcome.response && outcome.budget);
			if (signal?.aborted) throw new CancelledError();
			if (isDone(outcome) || (mayBeDone && isGone(request, outcome))) {
				if (mayBeDone) outcome.response.afterLost = true;
				return outcome.response;
			}
			mayBeDone ||= isWrite && mayBeApplied(outcome);
			const tried = { isWrite, attempts, waitedMs };
			const waitMs = decideRetry(outcome, tried, options, clock.random());
			if (waitMs === undefined) throw this.failure(request, outcome, attempts, mayBeDone);
			waitedMs += waitMs;
			waited.retries++;
			waited.longestRetryWaitMs = Math.max(waited.longestRetryWaitMs, waitedMs);
			this.listener?.({ reason: 'retry', ms: waitMs });
			await pause(clock, waitMs, signal);
		}
	}

	/**
	 * Walks a list by cursor, page by page.
	 *
	 * @param request of the first page, without `limit` and `cursor`
	 * @throws the same as {@link request}
	 */
	pages(request: PlatformRequest, options?: PaginateOptions): AsyncGenerator<FetchedPage> {
		return paginate(this, request, options);
	}

	/** The same, record by record. */
	async *records(request: PlatformRequest, options?: PaginateOptions): AsyncGenerator<IDataObject> {
		for await (const { records } of this.pages(request, options)) yield* records;
	}

	/**
	 * What is known of the key's rate limit.
	 *
	 * @param unixMs the clock's time where it is left out
	 */
	rateLimit(unixMs = this.clock.now()): RateLimitSnapshot {
		return this.limiter.rateLimit.snapshot({ unixMs, monotonicMs: this.clock.monotonic() });
	}

	/** How long this client's requests have waited so far, for a hint to the user. */
	waits(): WaitSummary {
		return { ...this.waited };
	}

	/** Calls this at the beginning of every wait from now on. */
	onWait(listener: (wait: Wait) => void): void {
		this.listener = listener;
	}

	/** Requests that this client has sent so far, repeats included: what the run has cost. */
	requestsSent(): number {
		return this.sent;
	}

	/** @returns how long the rate limit held a request back since then, ms */
	private noteHeld(fromMs: number): number {
		const toMs = this.limiter.heldMs;
		this.waited.rateLimitMs += Math.max(0, toMs - Math.max(fromMs, this.heldSeenMs));
		this.heldSeenMs = Math.max(this.heldSeenMs, toMs);
		return toMs - fromMs;
	}

	/**
	 * Checks that a request may start now. A slot that it has is given back where it may not.
	 *
	 * @param blockedMs how long the platform holds requests back, where that is longer than this client waits
	 * @param before details of the attempts before
	 */
	private checkBudget(
		request: PlatformRequest,
		blockedMs: number | undefined,
		before: ProblemDetails,
	): void {
		const { limiter, clock } = this;
		if (blockedMs !== undefined)
			throw this.budgetSpent(request, { ...before, status: 429, retryAfterMs: blockedMs });
		const keep = this.options.keepDailyBudgetPercent;
		const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.monotonic());
		if (day === undefined || day.percent >= keep) return;
		limiter.release();
		throw this.error(request, 'budget-kept', {
			...before,
			...this.untilIn(day.endsInMs),
			day: true,
			hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
		});
	}

	/** The error of a request for which there is no further attempt. */
	private failure(
		request: PlatformRequest,
		{ problem = 'refused', details, budget: { retryAfterMs } }: Outcome,
		attempts: number,
		mayBeDone: boolean,
	): PlatformError {
		const { timeoutMs } = this.options;
		const mayBeApplied = mayBeDone || undefined;
		const all = { ...details, attempts, mayBeApplied, timeoutMs, retryAfterMs };
		return problem === 'budget-spent'
			? this.budgetSpent(request, all)
			: this.error(request, problem, all);
	}

	/** The error of a request whose budget is spent for longer than this client waits. */
	private budgetSpent(request: PlatformRequest, details: ProblemDetails): PlatformError {
		const { retryAfterMs } = details;
		if (retryAfterMs === undefined) return this.error(request, 'budget-spent', details);
		// Whether nothing is left of the key's day, as far as its answers have told.
		const left = this.limiter.rateLimit.dailyBudget(0, this.clock.monotonic());
		const until = { ...this.untilIn(retryAfterMs), day: left?.percent === 0 };
		return this.error(request, 'budget-spent', { ...details, ...until });
	}

	private untilIn(forMs: number): ProblemDetails {
		const retryAfterMs = Math.ceil(forMs);
		return { retryAfterMs, resumeAtMs: this.clock.now() + retryAfterMs };
	}

	private error(request: PlatformRequest, problem: Problem, details: ProblemDetails) {
		return new PlatformError(problem, { ...request, host: this.host }, details);
	}
}

/** A delete that went through, but whose answer was lost, finds no record when it is repeated. */
const isGone = ({ method }: PlatformRequest, outcome: Outcome): outcome is Answered =>
	method === 'DELETE' && outcome.problem === 'refused' && saysNotFound(outcome.details.status);
