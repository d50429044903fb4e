import type { IDataObject } from 'n8n-workflow';

import { PlatformError } from '../../../../nodes/shared/errors/errors';
import type { ChangesState, Place } from '../../../../nodes/CommercePlatformChangesTrigger/state';
import { advance } from '../../../../nodes/CommercePlatformChangesTrigger/walk/advance';
import { readChange } from '../../../../nodes/CommercePlatformChangesTrigger/walk/change';
import type { Page, PageSource } from '../../../../nodes/CommercePlatformChangesTrigger/walk/pages';

const NOW = Date.UTC(2026, 0, 31);

/** Gives the pages one after the other, and notes what it was asked. */
function sourceOf(pages: Array<Partial<Page> & { records?: IDataObject[] }>, idFields: string[]) {
	const asked: IDataObject[] = [];
	const identity = {
		idFields,
		...(idFields[0] === 'event_id' ? { immutable: true as const } : {}),
	};
	const source: PageSource = {
		endless: (reason) => new Error(reason),
		fetch: async (query) => {
			asked.push(query as IDataObject);
			const { records = [], ...page } = pages[asked.length - 1] ?? {};
			const changes = records.map((record) => readChange(record, identity, NOW));
			return await Promise.resolve({ changes, clocks: { localMs: NOW }, ...page });
		},
	};
	return { source, asked };
}

const stateAt = (place: Place): ChangesState => ({
	subject: { workflowId: 'w', credential: 'c', watch: 'event', filters: '{}' },
	revision: 0,
	place,
	seen: new Map(),
	emissions: [],
});

const refused = new PlatformError(
	'refused',
	{ method: 'GET', path: '/x', host: 'h' },
	{ status: 400 },
);

const LIMITS = { maxPages: 5, overlapMs: 120_000, hasTime: () => true };
const poll = async (place: Place, source: PageSource, hasTime = true) =>
	await advance(stateAt(place), source, { ...LIMITS, hasTime: () => hasTime }, false);
const events = (...ids: number[]) => ids.map((id) => ({ event_id: `evt_${id}` }));

/** The same, which fails each time a cursor is asked for, as long as there are faults. */
const failing = (source: PageSource, ...faults: Error[]): PageSource => ({
	...source,
	fetch: async (query) => {
		const fault = query.cursor === undefined ? undefined : faults.shift();
		if (fault !== undefined) throw fault;
		return await source.fetch(query);
	},
});

