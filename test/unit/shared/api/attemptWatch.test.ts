import { AttemptWatch } from '../../../../nodes/shared/api/clock';
import { FakeClock, settle } from '../../fakeClock';

const setUp = (limits = { idleMs: 2_000, deadlineMs: 5_000 }) => {
	const clock = new FakeClock();
	const watch = new AttemptWatch(clock);
	const start = (more = {}) => {
		const seen = { givenUpAtMs: [] as number[] };
		const attempt = watch.start({ ...limits, ...more }, () =>
			seen.givenUpAtMs.push(clock.monotonic()),
		);
		return { ...attempt, seen };
	};
	return { clock, start };
};

describe('AttemptWatch', () => {
	it('leaves the time until the first piece to n8n’s own timeout', async () => {
		const { clock, start } = setUp();
		const { seen } = start();
		await clock.advance(4_999);
		expect(seen.givenUpAtMs).toEqual([]);
		await clock.advance(1);
		expect(seen.givenUpAtMs).toEqual([5_000]);
	});

	it('gives up where nothing comes for the idle time', async () => {
		const { clock, start } = setUp();
		const { seen, progress } = start();
		progress();
		await clock.advance(1_999);
		expect(seen.givenUpAtMs).toEqual([]);
		await clock.advance(1);
		expect(seen.givenUpAtMs).toEqual([2_000]);
		await clock.advance(60_000);
		expect(seen.givenUpAtMs).toHaveLength(1);
	});

	it('lets an attempt go on while something comes, until the deadline', async () => {
		const { clock, start } = setUp();
		const { seen, progress } = start();
		for (let n = 0; n < 4; n++) {
			await clock.advance(1_200);
			progress();
		}
		expect(seen.givenUpAtMs).toEqual([]);
		await clock.advance(200);
		expect(seen.givenUpAtMs).toEqual([5_000]);
	});

	it('leaves an attempt alone that has ended, and runs no timer then', async () => {
		const { clock, start } = setUp();
		const { seen, end } = start();
		end();
		await clock.advance(60_000);
		expect(seen.givenUpAtMs).toEqual([]);
		expect(clock.slept).toEqual([1_000]);
	});

	it('serves many attempts with one timer, each with its own limits', async () => {
		const { clock, start } = setUp();
		const attempts = [300, 700, 1_500].map((deadlineMs) => start({ deadlineMs }));
		await clock.advance(1_500);
		expect(attempts.map(({ seen }) => seen.givenUpAtMs)).toEqual([[300], [700], [1_500]]);
		expect(clock.slept).toEqual([300, 400, 800]);
	});

	it('watches again after a while without attempts', async () => {
		const { clock, start } = setUp();
		start().end();
		await clock.advance(10_000);
		const { seen } = start();
		await clock.advance(5_000);
		expect(seen.givenUpAtMs).toEqual([15_000]);
	});

	it('is not moved by the machine’s clock', async () => {
		const { clock, start } = setUp({ idleMs: 1_000, deadlineMs: 2_000 });
		const { seen } = start();
		clock.set(clock.now() + 3_600_000);
		await clock.advance(1_000);
		expect(seen.givenUpAtMs).toEqual([]);
		clock.set(clock.now() - 7_200_000);
		await clock.advance(1_000);
		await settle();
		expect(seen.givenUpAtMs).toEqual([2_000]);
	});
});
