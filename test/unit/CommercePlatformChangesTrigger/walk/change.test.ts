import {
	changeKeyOf,
	readChange,
	readTimeMs,
} from '../../../../nodes/CommercePlatformChangesTrigger/walk/change';

const BY_ID = { idFields: ['id'] };
const READ_AT = Date.UTC(2026, 0, 31);

describe('a version of a record', () => {
	test('is the same with its fields in another order', () => {
		const one = readChange({ id: 'a', total: { amount: 1, currency: 'EUR' } }, BY_ID, READ_AT);
		const other = readChange({ total: { currency: 'EUR', amount: 1 }, id: 'a' }, BY_ID, READ_AT);
		expect(other.key).toBe(one.key);
	});

	test('is another one after a second change within one updated_at', () => {
		const updated_at = '2026-01-31T10:00:00Z';
		const one = readChange({ id: 'a', updated_at, status: 'created' }, BY_ID, READ_AT);
		const other = readChange({ id: 'a', updated_at, status: 'paid' }, BY_ID, READ_AT);
		expect(other.key).not.toBe(one.key);
	});

	test('has the time of its reading where it carries none', () => {
		expect(readChange({ id: 'a' }, BY_ID, READ_AT)).toMatchObject({
			atMs: READ_AT,
			updatedAt: undefined,
		});
	});

	test('of a stock level is told by SKU and location', () => {
		const level = { idFields: ['sku', 'location_id'] };
		expect(readChange({ sku: 'S', location_id: 'sloc_a', quantity: 1 }, level, READ_AT).id).toBe(
			'S@sloc_a',
		);
	});

	test('is told by its content where it has no ID', () => {
		const one = readChange({ title: 'a' }, BY_ID, READ_AT);
		const other = readChange({ title: 'b' }, BY_ID, READ_AT);
		expect(other.id).not.toBe(one.id);
	});

	test('of an event is its ID alone', () => {
		const event = { idFields: ['event_id'], immutable: true as const };
		const one = readChange({ event_id: 'evt_1', payload: 1 }, event, READ_AT);
		const other = readChange({ event_id: 'evt_1', payload: 2 }, event, READ_AT);
		expect(other.key).toBe(one.key);
	});

	test('has a key that a person can read', () => {
		const change = readChange({ id: 'ord_1', updated_at: '2026-01-31T10:00:00Z' }, BY_ID, READ_AT);
		expect(changeKeyOf(change)).toMatch(/^ord_1@2026-01-31T10:00:00Z#[\w-]{6}$/);
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
	])('%s is read', (written, ms) => {
		expect(readTimeMs(written)).toBe(ms);
	});

	test.each(['', 'yesterday', '31.01.2026', '2026-13-45T99:99:99Z', null, true, {}, Number.NaN])(
		'%s is none',
		(written) => {
			expect(readTimeMs(written)).toBeUndefined();
		},
	);
});
