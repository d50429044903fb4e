import { simulate, type SharedKey } from './sharedKey';

/** The shipped limiter in many processes that know nothing of each other, by a clock that costs no time. */
describe('processes that share a key', () => {
	/** Percent of requests that are answered 429, and time by the least that is possible, at most. */
	it.each<[number, number, number, Partial<SharedKey>, number, number]>([
		[1, 100, 1_000, {}, 0, 1.02],
		[5, 100, 1_000, {}, 1, 1.12],
		[10, 100, 1_000, {}, 1, 1.12],
		[10, 100, 1_000, { startMs: 25_000 }, 1, 1.12],
		[10, 100, 1_000, { latencyMs: [20, 40] }, 1, 1.12],
		[10, 100, 1_000, { latencyMs: [300, 400] }, 1, 1.12],
		[20, 100, 1_000, {}, 2, 1.23],
		// The first 200 at once on a limit of 100 are refused by nature.
		[50, 100, 1_000, {}, 22, 1.23],
		[50, 1_000, 10_000, {}, 1, 1.12],
		[1, 100, 400, { foreign: 60 }, 1, 1],
	])('%i with %i a minute, %i requests, %j: %d %%, %d', async (...row) => {
		const [processes, limit, requests, more, mostRefused, mostTime] = row;
		for (const seed of [1, 2]) {
			const given = { processes, limit, requests, ...more, seed };
			const { refused, time } = await simulate(given);
			process.stdout.write(
				`${JSON.stringify(given)}: ${refused.toFixed(1)} % refused, ${time.toFixed(3)} of the least time\n`,
			);
			expect(refused).toBeLessThanOrEqual(mostRefused);
			expect(time).toBeLessThanOrEqual(mostTime);
		}
	});
});
