import * as fc from 'fast-check';

import { GOOD, ModelHost, OVERLAP_MS, type Fate } from './model/host';
import { ModelPlatform, type Habits } from './model/platform';

/** The environment may ask for 20,000, if time does not matter. */
const SEQUENCES = Number(process.env.CHANGES_MODEL_SEQUENCES ?? 1_000);
const MINUTE = 60_000;

type Event =
	| { do: 'write'; id: number; lateMs: number }
	| { do: 'bulk'; from: number; count: number; lateMs: number }
	| { do: 'delete'; id: number }
	| { do: 'pass'; ms: number }
	| { do: 'forget cursors' };

type Step =
	| Event
	| { do: 'poll'; maxPages: number; failAt: number; fate: Fate; between: Event[] }
	| { do: 'restart' }
	| { do: 'check' };

/** A step with this weight among the others. */
const weighted = <Do extends string, Fields extends object>(
	weight: number,
	name: Do,
	fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => ({
	weight,
	arbitrary: fc.record({ ...fields, do: fc.constant(name) }) as fc.Arbitrary<Fields & { do: Do }>,
});

const id = fc.integer({ min: 1, max: 9 });
const late = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: OVERLAP_MS - 2_000 }));
const minutes = fc.integer({ min: 0, max: 15 * MINUTE });
const event: fc.Arbitrary<Event> = fc.oneof(
	weighted(6, 'write', { id, lateMs: late }),
	weighted(2, 'bulk', { from: id, count: fc.integer({ min: 2, max: 8 }), lateMs: late }),
	weighted(1, 'delete', { id }),
	weighted(4, 'pass', { ms: fc.oneof(fc.integer({ min: 0, max: 1_500 }), minutes) }),
	weighted(1, 'forget cursors', {}),
);
const fate: fc.Arbitrary<Fate> = fc.record({
	saved: fc.boolean(),
	started: fc.boolean(),
	toldAfterPolls: fc.integer({ min: 0, max: 3 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 6, arbitrary: event },
	weighted(4, 'poll', {
		maxPages: fc.integer({ min: 1, max: 4 }),
		failAt: fc.integer({ min: 1, max: 12 }),
		fate,
		between: fc.array(event, { maxLength: 4 }),
	}),
	weighted(1, 'restart', {}),
	weighted(1, 'check', {}),
);
/** Times without a zone count as none. */
const UNSURE = new Set<Habits['times']>(['utc', 'missing']);

const habits: fc.Arbitrary<Habits> = fc
	.record({
		wholeSeconds: fc.boolean(),
		times: fc.constantFrom('iso', 'offset', 'utc', 'missing'),
		cursorLifeMs: fc.constantFrom(Number.POSITIVE_INFINITY, 3 * MINUTE, 0, -1),
		headTimes: fc.boolean(),
		returns: fc.boolean(),
		isVolatile: fc.boolean(),
		expired: fc.constantFrom(400, 403, 404, 409, 410, 500),
		emptyPages: fc.boolean(),
		endsEmpty: fc.boolean(),
		pageSize: fc.integer({ min: 1, max: 6 }),
	} satisfies { [Name in keyof Required<Habits>]?: fc.Arbitrary<Habits[Name]> })
	.map((all) => ({
		...all,
		// A time with a fraction is the only sign of a change, so it must be the time of that change.
		headTimes: all.headTimes && all.wholeSeconds,
		// Only such a time distinguishes a change from a field that differs at every reading.
		isVolatile: all.isVolatile && !all.wholeSeconds && !UNSURE.has(all.times),
	}));

function happen(platform: ModelPlatform, what: Event): void {
	if (what.do === 'write') platform.write(`r${what.id}`, what.lateMs);
	else if (what.do === 'bulk') {
		for (let n = 0; n < what.count; n++) platform.write(`r${what.from + n}`, what.lateMs);
	} else if (what.do === 'delete') platform.delete(`r${what.id}`);
	else if (what.do === 'pass') platform.pass(what.ms);
	else platform.forgetCursors();
}

/**
 * Once n8n and the platform work again, every visible change has become an execution. Or the polls say that they cannot
 * read it, which is allowed only if no cursor works.
 */
async function checkNothingLost(platform: ModelPlatform, host: ModelHost): Promise<void> {
	platform.failAt = undefined;
	platform.between = [];
	const most = platform.habits.cursorLifeMs < 0 ? 6 : 60;
	// Until late changes are visible, failed starts are reported, and the last walk has ended.
	for (let round = 0; round < 8; round++) {
		platform.pass(OVERLAP_MS);
		for (let polls = 0; polls < most && !(await host.poll(4, GOOD)); polls++) {
			// Longer than a cursor lives.
			if (round % 2 === 0) platform.pass(4 * MINUTE);
		}
	}
	const lost = platform
		.visible()
		.filter((version) => host.latest.get(version.id) !== platform.looksOf(version));
	if (platform.habits.cursorLifeMs >= 0 || host.error === undefined) expect(lost).toEqual([]);
}

async function run(platform: ModelPlatform, host: ModelHost, steps: Step[]): Promise<void> {
	for (const one of steps) {
		if (one.do === 'poll') {
			platform.failAt = platform.requests + one.failAt;
			platform.between = one.between.map((what) => () => happen(platform, what));
			await host.poll(one.maxPages, one.fate);
		} else if (one.do === 'restart') host.restart();
		else if (one.do === 'check') await checkNothingLost(platform, host);
		else happen(platform, one);
	}
	await checkNothingLost(platform, host);
}

describe('the changes trigger’s memory, in every order of events', () => {
	test(`loses no change and emits none twice but after a crash, in ${SEQUENCES} sequences`, async () => {
		let sequences = 0;
		await fc.assert(
			fc.asyncProperty(habits, fc.array(step, { maxLength: 40 }), async (dialect, steps) => {
				sequences++;
				const platform = new ModelPlatform(dialect);
				const host = new ModelHost(platform);
				await run(platform, host, steps);
				const unexcused = [...host.executed].filter(
					([version, times]) => times > 1 + (host.excused.get(version) ?? 0),
				);
				expect(unexcused).toEqual([]);
				expect(host.mostIdle).toBeLessThanOrEqual(2);
				if (dialect.cursorLifeMs >= 0) expect(host.saidEndless).toBe(false);
			}),
			{ numRuns: SEQUENCES },
		);
		process.stdout.write(`The changes trigger’s model ran through ${sequences} sequences.\n`);
		expect(sequences).toBeGreaterThanOrEqual(SEQUENCES);
	});

	test('remembers no more than its bound, and loses nothing by it', async () => {
		const bounds = { total: 12, pending: 6 };
		await fc.assert(
			fc.asyncProperty(habits, fc.array(step, { maxLength: 40 }), async (dialect, steps) => {
				const cursorLifeMs = Math.max(0, dialect.cursorLifeMs);
				const platform = new ModelPlatform({ ...dialect, cursorLifeMs, pageSize: 1 });
				const host = new ModelHost(platform, bounds);
				await run(platform, host, steps);
				// Items that wait for n8n's report can exceed their bound by one poll: four pages of one record.
				expect(host.largest).toBeLessThanOrEqual(bounds.total);
			}),
			{ numRuns: Math.ceil(SEQUENCES / 4) },
		);
	});
});
