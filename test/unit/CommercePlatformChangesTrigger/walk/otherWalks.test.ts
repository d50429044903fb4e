import type { IDataObject } from 'n8n-workflow';

import { PlatformError } from '../../../../nodes/shared/rest/errors';
import {
	type ChangesState,
	FIRST_SNAPSHOT,
	type Identity,
	loadState,
	type Place,
	readChange,
	settle,
} from '../../../../nodes/CommercePlatformChangesTrigger/state';
import {
	advance,
	type ChangesPage,
	type ChangesSource,
} from '../../../../nodes/CommercePlatformChangesTrigger/walk';

const NOW = Date.UTC(2026, 0, 31);

const EVENTS = { idFields: ['event_id'], versionFields: [] };
const LEVELS = { idFields: ['sku', 'location_id'], versionFields: ['quantity', 'updated_at'] };
const ORDERS = { idFields: ['id'] };

type Query = Parameters<ChangesSource['fetch']>[0];
type Sent = (Partial<ChangesPage> & { records?: IDataObject[] }) | Error;

/** Returns these pages in turn, or by the query, and records the queries. */
function sourceOf(identity: Identity, pages: Sent[] | ((query: Query) => Sent)) {
	const asked: Query[] = [];
	const sent = typeof pages === 'function' ? pages : () => pages[asked.length - 1] ?? {};
	const fetch: ChangesSource['fetch'] = async (query) => {
		asked.push(query);
		const page = sent(query);
		if (page instanceof Error) throw page;
		const { records = [], ...more } = page;
		const changes = records.map((record) => readChange(record, identity));
		const hasMore = records.length > 0;
		return await Promise.resolve({ changes, hasMore, askedMs: NOW, ...more });
	};
	return { asked, fetch, endlessError: (reason: string) => new Error(reason) };
}

const stateAt = (place: Place): ChangesState => ({
	subject: { workflowId: 'w', credential: 'c', address: 'a', watch: 'event', filters: '{}' },
	revision: 0,
	place,
	versions: new Map(),
	emissions: [],
});

const REQUEST = { method: 'GET', path: '/x', host: 'h' } as const;
const REFUSED = new PlatformError('refused', REQUEST, { status: 400 });

const ID = 'emission-1';
const LIMITS = { maxPages: 5, overlapMs: 120_000, nowMs: NOW, hasTime: () => true };
const OUT_OF_TIME = { ...LIMITS, hasTime: () => false };
const poll = async (at: Place | ChangesState, source: ChangesSource, limits = LIMITS) =>
	await advance('place' in at ? at : stateAt(at), source, limits, ID);

