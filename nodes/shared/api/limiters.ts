import { createHash } from 'node:crypto';

import { RequestLimiter } from './requestLimiter';

/** Far more keys than one n8n uses at a time. What an idle limiter knows is told again by the next answer. */
const MAX_LIMITERS = 200;

const limiters = new Map<string, RequestLimiter>();

/**
 * The limiter that this process uses for an API key at an address. Credentials that hold the same key share
 * it, since the platform counts by key (API document, "Authentication", 5). Idle ones are let go, the longest
 * unused first, when there are many.
 */
export function limiterOf(baseUrl: string, apiKey: string): RequestLimiter {
	const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64');
	const limiter = limiters.get(id) ?? new RequestLimiter();
	limiters.delete(id);
	limiters.set(id, limiter);
	if (limiters.size > MAX_LIMITERS) dropIdle(id);
	return limiter;
}

function dropIdle(except: string): void {
	for (const [id, limiter] of limiters) {
		if (id === except || !limiter.idle) continue;
		limiters.delete(id);
		return;
	}
}
