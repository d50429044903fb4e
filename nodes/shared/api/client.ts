import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	CancelledError,
	PlatformError,
	type Problem,
	type ProblemDetails,
	isMissing,
} from '../errors/errors';
import { Attempts } from './attempt';
import { pause, systemClock, type Clock } from './clock';
import { checkApiKey, normaliseBaseUrl, scrubberOf } from './credential';
import { limiterOf, type AcquireOptions, type RequestLimiter } from './limiter';
import { paginate, type FetchedPage, type PaginateOptions } from './pages';
import {
	CREDENTIAL,
	httpOptions,
	type PlatformContext,
	type PlatformRequest,
	type PlatformResponse,
	type SendOptions,
} from './request';
import { decideRetry, mayBeApplied } from './retry';

/** A wait that has just begun. */
export interface Wait {
	/** The key's rate limit, or the pause before a failed request is repeated. */
	reason: 'rateLimit' | 'retry';
	/** How long it will take as far as is known, ms. */
	ms: number;
}

const DEFAULT_SEND_OPTIONS: SendOptions = {
	maxInFlight: 4,
	maxAttempts: 8,
	maxWaitMs: 120_000,
	timeoutMs: 60_000,
	keepDailyBudgetPercent: 0,
	keepMinuteBudgetPercent: 0,
	retryWrites: 'automatic',
};

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
	/** The credential's Base URL. */
	readonly baseUrl: string;
	/** Of the Base URL, with its port where it has one. */
	readonly host: string;
	/** Names the API key at its address, without telling either, for what is kept apart by merchant: limits, turns, times. */
	readonly credentialId: string;
	/** Tells that the execution was cancelled. */
	readonly signal?: AbortSignal;
	/** How long its requests have waited so far, for a hint to the user. */
	readonly waited = {
		/** Time in which the key's rate limit held them back, ms; parallel waits count once. */
		rateLimitMs: 0,
		/** Attempts that were repeated. */
		retries: 0,
		/** The longest wait of one request between its attempts, ms. */
		longestRetryWaitMs: 0,
	};
	/** Called at the beginning of every wait. */
	onWait?: (wait: Wait) => void;
	/** Requests that it has sent so far, repeats included: what the run has cost. */
	requestsSent = 0;
	private readonly limiter: RequestLimiter;
	private readonly caller: AcquireOptions;
	private readonly attempts: Attempts;
	/** The limiter's held time up to which it is in `waited`, ms. */
	private heldSeenMs = 0;

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
		const text = `${this.baseUrl}\n${apiKey}`;
		this.credentialId = createHash('sha256').update(text).digest('base64');
		this.limiter = limiterOf(this.credentialId, clock);
		const signal = context.getExecutionCancelSignal?.();
		this.signal = signal;
		const onHold = (ms: number) => this.onWait?.({ reason: 'rateLimit', ms });
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
		const { clock, options, signal, limiter, waited } = this;
		const http = httpOptions(this.baseUrl, request, options);
		const isWrite = request.method !== 'GET';
		/** An attempt may have reached the platform although its answer did not reach us. */
		let mayBeDone: true | undefined;
		for (let attempts = 1, waitedMs = 0; ; attempts++) {
			const heldFromMs = limiter.heldMs;
			const slot = limiter.acquire(this.caller);
			const blockedMs = slot instanceof Promise ? await slot : slot;
			if (blockedMs !== undefined) {
				const details = { status: 429, retryAfterMs: blockedMs, mayBeApplied: mayBeDone };
				throw this.error(request, 'budget-spent', details);
			}
			this.checkDailyBudget(request, mayBeDone);
			const heldToMs = limiter.heldMs;
			if (attempts > 1) waitedMs += heldToMs - heldFromMs;
			waited.rateLimitMs += heldToMs - Math.max(heldFromMs, this.heldSeenMs);
			this.heldSeenMs = heldToMs;
			const startedMs = clock.monotonic();
			this.requestsSent++;
			const outcome = await this.attempts.send(http, request.forReturn);
			const { response, budget, problem, details } = outcome;
			limiter.release(startedMs, budget);
			if (signal?.aborted) throw new CancelledError();
			// A delete that went through, but whose answer was lost, finds no record when it is repeated.
			const isGone = mayBeDone && request.method === 'DELETE' && isMissing(details);
			if (response !== undefined && (problem === undefined || isGone)) {
				if (mayBeDone) response.afterLost = true;
				return response;
			}
			if (isWrite && mayBeApplied(outcome)) mayBeDone = true;
			const waitMs = decideRetry(outcome, { isWrite, attempts, waitedMs }, options, clock.random());
			if (waitMs === undefined) {
				const { retryAfterMs } = budget;
				const { timeoutMs } = options;
				const all = { ...details, attempts, mayBeApplied: mayBeDone, timeoutMs, retryAfterMs };
				throw this.error(request, problem ?? 'refused', all);
			}
			waitedMs += waitMs;
			waited.retries++;
			waited.longestRetryWaitMs = Math.max(waited.longestRetryWaitMs, waitedMs);
			this.onWait?.({ reason: 'retry', ms: waitMs });
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

	/** What is known of the key's rate limit. */
	rateLimit() {
		return this.limiter.rateLimit.snapshot(this.clock.now());
	}

	/** The platform's time as far as its answers have told it, else this machine's. Unix ms. */
	platformTime(): number {
		return this.clock.now() + this.limiter.rateLimit.skewMs;
	}

	/** Gives the slot back where the user keeps what is left of the day. */
	private checkDailyBudget(request: PlatformRequest, mayBeDone?: true): void {
		const { limiter, clock } = this;
		const keep = this.options.keepDailyBudgetPercent;
		const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.now());
		if (day === undefined || day.percent >= keep) return;
		limiter.release();
		throw this.error(request, 'budget-kept', {
			mayBeApplied: mayBeDone,
			retryAfterMs: day.endsInMs,
			day: true,
			hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
		});
	}

	/** The error of a request for which there is no further attempt. */
	private error(request: PlatformRequest, problem: Problem, details: ProblemDetails) {
		const all = { ...details };
		if (problem.startsWith('budget') && details.retryAfterMs !== undefined) {
			all.retryAfterMs = Math.ceil(details.retryAfterMs);
			all.resumeAtMs = this.clock.now() + all.retryAfterMs;
			// Whether nothing is left of the key's day, as far as its answers have told.
			const day = this.limiter.rateLimit.dailyBudget(0, this.clock.now());
			all.day ??= day?.percent === 0;
		}
		return new PlatformError(problem, { ...request, host: this.host }, all);
	}
}
