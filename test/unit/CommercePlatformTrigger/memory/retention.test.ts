import {
	DEFAULT_RETENTION_HOURS,
	isRetention,
	retentionMs,
	RETENTION_MS,
} from '../../../../nodes/CommercePlatformTrigger/memory/retention';

const HOUR_MS = 3_600_000;

/** The platform's retries after the first attempt: 1, 5 and 30 minutes, 2 and 24 hours. */
const LAST_RETRY_HOURS = 26.6;

describe('how long deliveries are remembered', () => {
	it('is past the last retry, unless the user says otherwise', () => {
		expect(DEFAULT_RETENTION_HOURS).toBeGreaterThan(LAST_RETRY_HOURS);
		expect(RETENTION_MS).toBe(27 * HOUR_MS);
	});

	it.each([1, 1.5, 27, 336])('can be %p hours', (hours) => {
		expect(isRetention(hours)).toBe(true);
		expect(retentionMs(hours)).toBe(hours * HOUR_MS);
	});

	it.each([0, 0.99, -1, 336.1, Infinity, NaN, '48', null, undefined])(
		'cannot be %p: then the default applies',
		(hours) => {
			expect(isRetention(hours)).toBe(false);
			expect(retentionMs(hours)).toBe(RETENTION_MS);
		},
	);
});
