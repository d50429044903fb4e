import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	CancelledError,
	PlatformError,
	StaleReading,
	type Problem,
	type ProblemDetails,
	isMissing,
} from '../errors/errors';
import { Attempts } from './attempt';
import { pause, systemClock, type Clock } from './clock';
import { checkApiKey, normaliseBaseUrl, scrubberOf } from './credential';
import { Caller, limiterOf, type RequestLimiter } from './limiter';
import { paginate, type FetchedPage, type PaginateOptions } from './pages';
import {
	CREDENTIAL,
	httpOptions,
	type PlatformContext,
	type PlatformRequest,
	type PlatformResponse,
	type SendOptions,
} from './request';
import { decideRetry, isBrief, mayHaveApplied, isStale } from './retry';

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

/** For a search, a suggestion, a sample or publishing: a person waits, so all requests together end in this time. ms. */
export const PERSON_WAITS: Partial<SendOptions> = { totalMs: 8_000 };

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
	return clientWith(context, credential, options, clock);
}

/** Makes the client of a credential that was read before. @throws CredentialError */
export const clientWith = (
	context: PlatformContext,
	credential: IDataObject,
	options: Partial<SendOptions> = {},
	clock: Clock = systemClock,
): PlatformClient =>
	new PlatformClient(context, credential, { ...DEFAULT_SEND_OPTIONS, ...options }, clock);

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
	private readonly caller: Caller;
	private readonly attempts: Attempts;
	/** The limiter's held time up to which it is in `waited`, ms. */
	private heldSeenMs = 0;
	/** When all of its requests are to have ended, monotonic ms. */
	private readonly endsMs: number;
	/** Tells that this time has come. */
	private readonly late?: AbortSignal;
	/** What the platform said of the key when it did not accept it; nothing is asked with that key again. */
	private keyRefused?: ProblemDetails;

	/** @throws CredentialError */
	constructor(
		context: PlatformContext,
		credential: IDataObject,
		readonly options: SendOptions,
		readonly clock: Clock,
	) {
		const { maxInFlight, maxWaitMs, keepMinuteBudgetPercent: keepPercent, timeoutMs } = options;
		const { deadlineMs = 2 * timeoutMs, totalMs } = options;
		const apiKey = checkApiKey(credential.apiKey);
		const scrub = scrubberOf(apiKey);
		this.baseUrl = normaliseBaseUrl(credential.baseUrl);
		this.host = new URL(this.baseUrl).host;
		const text = `${this.baseUrl}\n${apiKey}`;
		this.credentialId = createHash('sha256').update(text).digest('base64');
		this.limiter = limiterOf(this.credentialId, clock);
		const signal = context.getExecutionCancelSignal?.();
		this.signal = signal;
		this.endsMs = clock.monotonic() + (totalMs ?? Number.POSITIVE_INFINITY);
		this.late = totalMs === undefined ? undefined : clock.timeout(Math.ceil(totalMs));
		const signals = [signal, this.late].filter((each) => each !== undefined);
		const onHold = (ms: number) => this.onWait?.({ reason: 'rateLimit', ms });
		this.caller = new Caller({ maxInFlight, maxWaitMs, keepPercent, signals, onHold });
		const idleMs = timeoutMs;
		const { late } = this;
		const shared = { context, credential, clock, scrub, idleMs, deadlineMs, signal, late };
		this.attempts = new Attempts(shared);
	}

	/**
	 * Sends one request: in turn with the key's other requests, within the key's rate limit, repeated where
	 * that can help.
	 *
	 * @returns the platform's answer, status below 400
	 * @throws InputError before anything was sent, when an id or a header value cannot be sent safely
	 * @throws PlatformError when the request failed for good, or the platform has refused this client's key before
	 * @throws StaleReading where the request is built on a reading, and had to wait or was refused for certain since
	 * @throws CancelledError when the execution was cancelled
	 */
	async request(request: PlatformRequest): Promise<PlatformResponse> {
		const { clock, options, signal, limiter, waited } = this;
		const http = httpOptions(this.baseUrl, request, options);
		const isWrite = request.method !== 'GET';
		/** An attempt may have reached the platform although its answer did not reach us. */
		let mayBeApplied: true | undefined;
		/** The waits between the attempts: all of them, and those that are short by rule. ms. */
		let waitedMs = 0;
		let briefMs = 0;
		for (let attempts = 1; ; attempts++) {
			const heldMs = await this.acquire(request, mayBeApplied);
			if (attempts > 1) waitedMs += heldMs;
			const startedMs = clock.monotonic();
			// What may be done is sent again as it was.
			if (!mayBeApplied && isStale(request, attempts, startedMs)) {
				limiter.release(this.caller);
				throw new StaleReading();
			}
			this.requestsSent++;
			const outcome = await this.attempts.send(http, request.willBeSentBack);
			const { response, budget, problem, details } = outcome;
			limiter.release(this.caller, startedMs, budget);
			if (signal?.aborted) throw new CancelledError();
			// A delete that went through, but whose answer was lost, finds no record when it is repeated.
			const isGone = mayBeApplied && request.method === 'DELETE' && isMissing(details);
			if (response !== undefined && (problem === undefined || isGone)) {
				if (mayBeApplied) response.earlierMayBeApplied = true;
				return response;
			}
			if (isWrite && mayHaveApplied(outcome)) mayBeApplied = true;
			if (details.status === 401 && details.isHtml !== true) this.keyRefused = details;
			const tried = { isWrite, attempts, waitedMs, briefMs };
			const waitMs = decideRetry(outcome, tried, options, clock.random());
			if (waitMs === undefined || clock.monotonic() + waitMs >= this.endsMs) {
				const { retryAfterMs } = budget;
				const timeoutMs = Math.min(options.timeoutMs, options.totalMs ?? options.timeoutMs);
				const ofAttempts = { attempts, mayBeApplied, timeoutMs, retryAfterMs };
				throw this.error(request, problem ?? 'refused', { ...details, ...ofAttempts });
			}
			waitedMs += waitMs;
			if (isBrief(outcome)) briefMs += waitMs;
			waited.retries++;
			waited.longestRetryWaitMs = Math.max(waited.longestRetryWaitMs, waitedMs);
			this.onWait?.({ reason: 'retry', ms: waitMs });
			await pause(clock, waitMs, signal);
		}
	}

	/**
	 * Waits until a request may be sent.
	 *
	 * @returns how long the key's rate limit has held it back, ms
	 * @throws PlatformError where it is not to be sent; CancelledError
	 */
	private async acquire(request: PlatformRequest, mayBeApplied?: true): Promise<number> {
		const { limiter, waited, caller, clock, options } = this;
		const keyRefusal = this.keyRefusal(request, mayBeApplied);
		if (keyRefusal !== undefined) throw keyRefusal;
		const heldFromMs = limiter.heldMs;
		const leftMs = this.endsMs - clock.monotonic();
		caller.maxWaitMs = Math.min(options.maxWaitMs, Math.max(0, leftMs));
		let blockedMs: number | undefined;
		let waitEnded = leftMs <= 0;
		try {
			const slot = waitEnded ? undefined : limiter.acquire(caller);
			blockedMs = slot instanceof Promise ? await slot : slot;
		} catch {
			// Nothing else ends a wait.
			waitEnded = true;
		}
		if (waitEnded && this.signal?.aborted) throw new CancelledError();
		if (waitEnded) {
			const details = { mayBeApplied, timeoutMs: options.totalMs };
			throw this.error(request, 'timeout', details);
		}
		if (blockedMs !== undefined) {
			const details = { status: 429, retryAfterMs: blockedMs, mayBeApplied };
			throw this.error(request, 'budget-spent', details);
		}
		// Another request of this client may have been told of the key while this one waited.
		const refusal =
			this.keyRefusal(request, mayBeApplied) ?? this.budgetRefusal(request, mayBeApplied);
		if (refusal !== undefined) {
			limiter.release(caller);
			throw refusal;
		}
		const heldToMs = limiter.heldMs;
		waited.rateLimitMs += heldToMs - Math.max(heldFromMs, this.heldSeenMs);
		this.heldSeenMs = heldToMs;
		return heldToMs - heldFromMs;
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

	/** Why nothing is sent: the platform has not accepted this client's key before, and would not do so now. */
	private keyRefusal(request: PlatformRequest, mayBeApplied?: true): PlatformError | undefined {
		if (this.keyRefused === undefined) return undefined;
		return this.error(request, 'refused', { ...this.keyRefused, mayBeApplied });
	}

	/** Why nothing is sent: the user keeps what is left of the day. */
	private budgetRefusal(request: PlatformRequest, mayBeApplied?: true): PlatformError | undefined {
		const { limiter, clock } = this;
		const keep = this.options.keepDailyBudgetPercent;
		const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.now());
		if (day === undefined || day.percent >= keep) return undefined;
		return this.error(request, 'budget-kept', {
			mayBeApplied,
			retryAfterMs: day.endsInMs,
			day: true,
			hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
		});
	}

	/** The error of a request for which there is no further attempt. */
	private error(
		request: PlatformRequest,
		problem: Problem,
		details: ProblemDetails,
	): PlatformError {
		const all = { ...details };
		const { proxy, totalMs } = this.options;
		if (totalMs !== undefined) all.isFixedTime = true;
		if (proxy !== undefined && details.status === 407)
			all.proxy = { address: `${proxy.host}:${proxy.port}`, isOfNode: true };
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
