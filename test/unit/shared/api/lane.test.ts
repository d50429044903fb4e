import { CancelledError, pause } from '../../../../nodes/shared/api/clock';
import { Lane, laneOf } from '../../../../nodes/shared/api/lane';
import { FakeClock, settle } from '../../fakeClock';

const spent = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' };

/** Of a caller with the default setting. ms. */
const PATIENCE_MS = 120_000;

describe('Lane', () => {
	it('lets a bounded number in, the rest first come first served', async () => {
		const lane = new Lane(new FakeClock());
		const order: number[] = [];
		for (let n = 1; n <= 5; n++) void lane.enter(2, PATIENCE_MS).then(() => order.push(n));
		await settle();
		expect(order).toEqual([1, 2]);
		lane.leave();
		await settle();
		expect(order).toEqual([1, 2, 3]);
		lane.leave();
		lane.leave();
		await settle();
		expect(order).toEqual([1, 2, 3, 4, 5]);
		expect(lane.underWay).toBe(2);
	});

	it('uses no timer while only the number holds requests back', async () => {
		const clock = new FakeClock();
		const lane = new Lane(clock);
		for (let n = 0; n < 50; n++) void lane.enter(1, PATIENCE_MS);
		await settle();
		expect(clock.slept).toEqual([]);
	});

	it('holds everything until the window ends when the budget is spent', async () => {
		const clock = new FakeClock();
		const lane = new Lane(clock);
		await lane.enter(4, PATIENCE_MS);
		lane.leave({ ...spent, 'x-ratelimit-reset': String(clock.now() / 1000 + 5) });
		let entered = 0;
		for (let n = 0; n < 3; n++) void lane.enter(4, PATIENCE_MS).then(() => entered++);
		await clock.advance(4_990);
		expect(entered).toBe(0);
		await clock.advance(60);
		expect(entered).toBe(3);
	});

	it('drops a cancelled request out of the queue at once', async () => {
		const lane = new Lane(new FakeClock());
		await lane.enter(1, PATIENCE_MS);
		const controller = new AbortController();
		const cancelled = lane.enter(1, PATIENCE_MS, controller.signal);
		let third = false;
		void lane.enter(1, PATIENCE_MS).then(() => (third = true));
		controller.abort();
		await expect(cancelled).rejects.toThrow(CancelledError);
		lane.leave();
		await settle();
		expect(third).toBe(true);
	});

	it('turns an impatient one away at once, though a patient one is before it', async () => {
		const clock = new FakeClock();
		const lane = new Lane(clock);
		lane.pace.holdUntil(clock.now() + 45_000, clock.now());
		let entered = 0;
		const patient = lane.enter(4, PATIENCE_MS).then(() => entered++);
		await expect(lane.enter(4, 10_000)).resolves.toEqual({
			kind: 'blocked',
			untilMs: clock.now() + 45_000,
		});
		expect(entered).toBe(0);
		await clock.advance(45_100);
		await patient;
		expect(lane.underWay).toBe(1);
	});

	it('tells the ones that wait when the budget is spent for long', async () => {
		const clock = new FakeClock();
		const lane = new Lane(clock);
		lane.pace.holdUntil(clock.now() + 3_600_000, clock.now());
		await expect(lane.enter(4, PATIENCE_MS)).resolves.toEqual({
			kind: 'blocked',
			untilMs: clock.now() + 3_600_000,
		});
		expect(lane.underWay).toBe(0);
	});
});

it('shares a lane by key and address, and by nothing else', () => {
	expect(laneOf('https://a.example/v1', 'k')).toBe(laneOf('https://a.example/v1', 'k'));
	expect(laneOf('https://a.example/v1', 'k')).not.toBe(laneOf('https://a.example/v1', 'other'));
	expect(laneOf('https://a.example/v1', 'k')).not.toBe(laneOf('https://b.example/v1', 'k'));
});

describe('pause', () => {
	it('waits in slices of a second at most', async () => {
		const clock = new FakeClock();
		let over = false;
		void pause(clock, 2_500).then(() => (over = true));
		await clock.advance(2_499);
		expect(over).toBe(false);
		await clock.advance(1);
		expect(over).toBe(true);
		expect(clock.slept).toEqual([1_000, 1_000, 500]);
	});

	it('ends at once when the execution is cancelled', async () => {
		const clock = new FakeClock();
		const controller = new AbortController();
		const waiting = pause(clock, 60_000, controller.signal);
		const seen = expect(waiting).rejects.toThrow(CancelledError);
		await settle();
		controller.abort();
		await seen;
		expect(clock.now()).toBe(1_800_000_000_000);
	});
});