describe('the event stream', () => {
	const events = (...ids: number[]) => ids.map((id) => ({ event_id: `evt_${id}` }));
	const behind = (id: number) =>
		({ kind: 'stream', afterEventId: `evt_${id}`, read: 0, fromMs: 0 }) as const;
	const fromNow = { kind: 'stream', read: 0, fromMs: NOW } as const;

	test.each<[string, Sent[], number[]]>([
		['until an empty page', [{ records: events(8, 9) }, { records: events(10) }], [7, 9, 10]],
		[
			'by event ID where a page says that there are more and gives no cursor',
			[
				{ records: events(8), hasMore: true },
				{ records: events(9, 10), hasMore: false },
			],
			[7, 8],
		],
	])('is read behind the last event, %s', async (_how, pages, after) => {
		const source = sourceOf(EVENTS, pages);
		const step = await poll(behind(7), source);
		expect(source.asked).toMatchObject(after.map((id) => ({ after_event_id: `evt_${id}` })));
		expect(step.changes.map(({ id }) => id)).toEqual(['evt_8', 'evt_9', 'evt_10']);
		expect(step).toMatchObject({ error: undefined, state: { place: { afterEventId: 'evt_10' } } });
		expect((await poll(step.state, sourceOf(EVENTS, []))).state.versions.size).toBe(0);
	});

	test('does not show an event that is committed late, behind the last one that was read', async () => {
		const ids = [1, 3];
		const stream = sourceOf(EVENTS, ({ after_event_id: after }) => ({
			records: events(...ids.filter((id) => `evt_${id}` > String(after))),
		}));
		const { state } = await poll(behind(0), stream);
		ids.push(2, 4);
		expect((await poll(state, stream)).changes).toMatchObject([{ id: 'evt_4' }]);
	});

	test('skips events from before the time at which to begin', async () => {
		const records = [
			{ event_id: 'evt_1', timestamp: '2026-01-30T00:00:00Z' },
			{ event_id: 'evt_2', created_at: '2026-01-31T00:00:00Z' },
			{ event_id: 'evt_3' },
		];
		const { changes } = await poll(fromNow, sourceOf(EVENTS, [{ records }]));
		expect(changes.map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
	});

	test('without times asks for the event to begin after, and begins at the start if it is empty', async () => {
		const { error } = await poll(fromNow, sourceOf(EVENTS, [{ records: events(1, 2) }]));
		expect(String(error)).toContain("'After Event ID' must be set");
		const { state } = await poll(fromNow, sourceOf(EVENTS, []));
		expect(state.place).toEqual({ kind: 'stream', afterEventId: undefined, read: 0, fromMs: 0 });
	});

	test.each([
		['the same event again', [7], behind(7), 'the event again'],
		[
			'events in a circle',
			Array.from({ length: 60 }, (_, n) => n % 2),
			{ kind: 'stream', read: 0, fromMs: 0 } as const,
			'without a new record',
		],
	])('with %s is not read for ever', async (_what, ids, place, reason) => {
		const pages = ids.map((id) => ({ records: events(id) }));
		expect(String((await poll(place, sourceOf(EVENTS, pages))).error)).toContain(reason);
	});
});

describe('stock levels', () => {
	const place = { ...FIRST_SNAPSHOT, taken: true };

	/** This many levels. */
	const levels = (count: number) =>
		Array.from({ length: count }, (_, n) => ({ sku: `S${n}`, location_id: 'l', quantity: 1 }));
	/** Levels by their numbers, e.g. `1 2=5`: the second has a quantity of 5. */
	const written = (text: string) =>
		text.split(' ').map((one) => {
			const [sku, quantity = '1'] = one.split('=');
			return { sku, location_id: 'l', quantity: Number(quantity) };
		});
	/** The same page again and again. */
	const circle = (nextCursor: (n: number) => string) =>
		Array.from({ length: 200 }, (_, n) => ({ records: levels(1), nextCursor: nextCursor(n) }));
	const oneOfTwo = { records: levels(1), nextCursor: 'a' };

	test.each<[string, string, Sent[] | ((query: Query) => Sent)]>([
		[
			'are not compared by half: a fault gives up the whole comparison',
			'away',
			[oneOfTwo, new Error('away')],
		],
		[
			'beyond 10,000 are refused with the way out',
			'leave more than 10,000 stock levels to compare',
			[{ records: levels(10_001) }],
		],
		[
			'with a cursor that leads in a circle are not read for ever',
			'without a new record',
			circle(() => 'a'),
		],
		[
			'with a new cursor to the same page each time are not read for ever',
			'without a new record',
			circle(String),
		],
	])('%s', async (_what, reason, pages) => {
		const source = sourceOf(LEVELS, pages);
		const { changes, error } = await poll(place, source);
		expect(changes).toEqual([]);
		expect(String(error)).toContain(reason);
		expect(source.asked.length).toBeLessThan(60);
	});

	test.each<[string, Partial<typeof LIMITS>, Partial<ChangesState['subject']>, number]>([
		['are not asked for again within the hour', { nowMs: NOW + 3_599_999 }, {}, 0],
		['are asked for again after an hour', { nowMs: NOW + 3_600_000 }, {}, 1],
		['are asked for again with other filters', {}, { filters: '{"sku":"A"}' }, 1],
	])('beyond 10,000 %s', async (_what, later, other, requests) => {
		const source = sourceOf(LEVELS, () => ({ records: levels(10_001) }));
		const before = stateAt(place);
		before.subject.watch = 'inventory';
		const first = await poll(before, source);
		const subject = { ...first.state.subject, ...other };
		const { state = first.state } = loadState(undefined, first.state, subject);
		const again = await poll(state, source, { ...LIMITS, ...later });
		expect(source.asked).toHaveLength(1 + requests);
		for (const { error, changes } of [first, again])
			expect([String(error), changes]).toEqual([expect.stringContaining('than 10,000 stock'), []]);
	});

	test('are an error if they take longer than a poll may', async () => {
		const { error } = await poll(place, sourceOf(LEVELS, []), OUT_OF_TIME);
		expect(String(error)).toContain('than one poll has time to read');
	});

	test('are not compared if a cursor is refused, and read from the first page by the next poll', async () => {
		const { state, error, changes } = await poll(place, sourceOf(LEVELS, [oneOfTwo, REFUSED]));
		expect([error, changes]).toEqual([REFUSED, []]);
		expect((await poll(state, sourceOf(LEVELS, [{}]))).error).toBeUndefined();
	});

	test('take one entry of the memory each, even if n8n has not reported the outcome of their change', async () => {
		const records = levels(3);
		const first = await poll(FIRST_SNAPSHOT, sourceOf(LEVELS, [{ records }]));
		expect(first.state.versions.size).toBe(3);
		const changed = records.map((level) => ({ ...level, quantity: 7 }));
		const { state } = await poll(first.state, sourceOf(LEVELS, [{ records: changed }]));
		expect(state.versions.size).toBe(0);
		expect(state.emissions).toMatchObject([{ versions: { size: 3 } }]);
	});

	/** For each poll: its pages, and the levels that it returns. */
	test.each<[string, ...Array<[pages: string, versions: string]>]>([
		[
			'that one walk showed twice, with a change in between, are given when they go back',
			['1', ''],
			['1 2 | 1=2', '1=2 2=1'],
			['1 2', '1=1'],
		],
	])('%s', async (_name, ...polls) => {
		let state = stateAt(FIRST_SNAPSHOT);
		for (const [pages, given] of polls) {
			const sent = pages.split(' | ').map((page, n, { length }) => ({
				records: written(page),
				nextCursor: n < length - 1 ? `${n}` : undefined,
			}));
			const step = await poll(state, sourceOf(LEVELS, sent));
			({ state } = settle(step.state, () => 'done'));
			const found = step.changes.map(({ record: { sku, quantity } }) => `${sku}=${quantity}`);
			expect(found.join(' ')).toBe(given);
		}
	});
});

test.each([
	['passes over what carries no time in its first poll', 0, []],
	['gives it in the second, where the first did not come to the end', 1, ['a']],
])('a first walk %s', async (_name, revision, ids) => {
	const before = { ...stateAt({ kind: 'list', sinceMs: NOW, fromMs: NOW, walk: null }), revision };
	const { changes } = await poll(before, sourceOf(ORDERS, [{ records: [{ id: 'a' }] }]));
	expect(changes.map(({ id }) => id)).toEqual(ids);
});

describe('a list', () => {
	const page = (...minutes: number[]) =>
		minutes.map((ago) => ({
			id: `at ${ago}`,
			updated_at: new Date(NOW - ago * 60_000).toISOString(),
		}));
	const place = { kind: 'list', sinceMs: NOW - 3_600_000, fromMs: 0, walk: null } as const;
	const oldest = { records: page(60, 50), nextCursor: 'a' };
	const ONE_PAGE = { ...LIMITS, maxPages: 1 };

	const sorted = { updated_since: expect.anything() as string, sort: 'updated_at:asc' };
	test.each([400, 404, 410, 422, 503])(
		'is asked for sorted again if a page fails with %d',
		async (status) => {
			const failed = new PlatformError('refused', REQUEST, { status });
			const source = sourceOf(ORDERS, [failed, { records: page(1) }]);
			const { state, error } = await poll(place, source);
			expect(error).toBe(failed);
			await poll(state, source);
			expect(source.asked).toMatchObject([sorted, sorted]);
		},
	);

	test('goes on where it was, without reading the overlap again', async () => {
		const source = sourceOf(ORDERS, [oldest, { records: page(50, 1) }]);
		const { state } = await poll(place, source, ONE_PAGE);
		await poll(state, source, ONE_PAGE);
		const since = (ms: number) => ({
			updated_since: new Date(ms).toISOString(),
			cursor: undefined,
		});
		expect(source.asked).toMatchObject([since(place.sinceMs), since(NOW - 50 * 60_000)]);
	});
});
