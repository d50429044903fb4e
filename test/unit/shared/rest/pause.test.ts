import { getEventListeners } from 'node:events';

import { CancelledError } from '../../../../nodes/shared/rest/errors';
import { doublingMs, pause, systemClock } from '../../../../nodes/shared/rest/clock';
import { FakeClock } from '../../fakeClock';

describe('pause', () => {
	it.each([-3_600_000, 3_600_000])(
		'waits in slices of a second at most, however the machine’s clock is set meanwhile: %d ms',
		async (jumpMs) => {
			const clock = new FakeClock();
			let over = false;
			void pause(clock, 2_500).then(() => (over = true));
			await clock.advance(1_000);
			clock.set(clock.now() + jumpMs);
			await clock.advance(1_499);
			expect(over).toBe(false);
			await clock.advance(1);
			expect(over).toBe(true);
			expect(clock.slept).toEqual([1_000, 1_000, 500]);
		},
	);

	it('ends at once when the execution is cancelled, and leaves nothing on the signal', async () => {
		const clock = new FakeClock();
		const controller = new AbortController();
		const { signal } = controller;
		const first = pause(clock, 500, signal);
		const second = expect(pause(clock, 60_000, signal)).rejects.toThrow(CancelledError);
		expect(getEventListeners(signal, 'abort')).toHaveLength(2);
		await clock.advance(500);
		await first;
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		controller.abort();
		await second;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		await expect(pause(clock, 0, signal)).rejects.toThrow('The execution was cancelled');
	});
});

it('the longest wait doubles with each failure, from half a second up to 20 s', () => {
	expect([1, 2, 3, 6, 7, 100].map(doublingMs)).toEqual([500, 1_000, 2_000, 16_000, 20_000, 20_000]);
});

it('the machine’s clock tells the time, and time that has passed', async () => {
	const before = [Date.now(), performance.now()];
	const shown = [systemClock.now(), systemClock.monotonic()];
	shown.forEach((ms, at) => expect(ms - before[at]).toBeLessThan(5_000));
	shown.forEach((ms, at) => expect(ms).toBeGreaterThanOrEqual(before[at]));
	const [timeUp, late] = [1, 60_000].map((ms) => systemClock.timeout(ms));
	await systemClock.sleep(5);
	expect([timeUp.aborted, late.aborted]).toEqual([true, false]);
	expect(systemClock.monotonic() - shown[1]).toBeGreaterThanOrEqual(4);
	const random = systemClock.random();
	expect(random >= 0 && random < 1).toBe(true);
});
