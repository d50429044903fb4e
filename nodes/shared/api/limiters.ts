import { createHash } from 'node:crypto';

import type { Clock } from './clock';
import { RequestLimiter } from './requestLimiter';

/** Far more keys than one n8n uses at a time. What an idle limiter knows is told again by the next answer. */
const MAX_LIMITERS = 200;

/** All limiters of a clock: times of two clocks do not compare. */
const limitersOf = new WeakMap<Clock, Map<string, RequestLimiter>>();

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
