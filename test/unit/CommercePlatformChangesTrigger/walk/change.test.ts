import type { IDataObject } from 'n8n-workflow';

import {
	changeKeyOf,
	readChange,
	readTimeMs,
} from '../../../../nodes/CommercePlatformChangesTrigger/walk/change';

const READ_AT = Date.UTC(2026, 0, 31);
const read = (record: IDataObject, idFields = ['id'], more = {}) =>
	readChange(record, { idFields, ...more }, READ_AT);

describe('a version of a record', () => {
	const updated_at = '2026-01-31T10:00:00Z';
	const one = read({ id: 'a', updated_at, total: { amount: 1, currency: 'EUR' } });

	test('is the same with its fields in another order', () => {
		const other = { total: { currency: 'EUR', amount: 1 }, updated_at, id: 'a' };
		expect(read(other).key).toBe(one.key);
	});

	test('is another one after a second change within one updated_at', () => {
		const other = { id: 'a', updated_at, total: { amount: 2, currency: 'EUR' } };
		expect(read(other).key).not.toBe(one.key);
	});

	test('has the time of its reading where it carries none', () =>
		expect(read({ id: 'a' })).toMatchObject({ atMs: READ_AT, updatedAt: undefined }));

	test.each([{ updatedAt: updated_at }, { timestamps: { updated_at } }])(
		'has the time that it carries as %j',
		(times) => expect(read({ id: 'a', ...times })).toMatchObject({ updatedAt: updated_at }),
	);

	test('of a stock level is told by SKU and location', () => {
		const level = { sku: 'S', location_id: 'sloc_a', quantity: 1 };
		expect(read(level, ['sku', 'location_id']).id).toBe('S@sloc_a');
	});

	test('is told by its content where it has no ID', () =>
		expect(read({ title: 'a' }).id).not.toBe(read({ title: 'b' }).id));

	test('of an event is its ID alone', () => {
		const keyOf = (payload: number) =>
			read({ event_id: 'evt_1', payload }, ['event_id'], { immutable: true }).key;
		expect(keyOf(2)).toBe(keyOf(1));
	});

	test('has a key that a person can read', () => {
		expect(changeKeyOf(read({ id: 'ord_1', updated_at }))).toMatch(
			/^ord_1@2026-01-31T10:00:00Z#[\w-]{6}$/,
		);
	});
});

describe('a time', () => {
	const ten = Date.UTC(2026, 0, 31, 10);

	test.each([
		['2026-01-31T10:00:00Z', ten],
		['2026-01-31T10:00:00.125Z', ten + 125],
		['2026-01-31T10:00:00.125678Z', ten + 125],
		['2026-01-31T12:00:00+02:00', ten],
		['2026-01-31 05:00:00.125678-05', ten + 125],
		['2026-01-31T12:00:00+02', ten],
		['2026-01-31T10:00:00', ten],
		['2026-01-31 10:00:00', ten],
		[ten, ten],
		[ten / 1000, ten],
	])('%s is read', (written, ms) => expect(readTimeMs(written)).toBe(ms));

	test.each(['', 'yesterday', '31.01.2026', '2026-13-45T99:99:99Z', null, true, {}, Number.NaN])(
		'%s is none',
		(written) => expect(readTimeMs(written)).toBeUndefined(),
	);
});
