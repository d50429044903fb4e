import type { AttemptWatch, Clock } from './clock';
import type { PlatformContext, SendOptions } from './request';
import type { RequestLimiter } from './requestLimiter';
import type { Scrubber } from './credential';

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

/** What all requests of one client share. */
export interface Sender {
	context: PlatformContext;
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	host: string;
	limiter: RequestLimiter;
	watch: AttemptWatch;
	options: SendOptions;
	clock: Clock;
	signal?: AbortSignal;
	scrub: Scrubber;
	/** Kept up to date. */
	waits: WaitSummary;
	/** Told of every wait when it begins. */
	onWait?: (wait: Wait) => void;
	/** The limiter's total of held time up to which it is in `waits`, ms. */
	heldSeenMs: number;
	/** Attempts of all its requests so far. */
	requestsSent: number;
}
