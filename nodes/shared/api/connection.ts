import { createClient, type PlatformClient } from './client';
import type { Clock } from './clock';
import type { RateLimitSnapshot } from './rateLimitState';
import type { PlatformContext, SendOptions } from './request';

/** The former name of a client. */
export type Connection = PlatformClient & { lane: { pace: { snapshot(): RateLimitSnapshot } } };

/** The former name of `createClient`. */
export async function connect(
	context: PlatformContext,
	options?: Partial<SendOptions>,
	clock?: Clock,
): Promise<Connection> {
	const client = await createClient(context, options, clock);
	return { ...client, lane: { pace: { snapshot: () => client.rateLimit() } } };
}
