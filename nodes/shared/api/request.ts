import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';

/** Name of the credential that every node of this package uses. */
export const CREDENTIAL = 'commercePlatformApi';

export type PlatformMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type QueryValue = string | number | boolean | undefined;

/** One call of the platform, before it has an address: what a caller says. */
export interface PlatformRequest {
	method: PlatformMethod;
	/** Path template relative to the base URL, e.g. `/orders/{orderId}`. */
	path: string;
	/** Values for the template's placeholders; encoded, so they can never change the path. */
	pathParams?: Record<string, string>;
	/** The placeholders' names as the user sees them, for messages, e.g. `Order`. */
	pathLabels?: Record<string, string>;
	query?: Record<string, QueryValue>;
	body?: IDataObject;
	/** Stays the same over all retries of this request. Writes without one get a random key. */
	idempotencyKey?: string;
	/** Further headers, e.g. `If-Match`. Checked before sending. */
	headers?: Record<string, string>;
	/** Parts of the answer are to be sent back, so it is to say which of its numbers would change on the way. */
	forReturn?: true;
}

/** An answer that the platform gave and that was read whole. */
export interface PlatformResponse {
	status: number;
	/** Lower-case header names. */
	headers: Record<string, string>;
	/** The parsed JSON body; undefined where the answer has none (204, 304). */
	body: unknown;
	/** The record in the body: `{ data }` is unwrapped, a bare record taken as it is. */
	record?: IDataObject;
	/** Numbers of an answer `forReturn` that a JavaScript number does not hold exactly, as the platform wrote them. */
	inexact?: readonly string[];
	/** A write that was answered with success, although the rest of the answer could not be read. */
	incomplete?: true;
	/** An earlier attempt of this write may have been applied, and its answer got lost. */
	afterLost?: true;
	requestId?: string;
	/** The platform's clock when it answered (Date header), Unix ms, whole seconds. */
	serverTimeMs?: number;
}

/**
 * Whether a write (POST, PUT, PATCH, DELETE) is repeated after a failed attempt:
 * `automatic` like a read, always under the same Idempotency-Key;
 * `whenSurelyNotApplied` only after a 429 or where no connection came about;
 * `never`.
 */
export type RetryWrites = 'automatic' | 'whenSurelyNotApplied' | 'never';

/** How the requests of one node are sent. Times in ms. */
export interface SendOptions {
	/** Requests in flight at most for one API key and address, 1..10. */
	maxInFlight: number;
	/** Attempts of one request at most, the first included. */
	maxAttempts: number;
	/** Sum of the waits between the attempts of one request at most; 0 means one attempt only. */
	maxWaitMs: number;
	/** An attempt fails when nothing comes for this time. */
	timeoutMs: number;
	/** An attempt fails when it takes longer in all; twice `timeoutMs`, at least 10 s, where it is undefined. */
	deadlineMs?: number;
	/** Stop when less than this share of the day's budget is left; 0 switches it off. */
	keepDailyBudgetPercent: number;
	/** Wait for the next minute when less than this share of the minute's budget is left; 0 switches it off. */
	keepMinuteBudgetPercent: number;
	/** Whether writes are repeated. */
	retryWrites: RetryWrites;
	skipSslCertificateValidation?: boolean;
	proxy?: NonNullable<IHttpRequestOptions['proxy']>;
}

export const DEFAULT_SEND_OPTIONS: SendOptions = {
	maxInFlight: 4,
	maxAttempts: 8,
	maxWaitMs: 120_000,
	timeoutMs: 60_000,
	keepDailyBudgetPercent: 0,
	keepMinuteBudgetPercent: 0,
	retryWrites: 'automatic',
};

/** The part of n8n's contexts (execute, single, hook, load options, webhook, poll) that sending needs. */
export interface PlatformContext {
	getNode(): INode;
	getCredentials<T extends object = IDataObject>(type: string): Promise<T>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
	helpers: {
		httpRequestWithAuthentication(
			this: unknown,
			credentialsType: string,
			options: IHttpRequestOptions,
		): Promise<unknown>;
	};
}
