import { type Caller, limiterOf } from '../../../../nodes/shared/rest/limiter';
import { EPOCH_MS, ProcessTime, Timeline } from '../../../../lab/simulate/timeline';
import { seeded } from '../../../../platform/support/random';

/** A key that several processes use, each with the shipped limiter, on a simulated clock. */
interface SharedKey {
	processes: number;
	/** Requests a minute. */
	limit: number;
	/** Requests of all processes together. */
	requests: number;
	/** Requests a minute of another program on the same key, which knows no limit. */
	foreign?: number;
	/** Time from sending a request to its answer, ms; 20..400 if undefined. */
	latencyMs?: [number, number];
	/** When the run begins, ms after a window's start. */
	startMs?: number;
	seed: number;
}

const WINDOW_MS = 60_000;

/** Requests in flight of a process. */
const AT_ONCE = 4;

/**
 * @returns the share of the processes' requests that were answered 429, percent, and the time of the run as a multiple
 *   of the shortest possible one
 */
async function simulate(given: SharedKey) {
	const { processes, limit, requests, foreign = 0, seed, startMs = 0 } = given;
	const { latencyMs: [fastest, slowest] = [20, 400] } = given;
	const random = seeded(seed);
	const timeline = new Timeline();
	timeline.nowMs = startMs;
	const clock = new ProcessTime(timeline, { ms: 0 }, random);
	const used = new Map<number, number>();
	/** The platform counts a request when it arrives (API document, "Limits", 2). */
	const arrive = () => {
		const window = Math.floor(timeline.nowMs / WINDOW_MS);
		const before = used.get(window) ?? 0;
		const endsMs = (window + 1) * WINDOW_MS;
		if (before < limit) used.set(window, before + 1);
		return {
			isRefused: before >= limit,
			waitMs: Math.ceil((endsMs - timeline.nowMs) / 1_000) * 1_000,
			reading: { limit, remaining: limit - (used.get(window) ?? 0), resetAtMs: EPOCH_MS + endsMs },
		};
	};
	let left = requests;
	let answered = 0;
	let refused = 0;
	let endedMs = 0;
	const work = async (limiter: ReturnType<typeof limiterOf>, caller: Caller) => {
		while (left-- > 0) {
			for (;;) {
				if ((await limiter.acquire(caller)).kind === 'blocked') throw new Error('blocked');
				const startedMs = clock.monotonic();
				const halfMs = (fastest + random() * (slowest - fastest)) / 2;
				await timeline.wait(halfMs);
				const { isRefused, waitMs, reading } = arrive();
				await timeline.wait(halfMs);
				if (!isRefused) {
					limiter.release(caller, startedMs, { ...reading, verdict: 'accepted' });
					break;
				}
				refused++;
				limiter.release(caller, startedMs, {
					...reading,
					verdict: 'refused',
					retryAfterMs: waitMs,
				});
				await timeline.wait(waitMs + random() * 250);
			}
			answered++;
			endedMs = timeline.nowMs;
		}
	};
	for (let n = 0; n < processes; n++) {
		const limiter = limiterOf(`process ${n}`, clock);
		const settings = { maxInFlight: AT_ONCE, maxWaitMs: 120_000, keepPercent: 0 };
		const caller = { ...settings, signals: [], pending: 0 };
		for (let worker = 0; worker < AT_ONCE; worker++) void work(limiter, caller);
	}
	const beside = async () => {
		for (; foreign > 0; arrive()) await timeline.wait((WINDOW_MS / foreign) * 2 * random());
	};
	void beside();
	while (answered < requests) await timeline.runTo(timeline.nowMs + WINDOW_MS);
	const a = limit - Math.min(foreign, limit);
	const leastMs = Math.floor((requests - 1) / a) * WINDOW_MS;
	const time = (endedMs - startMs) / leastMs;
	return { refused: (100 * refused) / (answered + refused), time };
}

/** The shipped limiter in many processes that know nothing of each other, on a simulated clock. */
describe('processes that share a key', () => {
	/**
	 * The last two columns: the most percent of requests that may be answered 429, and the longest time as a multiple of
	 * the shortest possible one.
	 */
	it.each<[number, number, number, Partial<SharedKey>, number, number]>([
		[1, 100, 1_000, {}, 0, 1.02],
		[5, 100, 1_000, {}, 1, 1.12],
		[10, 100, 1_000, {}, 1, 1.12],
		[10, 100, 1_000, { startMs: 25_000 }, 1, 1.12],
		[10, 100, 1_000, { latencyMs: [20, 40] }, 1, 1.12],
		[10, 100, 1_000, { latencyMs: [300, 400] }, 1, 1.12],
		[20, 100, 1_000, {}, 2, 1.23],
		// The first 200 come at once on a limit of 100, so many are refused.
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
