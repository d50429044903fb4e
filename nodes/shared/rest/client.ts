import type { IDataObject } from 'n8n-workflow';

import {
	CancelledError,
	PlatformError,
	type Problem,
	type ProblemDetails,
	isMissing,
} from './errors';
import { nextTurn, pause, systemClock, type Clock } from './clock';
import { readCredential } from './credential';
import { type Acquisition, type Caller, limiterOf } from './limiter';
import { ListFetcher, paginate, type FetchedPage, type PaginateOptions } from './pages';
import {
	Attempts,
	httpOptions,
	type PlatformContext,
	type PlatformRequest,
	type PlatformResponse,
	type SendOptions,
	type Service,
} from './request';
import { decideRetry, mayHaveApplied } from './retry';

const DEFAULT_SEND_OPTIONS: SendOptions = {
	maxInFlight: 4,
	maxAttempts: 8,
	maxWaitMs: 120_000,
	timeoutMs: 60_000,
	keepDailyBudgetPercent: 0,
	keepMinuteBudgetPercent: 0,
	retryWrites: 'automatic',
};

/** For searches, samples and publishing: a person waits, so all requests together end in this time. ms. */
export const PERSON_WAITS: Partial<SendOptions> = { totalMs: 8_000 };

/**
 * Makes a client for a credential that the caller has read. Clients with the same key and address share one limiter.
 *
 * @param service the API that it talks to
 * @param options the defaults are in `DEFAULT_SEND_OPTIONS`
 * @throws CredentialError if the credential's address or key cannot be used
 */
export const createClient = (
	service: Service,
	context: PlatformContext,
	credential: IDataObject,
	options: Partial<SendOptions> = {},
	clock: Clock = systemClock,
): PlatformClient =>
	new PlatformClient(service, context, credential, { ...DEFAULT_SEND_OPTIONS, ...options }, clock);

/** A request that is being sent. */
interface Sending {
	readonly request: PlatformRequest;
	/** Whether an attempt may have reached the platform, although no answer says so. */
	mayBeApplied?: true;
}

/** Sends the requests of one run of a node, one hook or one poll. */
export class PlatformClient {
	/** The credential's Base URL. */
	readonly baseUrl: string;
	/** The host of the Base URL, with its port if it has one. */
	readonly host: string;
	/** Names the merchant by a hash of Base URL and API key, for limits, locks and state. */
	readonly credentialId: string;
	/** Aborts when the execution is cancelled. */
	readonly signal?: AbortSignal;
	/** How long its requests have waited so far. The user sees it in a hint. */
	readonly waited = {
		/** How long the key's rate limit held requests back, ms. Waits at the same time count once. */
		rateLimitMs: 0,
		/** How many attempts followed a failed one. */
		retries: 0,
		/** The longest time that one request waited between its attempts, ms. */
		longestRetryWaitMs: 0,
	};
	/**
	 * The client calls it when a wait begins, with its expected length: the key's rate limit holds a request back, or a
	 * failed request pauses before its next attempt.
	 */
	onWait?: (reason: 'rateLimit' | 'retry', ms: number) => void;
	/** How many requests it has sent so far, repeated ones included. */
	requestsSent = 0;
	private readonly limiter: ReturnType<typeof limiterOf>;
	private readonly caller: Caller;
	private readonly attempts: Attempts;
	/** The part of the limiter's `heldMs` that is in `waited` already, ms. */
	private countedHeldMs = 0;
	/** When the last of its requests must end, monotonic ms. */
	private readonly endsMs: number;
	/** Aborts at that time. */
	private readonly timeUp?: AbortSignal;
	/** Details of the answer that refused the key. After it, the client sends nothing more with that key. */
	private refusedKeyDetails?: ProblemDetails;

