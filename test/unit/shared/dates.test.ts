import fc from 'fast-check';

import { inWords, localTime, toUtcIso } from '../../../nodes/shared/values/dates';

/** An object like Luxon's DateTime, which n8n's expressions return. */
const luxonLike = (ms: number) => ({ toMillis: () => ms, isValid: true });

describe('toUtcIso', () => {
	it.each([
		['2026-01-31T22:00:00.123-0500', 'UTC', '2026-02-01T03:00:00.123Z'],
		['2026-01-31T22:00:00+02:00', 'America/New_York', '2026-01-31T20:00:00.000Z'],
		['2026-01-31T22:00:00', 'Europe/Berlin', '2026-01-31T21:00:00.000Z'],
		['2026-07-31 22:00', 'Europe/Berlin', '2026-07-31T20:00:00.000Z'],
		['2026-01-31', 'Asia/Kolkata', '2026-01-30T18:30:00.000Z'],
		[' 2026-01-31T22:00:00Z ', 'UTC', '2026-01-31T22:00:00.000Z'],
		['2026-01-31 22:00 +02:00', 'UTC', '2026-01-31T20:00:00.000Z'],
		['2026-01-31 22:00:00.125', 'Europe/Berlin', '2026-01-31T21:00:00.125Z'],
		['2026-01-31T22:00:00.123456', 'Europe/Berlin', '2026-01-31T21:00:00.123456Z'],
		[new Date(0), 'UTC', '1970-01-01T00:00:00.000Z'],
		['2026-01-31T22:00:00.123456Z', 'UTC', '2026-01-31T22:00:00.123456Z'],
		['2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z'],
		['2026-03-08T03:30:00', 'America/New_York', '2026-03-08T07:30:00.000Z'],
		['2026-03-08T01:30:00', 'America/New_York', '2026-03-08T06:30:00.000Z'],
		[1e11, 'UTC', '1973-03-03T09:46:40.000Z'],
		[-1e11, 'UTC', '1966-10-31T14:13:20.000Z'],
		['1900-01-01T00:00:00Z', 'UTC', '1900-01-01T00:00:00.000Z'],
		['9999-12-31T23:59:59.999Z', 'UTC', '9999-12-31T23:59:59.999Z'],
		// A time that occurs twice means the earlier one.
		['2026-10-25T02:30:00', 'Europe/Oslo', '2026-10-25T00:30:00.000Z'],
		['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
		['2026-10-25T01:59:00', 'Europe/Oslo', '2026-10-24T23:59:00.000Z'],
		['2026-10-25T03:00:00', 'Europe/Oslo', '2026-10-25T02:00:00.000Z'],
		['2026-10-26T01:00:00', 'Europe/Oslo', '2026-10-26T00:00:00.000Z'],
		['2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
		// A time that the clocks skip.
		['2026-03-29T02:30:00', 'Europe/Oslo', '2026-03-29T01:30:00.000Z'],
		['2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
	])('reads %s in %s as %s', (value, zone, iso) => {
		expect(toUtcIso('Since', value, zone)).toBe(iso);
	});

	it.each([
		...[
			'tomorrow | 31.01.2026 | 01-02-2026 | order-2026 | Jan 31 Feb 2026 -0100',
			'2026-13-01T00:00:00Z | 2026-01-31T25:00:00 | 2026-02-31 | 2026-02-30T00:00:00Z',
			'2026-02-31 10:00 | 2027-02-29T00:00:00+02:00 | Sat, 31 Jan 2026 22:00:00 GMT',
			'31 Jan 2026 22:00:00 -0500 | 1 Jan 2026 22:00 UTC | 31 Jan 2026 22:00 GMT',
			'31 Feb 2026 10:00 GMT | Wed, 32 Jan 2026 10:00:00 GMT | 0000-01-01T00:00:00Z',
			'0001-01-01T00:00:00Z | 2026-01-31T22:00:00Z (Berlin)',
			'2026-01-31 (noted) 2026-01-31T22:00:00Z | 31 Jan 2026 22:00 GMT (London)',
			'2026-01-31 2026-01-31 | 2026-01-31T22:00 (Berlin) | 2026-01-31 (Berlin)',
			'2026-01-31T22:00:00.5x | on 2026-01-31T22:00:00Z | (Berlin) 2026-01-31T22:00:00Z',
			'on 31 Jan 2026 22:00 GMT | (at) 31 Jan 2026 22:00 GMT | 31 Jan 226 22:00 GMT',
			'2026-01-31Z | x2026-01-31',
		].flatMap((line) => line.split(' | ')),
		'',
		null,
		{},
		true,
		Number.NaN,
		new Date(Number.NaN),
		9e15,
		0,
		1_769_896_800,
		-5,
		new Date(Date.UTC(12_026, 0, 1)),
		new Date(Date.UTC(1900, 0, 1) - 1),
		new Date(Date.UTC(10_000, 0, 1)),
		1e11 - 1,
		{ toMillis: 5 },
	])('refuses %s and names the field', (value) => {
		expect(() => toUtcIso('Since', value, 'UTC')).toThrow("'Since' is not a date");
	});

	it.each([
		[1_769_896_800, 'A number must be Unix milliseconds, not seconds.'],
		...['soon', '19999', '80000', '450000', '45000.x', 'x45000'].map((value) => [
			value,
			'Use the date picker, or a text like 2026-01-31T22:00:00Z.',
		]),
		...[20_000, 79_999, '45000', ' 45000.75 ', '45000,75'].map((value) => [
			value,
			`It is ${value}, as spreadsheets count days. Format its column as a date, or as text like 2026-01-31.`,
		]),
	])('says for %s how to write a date', (value, description) => {
		expect(() => toUtcIso('Since', value, 'UTC')).toThrow(
			expect.objectContaining({ description }) as Error,
		);
	});

	const anyMs = fc.integer({ min: 1e11, max: Date.UTC(2100, 0, 1) });
	const anyZone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');

	it('keeps any point in time, in whatever form and zone', () => {
		fc.assert(
			fc.property(anyMs, anyZone, (ms, zone) => {
				const iso = new Date(ms).toISOString();
				for (const form of [iso, new Date(ms), ms, luxonLike(ms)])
					expect(toUtcIso('Since', form, zone)).toBe(iso);
			}),
		);
	});

	it('reads a wall-clock time as the zone’s own clock shows it', () => {
		fc.assert(
			fc.property(anyMs, anyZone, (ms, zone) => {
				const wholeMs = Math.floor(ms / 1000) * 1000;
				const shown = new Date(wholeMs).toLocaleString('sv-SE', { timeZone: zone });
				const read = Date.parse(toUtcIso('Since', shown, zone));
				// If the clock shows an hour twice, either is right.
				expect(new Date(read).toLocaleString('sv-SE', { timeZone: zone })).toBe(shown);
			}),
		);
	});
});

describe('a time without a zone', () => {
	it.each(['Pacific', 'DEFAULT', ''])(
		'is refused if the workflow’s zone is invalid: %j',
		(zone) => {
			for (const value of ['2026-01-31', ' 2026-01-31 '])
				expect(() => toUtcIso('Since', value, zone)).toThrow(
					`'Since' has no time zone, and that of the workflow, “${zone}”, is none`,
				);
			expect(() => toUtcIso('Since', '2026-01-31', zone)).toThrow(
				expect.objectContaining({
					description:
						'Choose a timezone in the workflow’s settings, or write the time like 2026-01-31T22:00:00Z.',
				}) as Error,
			);
			expect(toUtcIso('Since', '2026-01-31T22:00:00Z', zone)).toBe('2026-01-31T22:00:00.000Z');
		},
	);
});

it('a time is shown as the clocks of a zone show it', () => {
	const atMs = Date.UTC(2026, 1, 3, 15, 45);
	expect(localTime(atMs, 'Europe/Berlin')).toBe('2026-02-03 16:45:00');
	expect(localTime(atMs, 'America/New_York')).toBe('2026-02-03 10:45:00');
});

it.each([
	['0 s', [0]],
	['1 s', [1, 1_000]],
	['120 s', [119_001, 119_999]],
	['2 min', [120_000]],
	['120 min', [7_199_999]],
	['2 h', [7_200_000]],
	['48 h', [172_799_999]],
	['2 days', [172_800_000]],
	['3 days', [172_800_001, 259_200_000]],
])('a time in words is %s for each of %j ms', (words, times) => {
	expect(times.map(inWords)).toEqual(times.map(() => words));
});
