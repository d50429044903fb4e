import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { checkApiKey, normaliseBaseUrl, scrubberOf } from './credential';
import { AttemptWatch, type Clock, systemClock } from './clock';
import type { FetchedPage } from './answer';
import { paginate, type PaginateOptions } from './paginate';
import type { RateLimitSnapshot } from './rateLimitState';
import {
	CREDENTIAL,
	DEFAULT_SEND_OPTIONS,
	type PlatformContext,
	type PlatformRequest,
	type PlatformResponse,
	type SendOptions,
} from './request';
import { RequestLimiter } from './requestLimiter';
import type { Sender, Wait, WaitSummary } from './sender';
import { sendRequest } from './sendRequest';

export type { Wait, WaitSummary } from './sender';

/** Far more keys than one n8n uses at a time. What an idle limiter knows is told again by the next answer. */
const MAX_LIMITERS = 200;

/** All limiters of a clock: times of two clocks do not compare. */
const limitersOf = new WeakMap<Clock, Map<string, RequestLimiter>>();

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
	const sender: Sender = {
		context,
		baseUrl,
		host: new URL(baseUrl).host,
		limiter: limiterOf(baseUrl, apiKey, clock),
		options: { ...DEFAULT_SEND_OPTIONS, ...options },
		clock,
		signal: context.getExecutionCancelSignal?.(),
		scrub: scrubberOf(apiKey),
		watch: new AttemptWatch(clock),
		waits: { rateLimitMs: 0, retries: 0, longestRetryWaitMs: 0 },
		heldSeenMs: 0,
		requestsSent: 0,
	};
	return clientOf(sender);
}

function clientOf(sender: Sender): PlatformClient {
	const { host, options, clock, signal, limiter } = sender;
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
		options,
		clock,
		signal,
	};
}

/**
 * The limiter that this process uses for an API key at an address. Credentials that hold the same key share
 * it, since the platform counts by key (API document, "Authentication", 5). Idle ones are let go, the longest
 * unused first, when there are many.
 */
export function limiterOf(baseUrl: string, apiKey: string, clock: Clock): RequestLimiter {
	const limiters = limitersOf.get(clock) ?? new Map<string, RequestLimiter>();
	limitersOf.set(clock, limiters);
	const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64');
	const limiter = limiters.get(id) ?? new RequestLimiter(clock);
	limiters.delete(id);
	limiters.set(id, limiter);
	if (limiters.size > MAX_LIMITERS) dropIdle(limiters, id);
	return limiter;
}

function dropIdle(limiters: Map<string, RequestLimiter>, except: string): void {
	for (const [id, limiter] of limiters) {
		if (id === except || !limiter.idle) continue;
		limiters.delete(id);
		return;
	}
}