	/** @throws CredentialError */
	constructor(
		readonly service: Service,
		context: PlatformContext,
		credential: IDataObject,
		readonly options: SendOptions,
		readonly clock: Clock,
	) {
		const { maxInFlight, maxWaitMs, keepMinuteBudgetPercent: keepPercent, totalMs } = options;
		const { baseUrl, id, scrub } = readCredential(credential);
		this.baseUrl = baseUrl;
		this.host = new URL(baseUrl).host;
		this.credentialId = id;
		this.limiter = limiterOf(id, clock);
		const signal = context.getExecutionCancelSignal?.();
		this.signal = signal;
		this.endsMs = clock.monotonic() + (totalMs ?? Number.POSITIVE_INFINITY);
		this.timeUp = totalMs === undefined ? undefined : clock.timeout(Math.ceil(totalMs));
		const signals = [signal, this.timeUp].filter((each) => each !== undefined);
		const onHold = (ms: number) => this.onWait?.('rateLimit', ms);
		this.caller = { maxInFlight, maxWaitMs, keepPercent, signals, onHold, pending: 0 };
		const { timeUp } = this;
		const { saysNotDone } = service;
		const times = { clock, deadlineMs: 2 * options.timeoutMs, signal, timeUp };
		this.attempts = new Attempts({ context, credential, scrub, saysNotDone, ...times });
	}

	/** Names something of the merchant, e.g. a record, for locks and whatever else all runs of the process share. */
	keyOf(name: string): string {
		return `${this.credentialId} ${name}`;
	}

	/**
	 * Sends one request, in its turn and within the key's rate limit. It is repeated if that can help.
	 *
	 * @returns the platform's answer: a status below 400, or the 404 or 410 to a delete that was repeated
	 * @throws InputError if an ID or a header value cannot be sent safely; nothing was sent then
	 * @throws PlatformError if the request failed for good, or the platform has refused this client's key before
	 * @throws CancelledError if the execution was cancelled
	 */
	async request(request: PlatformRequest): Promise<PlatformResponse> {
		const { clock, options, signal, limiter, waited } = this;
		const http = httpOptions(this.baseUrl, request, options);
		// n8n's helper reads a large body once more.
		await nextTurn();
		const isWrite = request.method !== 'GET';
		const sending: Sending = { request };
		/** All waits between the attempts, ms. */
		let waitedMs = 0;
		for (let attempt = 1; ; attempt++) {
			const heldMs = await this.acquire(sending);
			if (attempt > 1) waitedMs += heldMs;
			const startedMs = clock.monotonic();
			this.requestsSent++;
			const outcome = await this.attempts.send(http);
			const { response, budget, problem, details } = outcome;
			limiter.release(this.caller, startedMs, budget);
			if (signal?.aborted) throw new CancelledError();
			// A delete may have been done although its answer was lost. Repeated, it finds no record.
			const isGone = sending.mayBeApplied && request.method === 'DELETE' && isMissing(details);
			if (response !== undefined && (problem === undefined || isGone)) {
				if (sending.mayBeApplied) response.earlierMayBeApplied = true;
				return response;
			}
			if (isWrite && mayHaveApplied(outcome)) sending.mayBeApplied = true;
			if (details.status === 401 && details.isHtml !== true) this.refusedKeyDetails = details;
			const history = { isWrite, attempts: attempt, waitedMs };
			const waitMs = decideRetry(outcome, history, options, clock.random());
			if (waitMs === undefined || clock.monotonic() + waitMs >= this.endsMs) {
				const { retryAfterMs } = budget;
				const timeoutMs = Math.min(options.timeoutMs, options.totalMs ?? options.timeoutMs);
				const attemptDetails = { attempts: attempt, timeoutMs, retryAfterMs };
				throw this.error(sending, problem ?? 'refused', { ...details, ...attemptDetails });
			}
			waitedMs += waitMs;
			waited.retries++;
			waited.longestRetryWaitMs = Math.max(waited.longestRetryWaitMs, waitedMs);
			this.onWait?.('retry', waitMs);
			await pause(clock, waitMs, signal);
		}
	}

	/**
	 * Waits until a request may be sent.
	 *
	 * @returns how long the limiter held the key's requests meanwhile, ms
	 * @throws PlatformError if it must not be sent; CancelledError
	 */
	private async acquire(sending: Sending): Promise<number> {
		const { limiter, waited, caller, clock, options } = this;
		const keyError = this.keyError(sending);
		if (keyError !== undefined) throw keyError;
		const heldFromMs = limiter.heldMs;
		const leftMs = this.endsMs - clock.monotonic();
		caller.maxWaitMs = Math.min(options.maxWaitMs, Math.max(0, leftMs));
		let acquisition: Acquisition | undefined;
		let waitEnded = leftMs <= 0;
		try {
			const slot = waitEnded ? undefined : limiter.acquire(caller);
			acquisition = slot instanceof Promise ? await slot : slot;
		} catch {
			// Only a signal ends a wait with an error.
			waitEnded = true;
		}
		if (waitEnded && this.signal?.aborted) throw new CancelledError();
		if (waitEnded) throw this.error(sending, 'timeout', { timeoutMs: options.totalMs });
		if (acquisition?.kind === 'blocked')
			throw this.error(sending, 'budget-spent', { status: 429, retryAfterMs: acquisition.ms });
		// While this request waited, another answer may have refused the key.
		const refusal = this.keyError(sending) ?? this.budgetError(sending);
		if (refusal !== undefined) {
			limiter.release(caller);
			throw refusal;
		}
		const heldToMs = limiter.heldMs;
		waited.rateLimitMs += heldToMs - Math.max(heldFromMs, this.countedHeldMs);
		this.countedHeldMs = heldToMs;
		return heldToMs - heldFromMs;
	}

