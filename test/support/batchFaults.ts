import type { FaultRule } from '../../platform';

const BATCH = { method: 'POST', path: '/products/batch' };

/** Longer than the node waits for a retry, so that the node gives up. Seconds. */
const FAR_AWAY = 100_000;

/** One request in five fails; for a write the worst case is an answer that is lost after the write was applied. */
export const ONE_IN_FIVE = {
	probability: 0.2,
	seed: 11,
	anyOf: [
		{ fault: 'status', status: 429, retryAfter: 0 },
		{ fault: 'status', status: 500 },
		{ fault: 'status', status: 502 },
		{ fault: 'status', status: 503 },
		{ fault: 'reset' },
		{ fault: 'lostAnswer' },
	],
} satisfies FaultRule;

export const BATCH_FAULTS: FaultRule = { ...BATCH, ...ONE_IN_FIVE };

/** A batch that the node gives up, twice, so that n8n runs the node again (Retry On Fail). */
export const GIVEN_UP: FaultRule = {
	...BATCH,
	script: [8, 16].flatMap((passed) => [
		...Array<string>(passed).fill('ok'),
		{ fault: 'status' as const, status: 503, retryAfter: FAR_AWAY },
	]),
};
