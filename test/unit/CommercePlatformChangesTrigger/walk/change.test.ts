import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	isChanged,
	readChange,
	readTimeMs,
} from '../../../../nodes/CommercePlatformChangesTrigger/state';

const TEN = '2026-01-31T10:00:00Z';
const TEN_MS = Date.parse(TEN);

const read = (record: IDataObject, idFields = ['id'], versionFields?: string[]) =>
	readChange(record, { idFields, versionFields });

describe('a record', () => {
	const order = read({ id: 'a', updated_at: TEN, total: { amount: 1, currency: 'EUR' } });

	test('has the same content with its fields in another order', () => {
		const other = { total: { currency: 'EUR', amount: 1 }, updated_at: TEN, id: 'a' };
		expect(read(other)).toMatchObject({ idHash: order.idHash, contentHash: order.contentHash });
	});

	test('has another content after a change, and the same key', () => {
		const other = read({ id: 'a', updated_at: TEN, total: { amount: 2, currency: 'EUR' } });
		expect(other.idHash).toBe(order.idHash);
		expect(other.contentHash).not.toBe(order.contentHash);
	});

	test.each([
		[{}, 0],
		[{ updated_at: TEN }, TEN_MS],
		[{ updated_at: 'yesterday' }, 0],
		[{ updated_at: '1969-12-31T23:59:59Z' }, 0],
	])('with %j has the time %d', (times, timeMs) =>
		expect(read({ id: 'a', ...times })).toMatchObject({ timeMs }),
	);

	test('is recognised by its content if it has no ID', () =>
		expect(read({ title: 'a' }).idHash).not.toBe(read({ title: 'b' }).idHash));

	test('that is a stock level is recognised by SKU and location, and changes only with quantity and time', () => {
		const level = { sku: 'S', location_id: 'sloc_a', quantity: 1, updated_at: TEN };
		const readLevel = (more: IDataObject) =>
			read({ ...level, ...more }, ['sku', 'location_id'], ['quantity', 'updated_at']);
		const first = readLevel({});
		expect(first).toMatchObject({ id: 'S@sloc_a', timeMs: 0 });
		expect(readLevel({ as_of: 'now', reserved: 3 }).contentHash).toBe(first.contentHash);
		expect(readLevel({ quantity: 2 }).contentHash).not.toBe(first.contentHash);
		expect(readLevel({ updated_at: '2026-01-31T10:00:01Z' }).contentHash).not.toBe(
			first.contentHash,
		);
	});

	test('that is an event never changes', () => {
		const contentOf = (payload: number) =>
			read({ event_id: 'evt_1', payload }, ['event_id'], []).contentHash;
		expect(contentOf(2)).toBe(contentOf(1));
	});
});

describe('what a change is', () => {
	const changed = (now: [number, string], last: [number, string]) =>
		isChanged({ timeMs: now[0], contentHash: now[1] }, { timeMs: last[0], contentHash: last[1] });

	test.each<[string, boolean, now: [number, string], last: [number, string]]>([
		['a later time', true, [TEN_MS + 1, 'a'], [TEN_MS, 'a']],
		['another content within one second', true, [TEN_MS, 'b'], [TEN_MS, 'a']],
		['the same content within one second', false, [TEN_MS, 'a'], [TEN_MS, 'a']],
		['another content without a time', true, [0, 'b'], [0, 'a']],
		['the same content without a time', false, [0, 'a'], [0, 'a']],
		['another content at one time with a fraction', false, [TEN_MS + 5, 'b'], [TEN_MS + 5, 'a']],
		['an earlier time with a fraction', false, [TEN_MS + 4, 'b'], [TEN_MS + 5, 'a']],
	])('%s: %s', (_what, isChange, now, last) => expect(changed(now, last)).toBe(isChange));

	test('is told by the last version alone, so a record can go back to an earlier content', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (contents) => {
				const isNew = contents.map((now, n) => n === 0 || changed([0, now], [0, contents[n - 1]]));
				expect(isNew).toEqual(contents.map((now, n) => now !== contents[n - 1]));
			}),
		);
	});
});

describe('a time', () => {
	test.each([
		['2026-01-31T10:00:00Z', TEN_MS],
		['2026-01-31T10:00:00.125Z', TEN_MS + 125],
		['2026-01-31T10:00:00.125678Z', TEN_MS + 125],
		['2026-01-31T12:00:00+02:00', TEN_MS],
	])('%s is read', (written, ms) => expect(readTimeMs(written)).toBe(ms));

	test.each(['', 'yesterday', '2026-01-31T10:00:00', '2026-13-45T99:99:99Z', TEN_MS, null, {}])(
		'%s is none',
		(written) => expect(readTimeMs(written)).toBeUndefined(),
	);
});
