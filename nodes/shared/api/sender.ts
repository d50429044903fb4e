import type { Clock } from './clock';
import type { PlatformContext, SendOptions } from './request';
import type { RequestLimiter } from './requestLimiter';

/** What all requests of one client share. */
export interface Sender {
	context: PlatformContext;
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	host: string;
	limiter: RequestLimiter;
	options: SendOptions;
	clock: Clock;
	signal?: AbortSignal;
	/** Takes the API key out of a text that came from outside. */
	scrub: (text: string) => string;
	/** Attempts of all its requests so far. */
	requestsSent: number;
}
