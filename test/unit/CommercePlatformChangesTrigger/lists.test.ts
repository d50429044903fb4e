import { GOOD, ModelHost } from './model/host';
import { ModelPlatform, type Habits } from './model/platform';

const MINUTE = 60_000;

const USUAL: Habits = {
	wholeSeconds: false,
	times: 'iso',
	headTimes: false,
	returns: false,
	isVolatile: false,
	cursorLifeMs: Number.POSITIVE_INFINITY,
	expired: 400,
	emptyPages: false,
	endsEmpty: false,
	pageSize: 25,
};

/** Changes records one after the other, from now on. */
function write(platform: ModelPlatform, count: number, everyMs: number): void {
	for (let n = 0; n < count; n++) {
		platform.write(`r${n}`, 0);
		platform.pass(everyMs);
	}
}

/** A platform and its host, which polls at this interval, or polls until nothing is missing, at most 60 times. */
function hosted(habits: Partial<Habits> = {}, everyMs = MINUTE) {
	const platform = new ModelPlatform({ ...USUAL, ...habits });
	const host = new ModelHost(platform);
	const missing = () => platform.visible().filter(({ number }) => !host.executed.has(number));
	const poll = async (times = 1, maxPages = 10, waitMs = everyMs) => {
		for (let n = 0; n < times; n++) {
			await host.poll(maxPages, GOOD);
			platform.pass(waitMs);
		}
	};
	const more = async () => {
		let polls = 0;
		do await poll();
		while (++polls < 60 && missing().length > 0);
		const twice = [...host.executed.values()].filter((times) => times > 1).length;
		return { lost: missing(), twice, polls };
	};
	return { platform, host, poll, more };
}

describe('a backlog larger than a poll, with cursors that live three minutes and a poll every ten', () => {
	test.each<Partial<Habits>>([
		...[400, 403, 404, 409, 410, 500].map((expired) => ({ expired })),
		{ expired: 'restarts' },
		{ emptyPages: true },
		{ wholeSeconds: true },
		{ times: 'missing' },
		{ times: 'offset' },
		{ times: 'utc' },
	])('is given whole and once, with %j', async (habits) => {
		const { platform, host, more } = hosted({ cursorLifeMs: 3 * MINUTE, ...habits }, 10 * MINUTE);
		write(platform, 1_000, 2_000);
		const { lost, twice, polls } = await more();
		expect({ lost, twice }).toEqual({ lost: [], twice: 0 });
		expect(polls).toBeLessThanOrEqual(6);
		expect(host.mostIdle).toBe(0);
	});
});

describe('a backlog of 10,000 records', () => {
	test.each<[string, Partial<Habits>, everyMs: number]>([
		['one each minute', {}, MINUTE],
		['one each 7 ms', {}, 7],
		['one each 7 ms, in whole seconds', { wholeSeconds: true }, 7],
		['all at once', {}, 0],
		['all at once, and carry no times', { times: 'missing' }, 0],
	])(
		'that changed %s costs at most two requests more than it has pages',
		async (_how, habits, everyMs) => {
			const { platform, more } = hosted({ pageSize: 250, ...habits });
			write(platform, 10_000, everyMs);
			expect(await more()).toMatchObject({
				lost: [],
				twice: 0,
				polls: expect.any(Number) as number,
			});
			expect(platform.requests).toBeLessThanOrEqual(10_000 / 250 + 2);
		},
	);
});

describe('a record that is dated before the lower bound', () => {
	test('is given if it was not given before, because the list sorts by another time', async () => {
		const { platform, host, poll, more } = hosted({ headTimes: true, wholeSeconds: true });
		write(platform, 40, MINUTE);
		platform.pass(60 * MINUTE);
		await more();
		await poll(3);
		const before = host.executed.size;
		write(platform, 40, 1_000);
		expect(await more()).toMatchObject({ lost: [], twice: 0 });
		expect(host.executed.size - before).toBe(40);
	});
});

describe('a field that differs at every reading', () => {
	test('gives no record again, if times have a fraction', async () => {
		const { platform, host, poll } = hosted({ isVolatile: true }, 10_000);
		write(platform, 90, 500);
		await poll(12);
		expect([...host.executed.values()]).toEqual(Array.from({ length: 90 }, () => 1));
	});
});

test('records without times are remembered as long as they are read, however many there are', async () => {
	const { platform, host, poll, more } = hosted({ times: 'missing', ignoresSince: true });
	write(platform, 800, 10);
	expect(await more()).toMatchObject({ lost: [], twice: 0 });
	platform.pass(60 * MINUTE);
	await poll(4, 40, 60 * MINUTE);
	expect([...host.executed.values()].filter((times) => times > 1)).toEqual([]);
});

describe('a quiet shop', () => {
	test.each<[Partial<Habits>, number]>([
		[{}, 1],
		[{ wholeSeconds: true }, 1],
		[{ times: 'offset' }, 1],
	])(
		'after 1,250 changes of one second, with %j, costs %d requests a poll',
		async (habits, requests) => {
			const { platform, poll, more } = hosted({ pageSize: 250, ...habits }, 5 * MINUTE);
			write(platform, 1_250, 0);
			expect(await more()).toMatchObject({ lost: [], twice: 0 });
			await poll(2);
			const before = platform.requests;
			await poll(10);
			expect(platform.requests - before).toBe(10 * requests);
		},
	);
});

test('a shop without a record costs one request a poll, and its first change is found though it shows late', async () => {
	const { platform, host, poll, more } = hosted();
	await poll(10, 10, 5 * MINUTE);
	expect(platform.requests).toBe(10);
	platform.write('late', 100_000);
	await poll(3, 10, 30_000);
	platform.pass(MINUTE);
	expect(await more()).toMatchObject({ lost: [], twice: 0 });
	expect(host.executed.size).toBe(1);
});

describe('an empty page behind a cursor', () => {
	test.each([1, 2, 25, 26, 49, 60, 100])(
		'is the end of %d records if cursors work',
		async (count) => {
			const { platform, host, poll, more } = hosted({ endsEmpty: true, times: 'missing' });
			write(platform, count, 100);
			expect(await more()).toMatchObject({ lost: [], twice: 0 });
			await poll(5);
			expect([host.error, host.saidEndless]).toEqual([undefined, false]);
		},
	);
});

test('a refused cursor says nothing about the order', async () => {
	const { platform, poll, more } = hosted({ cursorLifeMs: -1, expired: 400 });
	write(platform, 30, 0);
	await poll();
	for (let n = 0; n < 10; n++) platform.delete(`r${n}`);
	platform.pass(MINUTE);
	write(platform, 60, 1_000);
	expect(await more()).toMatchObject({ lost: [], twice: 0 });
});

describe('a list that would never end', () => {
	const CIRCLE = { cursorLifeMs: -1, expired: 'restarts' } as const;

	test('is an error if the records show no times', async () => {
		const { platform, host, poll } = hosted({ ...CIRCLE, times: 'missing' });
		write(platform, 100, 1_000);
		await poll();
		expect(host.saidEndless).toBe(true);
		expect(platform.requests).toBeLessThan(120);
	});

	test('is read all the same if the platform sorts', async () => {
		const { platform, host, more } = hosted(CIRCLE);
		write(platform, 100, 1_000);
		expect(await more()).toMatchObject({ lost: [], twice: 0 });
		expect(host.saidEndless).toBe(false);
	});
});
