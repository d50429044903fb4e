import * as fc from 'fast-check';

import { nextTurn, systemClock } from '../../../../nodes/shared/rest/clock';

/** A turn of the event loop is over after this long, ms. */
const LONG_MS = 25;

/** The timers that were set, and a clock that only the test moves. */
let timers: Array<() => void>;
let nowMs: number;

beforeEach(() => {
	timers = [];
	nowMs = 0;
	jest.spyOn(systemClock, 'monotonic').mockImplementation(() => nowMs);
	jest
		.spyOn(systemClock, 'sleep')
		.mockImplementation(async () => await new Promise((resolve) => timers.push(resolve)));
});

/** Runs the timer that was set first, and all that follows from it. */
async function runTimer(): Promise<void> {
	timers.shift()?.();
	await new Promise<void>((resolve) => setImmediate(resolve));
}

const runTimers = async () => {
	while (timers.length > 0) await runTimer();
};

afterEach(runTimers);

it('lets short work go on at once', () => {
	expect(nextTurn()).toBeUndefined();
	nowMs += LONG_MS - 1;
	expect(nextTurn()).toBeUndefined();
});

it('lets whatever is due run before long work goes on, by a timer that is set only then', async () => {
	const order: string[] = [];
	expect(nextTurn()).toBeUndefined();
	nowMs += LONG_MS;
	timers.push(() => order.push('a request comes in'));
	void nextTurn()?.then(() => order.push('the work goes on'));
	await runTimers();
	expect(order).toEqual(['a request comes in', 'the work goes on']);
	expect(nextTurn()).toBeUndefined();
});

it('lets nobody pass whoever waits, however long the work takes and whenever timers run', async () => {
	const step = fc.oneof(
		fc.record({ workMs: fc.integer({ min: 0, max: 2 * LONG_MS }) }),
		fc.constant('timer' as const),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
			const asked: number[] = [];
			const wentOn: number[] = [];
			const goOn = async (caller: number) => {
				await nextTurn();
				wentOn.push(caller);
			};
			const all: Array<Promise<void>> = [];
			for (const [caller, each] of steps.entries()) {
				if (each === 'timer') await runTimer();
				else {
					nowMs += each.workMs;
					asked.push(caller);
					all.push(goOn(caller));
				}
			}
			await runTimers();
			await Promise.all(all);
			expect(wentOn).toEqual(asked);
		}),
	);
});