	/**
	 * Walks a list by cursor, page by page.
	 *
	 * @param request for the first page, without `limit` and `cursor`
	 * @throws the same as {@link request}
	 */
	pages(request: PlatformRequest, options?: PaginateOptions): AsyncGenerator<FetchedPage> {
		return paginate(this, request, options);
	}

	/**
	 * Fetches one page of a list: the first, or the one at `startCursor`.
	 *
	 * @param request without `limit` and `cursor`
	 * @throws the same as {@link request}
	 */
	async page(request: PlatformRequest, options: PaginateOptions = {}): Promise<FetchedPage> {
		return await new ListFetcher(this, request, options).fetch();
	}

	/** The key's rate limit, as far as answers have told it. */
	rateLimit() {
		return this.limiter.rateLimit.snapshot(this.clock.now());
	}

	/** The platform's time if its answers have told it, else this machine's. Unix ms. */
	platformTime(): number {
		return this.clock.now() + this.limiter.rateLimit.skewMs;
	}

	/** The error instead of a request, if the platform has refused the key before. */
	private keyError(sending: Sending): PlatformError | undefined {
		return this.refusedKeyDetails && this.error(sending, 'refused', this.refusedKeyDetails);
	}

	/** The error instead of a request, if the user wants to keep what is left of the day's budget. */
	private budgetError(sending: Sending): PlatformError | undefined {
		const { limiter, clock } = this;
		const keep = this.options.keepDailyBudgetPercent;
		const day = limiter.rateLimit.dailyBudget(limiter.pending - 1, clock.now());
		if (day === undefined || day.percent >= keep) return undefined;
		return this.error(sending, 'budget-kept', {
			retryAfterMs: day.endsInMs,
			day: true,
			hint: `${day.percent.toFixed(1)} % of the day's requests are left; the node keeps ${keep} %.`,
		});
	}

	/** The error for a request that is given up. */
	private error(
		{ request, mayBeApplied }: Sending,
		problem: Problem,
		details: ProblemDetails,
	): PlatformError {
		const errorDetails = { ...details, mayBeApplied };
		const { totalMs } = this.options;
		if (totalMs !== undefined) errorDetails.isFixedTime = true;
		if (problem.startsWith('budget') && details.retryAfterMs !== undefined) {
			errorDetails.retryAfterMs = Math.ceil(details.retryAfterMs);
			errorDetails.resumeAtMs = this.clock.now() + errorDetails.retryAfterMs;
			// Whether the key's budget for the day is spent, as far as answers have told.
			const day = this.limiter.rateLimit.dailyBudget(0, this.clock.now());
			errorDetails.day ??= day?.percent === 0;
		}
		const { host, service } = this;
		return new PlatformError(
			problem,
			{ ...request, host, ...service.about(request) },
			errorDetails,
		);
	}
}

/**
 * Works on entries in their order, several at once. An entry is taken when its work begins. No further work begins once
 * `stopped` returns true or some work has failed.
 *
 * @throws the first failure, after the work under way has ended
 */
export async function inParallel<Entry>(
	entries: Iterable<Entry>,
	atOnce: number,
	work: (entry: Entry) => Promise<void>,
	stopped: () => boolean = () => false,
): Promise<void> {
	const failures: unknown[] = [];
	const iterator = entries[Symbol.iterator]();
	const worker = async () => {
		for (;;) {
			await nextTurn();
			if (failures.length > 0 || stopped()) return;
			const next = iterator.next();
			if (next.done === true) return;
			await work(next.value).catch((error: unknown) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	if (failures.length > 0) throw failures[0];
}
