import type { IDataObject } from 'n8n-workflow';

import type {
	ChangesState,
	Place,
} from '../../../../nodes/CommercePlatformChangesTrigger/state/state';
import type {
	PageSource,
	SourcePage,
} from '../../../../nodes/CommercePlatformChangesTrigger/walk/step';
import { walkSnapshot } from '../../../../nodes/CommercePlatformChangesTrigger/walk/walkSnapshot';
import { walkStream } from '../../../../nodes/CommercePlatformChangesTrigger/walk/walkStream';

const NOW = Date.UTC(2026, 0, 31);

/** Gives the pages one after the other, and notes what it was asked. */
function sourceOf(pages: Array<Partial<SourcePage>>, idFields: string[]) {
	const asked: IDataObject[] = [];
	const source: PageSource = {
		identity: { idFields, ...(idFields[0] === 'event_id' ? { immutable: true } : {}) },
		now: () => NOW,
		endless: () => new Error('endless'),
		refusedQuery: () => false,
		fetch: async (query) => {
			asked.push(query as IDataObject);
			const page = pages[asked.length - 1] ?? { records: [] };
			return await Promise.resolve({ records: [], paginated: false, localMs: NOW, ...page });
		},
	};
	return { source, asked };
}

const stateAt = (place: Place): ChangesState => ({
	subject: { workflowId: 'w', account: 'a', watch: 'event', filters: '{}' },
	revision: 1,
	place,
	seen: new Map(),
	emissions: [],
});

const LIMITS = { maxPages: 5, overlapMs: 120_000, goOn: () => true };
const events = (...ids: number[]) => ids.map((id) => ({ event_id: `evt_${id}` }));

describe('the event stream', () => {
	test('is read behind the last event, until an empty page', async () => {
		const { source, asked } = sourceOf(
			[{ records: events(8, 9) }, { records: events(10) }],
			['event_id'],
		);
		const place = { kind: 'stream', afterEventId: 'evt_7', read: 0 } as const;
		const step = await walkStream(stateAt(place), source, LIMITS);
		expect(asked.map(({ after_event_id }) => after_event_id)).toEqual(['evt_7', 'evt_9', 'evt_10']);
		expect(step.changes.map(({ id }) => id)).toEqual(['evt_8', 'evt_9', 'evt_10']);
		expect(step).toMatchObject({ complete: true, state: { place: { afterEventId: 'evt_10' } } });
	});

	test('that sends the same place twice is not read for ever', async () => {
		const { source } = sourceOf([{ records: events(7) }], ['event_id']);
		const place = { kind: 'stream', afterEventId: 'evt_7', read: 0 } as const;
		const { error } = await walkStream(stateAt(place), source, LIMITS);
		expect(error).toEqual(new Error('endless'));
	});

	test('passes over what happened before the time at which to begin', async () => {
		const records = [
			{ event_id: 'evt_1', timestamp: '2026-01-30T00:00:00Z' },
			{ event_id: 'evt_2', created_at: '2026-01-31T00:00:00Z' },
			{ event_id: 'evt_3' },
		];
		const { source } = sourceOf([{ records }], ['event_id']);
		const place = { kind: 'stream', read: 0, fromMs: NOW } as const;
		const { changes } = await walkStream(stateAt(place), source, LIMITS);
		expect(changes.map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
	});

	test('without times begins at its end, or says why Start From cannot be used', async () => {
		const pages = [{ records: events(1, 2) }];
		const now = { kind: 'stream', read: 0, fromMs: NOW } as const;
		const begun = await walkStream(stateAt(now), sourceOf(pages, ['event_id']).source, LIMITS);
		expect(begun.changes).toEqual([]);
		expect(begun.state.place).toEqual({ kind: 'stream', afterEventId: 'evt_2', read: 2 });
		const chosen = { ...now, isChosen: true };
		const { error } = await walkStream(
			stateAt(chosen),
			sourceOf(pages, ['event_id']).source,
			LIMITS,
		);
		expect(String(error)).toContain('the events of this platform carry no time');
	});
});

describe('stock levels', () => {
	const place = { kind: 'snapshot', taken: true } as const;
	const level = (sku: number, quantity: number) => ({ sku: `S${sku}`, location_id: 'l', quantity });

	test('are not compared by half: a fault gives up the whole comparison', async () => {
		const { source } = sourceOf([{ records: [level(1, 1)], nextCursor: 'a' }], ['sku']);
		const failing: PageSource = {
			...source,
			fetch: async (query) => {
				if (query.cursor !== undefined) throw new Error('away');
				return await source.fetch(query);
			},
		};
		const { changes, error } = await walkSnapshot(stateAt(place), failing);
		expect(changes).toEqual([]);
		expect(error).toEqual(new Error('away'));
	});

	test('beyond 10,000 are refused with the way out', async () => {
		const records = Array.from({ length: 10_001 }, (_, sku) => level(sku, 1));
		const { source } = sourceOf([{ records, paginated: true }], ['sku', 'location_id']);
		const { error } = await walkSnapshot(stateAt(place), source);
		expect(String(error)).toContain('leave more than 10,000 stock levels to compare');
	});
});
