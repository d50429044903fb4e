import * as fc from 'fast-check';

import type {
	ChangesState,
	Subject,
} from '../../../../nodes/CommercePlatformChangesTrigger/state/state';
import {
	fromStored,
	toStored,
} from '../../../../nodes/CommercePlatformChangesTrigger/state/stored';

const SUBJECT: Subject = {
	workflowId: 'workflow-1',
	account: 'https://api.shop.example/v1',
	watch: 'order',
	filters: '{}',
};

const STATE: ChangesState = {
	subject: SUBJECT,
	revision: 7,
	place: { kind: 'list', sinceMs: 1_770_000_000_000, cursor: 'abc', startedMs: 1_770_000_100_000 },
	seen: new Map([
		['aaaaaaaaaaaa', 1_770_000_000_000],
		['bbbbbbbbbbbb', 1_770_000_000_000],
	]),
	emissions: [
		{
			id: 7,
			process: 'p',
			handedOverMs: 1,
			before: { kind: 'list', sinceMs: 1_760_000_000_000 },
			keys: new Map([['cccccccccccc', 1_770_000_001_000]]),
		},
	],
	clocks: { platformMs: 1, localMs: 2 },
	newestMs: 3,
	unsorted: true,
};

const throughDatabase = (state: ChangesState): unknown =>
	JSON.parse(JSON.stringify(toStored(state))) as unknown;

describe('the stored state of the changes trigger', () => {
	test('is read as it was written', () => {
		expect(fromStored(throughDatabase(STATE), SUBJECT)).toEqual({ kind: 'usable', state: STATE });
	});

	test.each([
		['another workflow', { workflowId: 'workflow-2' }],
		['another address of the credential', { account: 'https://other.example/v1' }],
		['another choice in Watch', { watch: 'product' }],
	])('is refused where it belongs to %s', (what, change) => {
		const read = fromStored(throughDatabase(STATE), { ...SUBJECT, ...change });
		expect(read).toEqual({ kind: 'refused', reason: `it belongs to ${what}` });
	});

	test('keeps the lower bound under other filters, and reads again what is not confirmed', () => {
		const filters = '{"status":"paid"}';
		const read = fromStored(throughDatabase(STATE), { ...SUBJECT, filters });
		expect(read).toMatchObject({
			kind: 'usable',
			state: {
				subject: { filters },
				place: { kind: 'list', sinceMs: 1_760_000_000_000 },
				emissions: [],
				seen: STATE.seen,
			},
		});
	});

	test('is refused for another event to begin after, and kept where that filter is cleared', () => {
		const subject = { ...SUBJECT, watch: 'event', filters: '{"after_event_id":"evt_1"}' };
		const state: ChangesState = {
			...STATE,
			subject,
			place: { kind: 'stream', afterEventId: 'evt_9', read: 8 },
			emissions: [],
		};
		const stored = throughDatabase(state);
		const other = { ...subject, filters: '{"after_event_id":"evt_5"}' };
		expect(fromStored(stored, other)).toMatchObject({ kind: 'refused' });
		expect(fromStored(stored, { ...subject, filters: '{}' })).toMatchObject({
			kind: 'usable',
			state: { place: { afterEventId: 'evt_9' } },
		});
	});

	test('never makes the trigger fail, whatever it holds', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (stored) => {
				const { kind } = fromStored(stored, SUBJECT);
				expect(kind).toBe(stored === null ? 'none' : 'refused');
			}),
		);
	});

	test('never makes the trigger fail where one of its parts is damaged', () => {
		const names = Object.keys(toStored(STATE));
		fc.assert(
			fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
				const stored = { ...(throughDatabase(STATE) as object), [name]: value };
				expect(() => fromStored(stored, SUBJECT)).not.toThrow();
			}),
		);
	});
});
