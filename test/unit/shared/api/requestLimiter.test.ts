import { CancelledError, pause } from '../../../../nodes/shared/api/clock';
import { limiterOf, RequestLimiter } from '../../../../nodes/shared/api/requestLimiter';
import { FakeClock, settle } from '../../fakeClock';

const spent = { limit: 100, remaining: 0 };

/** Of a caller with the default setting. ms. */
const MAX_WAIT_MS = 120_000;

describe('RequestLimiter', () => {
	it('lets a bounded number in, the rest first come first served', async () => {
		const limiter = new RequestLimiter(new FakeClock());
		const order: number[] = [];
		for (let n = 1; n <= 5; n++) void limiter.acquire(2, MAX_WAIT_MS).then(() => order.push(n));
		await settle();
		expect(order).toEqual([1, 2]);
		limiter.release();
		await settle();
		expect(order).toEqual([1, 2, 3]);
		limiter.release();
		limiter.release();
		await settle();
		expect(order).toEqual([1, 2, 3, 4, 5]);
		expect(limiter.pending).toBe(2);
	});

	it('uses no timer while only the number holds requests back', async () => {
		const clock = new FakeClock();
		const limiter = new RequestLimiter(clock);
		for (let n = 0; n < 50; n++) void limiter.acquire(1, MAX_WAIT_MS);
		await settle();
		expect(clock.slept).toEqual([]);
	});

	it('holds everything until the window ends when the budget is spent', async () => {
		const clock = new FakeClock();
		const limiter = new RequestLimiter(clock);
		await limiter.acquire(4, MAX_WAIT_MS);
		limiter.release({ ...spent, resetAtMs: clock.now() + 5_000 });
		let acquired = 0;
		for (let n = 0; n < 3; n++) void limiter.acquire(4, MAX_WAIT_MS).then(() => acquired++);
		await clock.advance(4_990);
		expect(acquired).toBe(0);
		await clock.advance(60);
		expect(acquired).toBe(3);
	});

	it('drops a cancelled request out of the queue at once', async () => {
		const limiter = new RequestLimiter(new FakeClock());
		await limiter.acquire(1, MAX_WAIT_MS);
		const controller = new AbortController();
		const cancelled = limiter.acquire(1, MAX_WAIT_MS, controller.signal);
		let third = false;
		void limiter.acquire(1, MAX_WAIT_MS).then(() => (third = true));
		controller.abort();
		await expect(cancelled).rejects.toThrow(CancelledError);
		limiter.release();
		await settle();
		expect(third).toBe(true);
	});

	it('refuses one that waits less at once, though one that waits longer is before it', async () => {
		const clock = new FakeClock();
		const limiter = new RequestLimiter(clock);
		limiter.rateLimit.holdUntil(clock.now() + 45_000, clock.now());
		let acquired = 0;
		const waiting = limiter.acquire(4, MAX_WAIT_MS).then(() => acquired++);
		await expect(limiter.acquire(4, 10_000)).resolves.toEqual({
			kind: 'blocked',
			untilMs: clock.now() + 45_000,
		});
		expect(acquired).toBe(0);
		await clock.advance(45_100);
		await waiting;
		expect(limiter.pending).toBe(1);
	});

	it('tells the ones that wait when the budget is spent for long', async () => {
		const clock = new FakeClock();
		const limiter = new RequestLimiter(clock);
		limiter.rateLimit.holdUntil(clock.now() + 3_600_000, clock.now());
		await expect(limiter.acquire(4, MAX_WAIT_MS)).resolves.toEqual({
			kind: 'blocked',
			untilMs: clock.now() + 3_600_000,
		});
		expect(limiter.pending).toBe(0);
	});
});

it('shares a limiter by key and address, and by nothing else', () => {
	expect(limiterOf('https://a.example/v1', 'k')).toBe(limiterOf('https://a.example/v1', 'k'));
	expect(limiterOf('https://a.example/v1', 'k')).not.toBe(
		limiterOf('https://a.example/v1', 'other'),
	);
	expect(limiterOf('https://a.example/v1', 'k')).not.toBe(limiterOf('https://b.example/v1', 'k'));
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