describe('the event stream', () => {
	test('is read behind the last event, until an empty page', async () => {
		const { source, asked } = sourceOf(
			[{ records: events(8, 9) }, { records: events(10) }],
			['event_id'],
		);
		const place = { kind: 'stream', afterEventId: 'evt_7', read: 0 } as const;
		const step = await poll(place, source);
		expect(asked.map(({ after_event_id }) => after_event_id)).toEqual(['evt_7', 'evt_9', 'evt_10']);
		expect(step.changes.map(({ id }) => id)).toEqual(['evt_8', 'evt_9', 'evt_10']);
		expect(step).toMatchObject({ complete: true, state: { place: { afterEventId: 'evt_10' } } });
	});

	test('does not show an event that is committed late, behind the last one that was read', async () => {
		const ids = [1, 3];
		const stream: PageSource = {
			...sourceOf([], []).source,
			fetch: async ({ after_event_id: after }) => {
				const records = events(...ids.filter((id) => `evt_${id}` > String(after)));
				return await sourceOf([{ records }], ['event_id']).source.fetch({});
			},
		};
		const { state } = await poll({ kind: 'stream', afterEventId: 'evt_0', read: 0 }, stream);
		ids.push(2, 4);
		const { changes } = await advance(state, stream, LIMITS, true);
		expect(changes.map(({ id }) => id)).toEqual(['evt_4']);
	});

	test('passes over what happened before the time at which to begin', async () => {
		const records = [
			{ event_id: 'evt_1', timestamp: '2026-01-30T00:00:00Z' },
			{ event_id: 'evt_2', created_at: '2026-01-31T00:00:00Z' },
			{ event_id: 'evt_3' },
		];
		const { source } = sourceOf([{ records }], ['event_id']);
		const place = { kind: 'stream', read: 0, fromMs: NOW } as const;
		const { changes } = await poll(place, source);
		expect(changes.map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
	});

	test('without times asks for the event to begin after, and begins at the start where it is empty', async () => {
		const now = { kind: 'stream', read: 0, fromMs: NOW } as const;
		const { error } = await poll(now, sourceOf([{ records: events(1, 2) }], ['event_id']).source);
		expect(String(error)).toContain('“After Event ID” must be set');
		const { state } = await poll(now, sourceOf([], ['event_id']).source);
		expect(state.place).toEqual({ kind: 'stream', afterEventId: undefined, read: 0 });
	});

	test('goes on by event ID where a page says that there are more and gives no cursor', async () => {
		const pages = [
			{ records: events(8), hasMore: true },
			{ records: events(9), hasMore: false },
		];
		const { source, asked } = sourceOf(pages, ['event_id']);
		const step = await poll({ kind: 'stream', afterEventId: 'evt_7', read: 0 }, source);
		expect(step).toMatchObject({ complete: true, changes: [{ id: 'evt_8' }, { id: 'evt_9' }] });
		expect(asked.map(({ after_event_id }) => after_event_id)).toEqual(['evt_7', 'evt_8']);
	});

	test.each([
		['the same event again', [7], 'evt_7', 'sent the event again'],
		[
			'events in a circle',
			Array.from({ length: 60 }, (_, n) => n % 2),
			undefined,
			'without anything new',
		],
	])('with %s is not read for ever', async (_what, ids, afterEventId, reason) => {
		const pages = ids.map((id) => ({ records: events(id) }));
		const { source } = sourceOf(pages, ['event_id']);
		const { error } = await poll({ kind: 'stream', afterEventId, read: 0 }, source);
		expect(String(error)).toContain(reason);
	});
});

describe('stock levels', () => {
	const place = { kind: 'snapshot', taken: true } as const;
	const level = (sku: number, quantity: number) => ({ sku: `S${sku}`, location_id: 'l', quantity });

	test('are not compared by half: a fault gives up the whole comparison', async () => {
		const { source } = sourceOf([{ records: [level(1, 1)], nextCursor: 'a' }], ['sku']);
		const { changes, error } = await poll(place, failing(source, new Error('away')));
		expect(changes).toEqual([]);
		expect(error).toEqual(new Error('away'));
	});

	test('beyond 10,000 are refused with the way out', async () => {
		const records = Array.from({ length: 10_001 }, (_, sku) => level(sku, 1));
		const { source } = sourceOf([{ records }], ['sku', 'location_id']);
		const { error } = await poll(place, source);
		expect(String(error)).toContain('leave more than 10,000 stock levels to compare');
	});

	test.each([
		['a cursor that leads in a circle', () => 'a', 'without anything new'],
		['a new cursor to the same page each time', (n: number) => `${n}`, 'without anything new'],
	])('with %s are not read for ever', async (_name, nextCursor, reason) => {
		const pages = Array.from({ length: 200 }, (_, n) => ({
			records: [level(1, 1)],
			nextCursor: nextCursor(n),
		}));
		const { source, asked } = sourceOf(pages, ['sku']);
		const { error } = await poll(place, source);
		expect(String(error)).toContain(reason);
		expect(asked.length).toBeLessThan(60);
	});

	/** What each of several polls gives, over the state of the one before; each page but its last has a cursor. */
	const given = async (...polls: IDataObject[][][]) => {
		let state = stateAt({ kind: 'snapshot', taken: false });
		const found: unknown[] = [];
		for (const pages of polls) {
			const sent = pages.map((records, n) => ({
				records,
				nextCursor: n < pages.length - 1 ? `${n}` : undefined,
			}));
			const step = await advance(
				state,
				sourceOf(sent, ['sku', 'location_id']).source,
				LIMITS,
				true,
			);
			({ state } = step);
			found.push(
				step.changes.map(({ record }) => `${String(record.sku)}=${String(record.quantity)}`),
			);
		}
		return found;
	};
	const [one, two, three, four] = [1, 2, 3, 4].map((sku) => level(sku, 1));

	test.each<[string, IDataObject[][][], string[][]]>([
		[
			'that a cursor passed over, because one before them was deleted, are not given again',
			[
				[
					[one, two],
					[three, four],
				],
				[[one, two], [four]],
				[[two, three], [four]],
			],
			[[], [], []],
		],
		[
			'that changed while a cursor passed over them are given once',
			[
				[
					[one, two],
					[three, four],
				],
				[[one, two], [four]],
				[[two, level(3, 2)], [four]],
			],
			[[], [], ['S3=2']],
		],
		[
			'that the first poll passed over are given by the second, as if they had changed',
			[
				[[one, two], [four]],
				[
					[two, three],
					[one, four],
				],
			],
			[[], ['S3=1']],
		],
		[
			'that one walk showed twice, with a change in between, are given when they go back',
			[[[one]], [[one, two], [level(1, 2)]], [[one, two]]],
			[[], ['S1=2', 'S2=1'], ['S1=1']],
		],
	])('%s', async (_name, polls, expected) => {
		expect(await given(...polls)).toEqual(expected);
	});

	test('behind an empty page are not taken for gone', async () => {
		const { error } = await poll(place, {
			...sourceOf([], []).source,
			fetch: async ({ cursor, limit = 250 }) => {
				const count = cursor === undefined ? Number(limit) : 0;
				const records = Array.from({ length: count }, (_, sku) => level(sku, 1));
				const page = { records, nextCursor: count > 0 ? 'a' : undefined };
				return await sourceOf([page], ['sku', 'location_id']).source.fetch({});
			},
		});
		expect(String(error)).toContain('sent an empty page where it had said that there are more');
	});

	test('that take longer than a poll may are an error', async () => {
		const { error } = await poll(place, sourceOf([], ['sku']).source, false);
		expect(String(error)).toContain('within the time that n8n gives a poll');
	});

	test('are read again from the first page where a cursor is refused', async () => {
		const pages = [{ records: [level(1, 1)], nextCursor: 'a' }, {}, {}];
		const { source } = sourceOf(pages, ['sku']);
		const { complete, error } = await poll(place, failing(source, refused));
		expect([complete, error]).toEqual([true, undefined]);
	});
});

test('a poll that comes no further twice in a row is an error', async () => {
	const { source } = sourceOf([], ['id']);
	const outOfTime = { ...LIMITS, hasTime: () => false };
	const place = { kind: 'list', sinceMs: NOW } as const;
	const first = await advance(stateAt(place), source, outOfTime, false);
	expect(first.error).toBeUndefined();
	const second = await advance(first.state, source, outOfTime, false);
	expect(String(second.error)).toContain('brought nothing new in 2 polls');
	const third = await advance(second.state, source, LIMITS, false);
	expect(third).toMatchObject({ complete: true, error: undefined, state: { stalls: 0 } });
});

test.each([
	['passes over what carries no time in its first poll', 0, []],
	['gives it in the second, where the first did not come to the end', 1, [{ id: 'a' }]],
])('a first walk %s', async (_name, revision, changes) => {
	const { source } = sourceOf([{ records: [{ id: 'a' }] }], ['id']);
	const place = { kind: 'list', sinceMs: NOW, fromMs: NOW } as const;
	const step = await advance({ ...stateAt(place), revision }, source, LIMITS, false);
	expect(step.changes).toMatchObject(changes);
	expect(step.changes).toHaveLength(changes.length);
});

describe('a list', () => {
	const ago = (minutes: number, id = `at ${minutes}`) => ({
		id,
		updated_at: new Date(NOW - minutes * 60_000).toISOString(),
	});
	const sinceMs = NOW - 3_600_000;
	const place = { kind: 'list', sinceMs } as const;
	const page = (...minutes: number[]) => minutes.map((one) => ago(one));

	test.each([
		['the newest come first on demand, and the oldest again', page(8, 9), page(60, 50), 'kept'],
		['nothing comes where the newest are asked for', [], page(60, 50), undefined],
		['the first of the newest is older than what was read', page(54, 55), page(60), undefined],
		['the newest do not come in order', page(9, 8), page(60, 50), undefined],
		['the oldest is among the newest', page(9, 60), page(60, 50), undefined],
		['another one is the oldest then', page(8, 9), page(58, 50), undefined],
	])('is known to be sorted, or not, where %s', async (_case, newest, again, order) => {
		const first = { records: page(60, 50), nextCursor: 'a' };
		const { source } = sourceOf([first, { records: newest }, { records: again }], ['id']);
		const { state } = await advance(stateAt(place), source, { ...LIMITS, maxPages: 1 }, false);
		expect(state.order).toBe(order);
	});

	test.each([
		[17_500, false],
		[17_501, true],
	])(
		'is not begun again behind %d records, more than are remembered: %s',
		async (read, isError) => {
			const stretch = { sinceMs, read, cursor: 'a', started: { localMs: NOW } };
			const { source } = sourceOf([{ records: page(60) }], ['id']);
			const { error } = await advance(
				stateAt({ ...place, stretch }),
				failing(source, refused),
				LIMITS,
				false,
			);
			expect(String(error).includes('ended a cursor')).toBe(isError);
		},
	);

	test('has no lower bound above what was read, whatever was known before', async () => {
		const newest = { ms: NOW - 600_000, read: { localMs: NOW - 540_000 } };
		const before: ChangesState = { ...stateAt(place), order: 'kept', newest };
		const { source } = sourceOf([{ records: page(60, 50), nextCursor: 'a' }], ['id']);
		const { state } = await advance(before, source, { ...LIMITS, maxPages: 1 }, false);
		expect(state.place).toMatchObject({ sinceMs: NOW - 50 * 60_000 - LIMITS.overlapMs });
	});
});
