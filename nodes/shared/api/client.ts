import type { IDataObject } from 'n8n-workflow';

import { checkApiKey } from './apiKey';
import { AttemptWatch } from './attemptWatch';
import { normaliseBaseUrl } from './baseUrl';
import { systemClock, type Clock } from './clock';
import type { FetchedPage } from './page';
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
import { limiterOf } from './limiters';
import { scrubberOf } from './scrub';
import type { Sender, WaitSummary } from './sender';
import { sendRequest } from './sendRequest';

export type { WaitSummary } from './sender';

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
		requestsSent: () => sender.requestsSent,
		host,
		options,
		clock,
		signal,
	};
}
