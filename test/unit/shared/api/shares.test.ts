import { simulate, type SharedKey } from './sharedKey';

/** The shipped limiter in many processes that know nothing of each other, by a clock that costs no time. */
describe('processes that share a key', () => {
	/** Percent of requests that are answered 429, and time by the least that is possible, at most. */
	it.each<[SharedKey, { refused: number; time: number }]>([
		[
			{ processes: 1, limit: 100, requests: 1_000 },
			{ refused: 0, time: 1.02 },
		],
		[
			{ processes: 5, limit: 100, requests: 1_000 },
			{ refused: 1, time: 1.12 },
		],
		[
			{ processes: 10, limit: 100, requests: 1_000 },
			{ refused: 1, time: 1.12 },
		],
		[
			{ processes: 10, limit: 100, requests: 1_000, startMs: 25_000 },
			{ refused: 1, time: 1.12 },
		],
		[
			{ processes: 10, limit: 100, requests: 1_000, latencyMs: [20, 40] },
			{ refused: 1, time: 1.12 },
		],
		[
			{ processes: 10, limit: 100, requests: 1_000, latencyMs: [300, 400] },
			{ refused: 1, time: 1.12 },
		],
		[
			{ processes: 20, limit: 100, requests: 1_000 },
			{ refused: 2, time: 1.23 },
		],
		// The first 200 at once on a limit of 100 are refused by nature.
		[
			{ processes: 50, limit: 100, requests: 1_000 },
			{ refused: 22, time: 1.23 },
		],
		[
			{ processes: 50, limit: 1_000, requests: 10_000 },
			{ refused: 1, time: 1.12 },
		],
		[
			{ processes: 1, limit: 100, requests: 400, foreign: 60 },
			{ refused: 1, time: 1 },
		],
	])('%j: %j', async (given, most) => {
		for (const seed of [1, 2]) {
			const { refused, time } = await simulate({ ...given, seed });
			process.stdout.write(
				`${JSON.stringify({ ...given, seed })}: ${refused.toFixed(1)} % refused, ${time.toFixed(3)} of the least time\n`,
			);
			expect(refused).toBeLessThanOrEqual(most.refused);
			expect(time).toBeLessThanOrEqual(most.time);
		}
	});
});
