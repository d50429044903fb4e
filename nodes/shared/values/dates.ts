import { InputError } from '../rest/errors';

/** Year, month, day, time and zone. `Date.parse` reads texts in other forms as it likes. */
const ISO =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,30})?)?)(\s?(?:z|[+-]\d{2}:?\d{2}))?)?$/i;

/**
 * Brings a point in time into the form of the API: ISO 8601 in UTC (API document, "Conventions").
 *
 * @param field display name, for the message
 * @param value what n8n's date picker and expressions give: a text, a Date, a Luxon DateTime, or Unix ms. A text
 *   without a zone is read in `timezone`
 * @param timezone IANA name, e.g. the workflow's
 * @returns e.g. `2026-01-31T22:00:00.000Z`
 * @throws InputError if it is no point in time
 */
export function toUtcIso(field: string, value: unknown, timezone: string): string {
	const isSeconds = typeof value === 'number' && Math.abs(value) < LEAST_MS;
	const written = typeof value === 'string' ? ISO.exec(value.trim()) : null;
	if (written !== null && written[5] === undefined && !isZone(timezone))
		throw new InputError(
			field,
			`has no time zone, and that of the workflow, “${timezone}”, is none`,
			'Choose a timezone in the workflow’s settings, or write the time like 2026-01-31T22:00:00Z.',
		);
	const ms = toEpochMs(value, timezone);
	if (!isSeconds && ms >= EARLIEST_MS && ms <= LATEST_MS)
		return withFraction(new Date(ms).toISOString(), value);
	const isSerial = SERIAL_DAY.test(String(value).trim());
	const remedy = isSerial
		? `It is ${String(value)}, as spreadsheets count days. Format its column as a date, or as text like 2026-01-31.`
		: isSeconds
			? 'A number must be Unix milliseconds, not seconds.'
			: 'Use the date picker, or a text like 2026-01-31T22:00:00Z.';
	throw new InputError(field, 'is not a date', remedy);
}

/** Days since 1900, as spreadsheets count: the years 1954 to 2119. */
const SERIAL_DAY = /^[2-7]\d{4}(?:[.,]\d+)?$/;

/** Unix seconds of today are smaller, Unix ms of any day after March 1973 are larger. */
const LEAST_MS = 1e11;
/** Earlier years come from empty fields of other systems. Later ones have more than four digits. */
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Length of an ISO time up to its seconds. */
const WHOLE_SECONDS = '2026-01-31T22:00:00'.length;

/** Seconds may have more decimals than a JavaScript date holds. They are sent as they were entered. */
function withFraction(iso: string, value: unknown): string {
	const digits = /:\d{2}\.(\d{4,})/.exec(String(value))?.[1];
	return digits === undefined ? iso : `${iso.slice(0, WHOLE_SECONDS)}.${digits}Z`;
}

/** @returns NaN if it is no point in time */
function toEpochMs(value: unknown, timezone: string): number {
	if (value instanceof Date) return value.getTime();
	if (typeof value === 'number') return value;
	if (typeof value === 'string') return textMs(value.trim(), timezone);
	const { toMillis } = Object(value) as { toMillis?: unknown };
	return typeof toMillis === 'function' ? Number(toMillis.call(value)) : Number.NaN;
}

function textMs(text: string, timezone: string): number {
	const [, year, month, day, time = '00:00', zone] = ISO.exec(text) ?? [];
	if (!isDayOfCalendar(year, Number(month), day)) return Number.NaN;
	return zone === undefined
		? zonedMs(`${year}-${month}-${day}T${time}`, timezone)
		: Date.parse(text);
}

/** False for a day like 31 February, which `Date.parse` turns into a day of March. */
const isDayOfCalendar = (year: string, month: number, day: string): boolean =>
	Number(day) <= new Date(Date.UTC(Number(year), month, 0)).getUTCDate();

/**
 * Reads a wall-clock time of a zone, with the zone's offsets of the days around it. When summer time ends, some times
 * come twice: the earlier one counts, so that nothing since then is left out.
 */
function zonedMs(local: string, timezone: string): number {
	const asUtcMs = Date.parse(`${local}Z`);
	if (Number.isNaN(asUtcMs)) return Number.NaN;
	const [before, after] = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((ms) => offsetMs(ms, timezone));
	const earliestMs = asUtcMs - Math.max(before, after);
	if (asUtcMs - earliestMs === offsetMs(earliestMs, timezone)) return earliestMs;
	// When clocks are put forward, they skip some times. Such a time is read as if they were not.
	return asUtcMs - Math.min(before, after);
}

/** ms. */
export const DAY_MS = 86_400_000;

/** Whether a text names a time zone; n8n's settings can hold any text. */
export function isZone(timezone: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone: timezone });
		return true;
	} catch {
		return false;
	}
}

/** A time as clocks of a zone show it, e.g. `2026-02-03 16:45:00`. That is the Swedish format. */
export const localTime = (atMs: number, timezone: string): string =>
	new Date(atMs).toLocaleString('sv-SE', { timeZone: timezone });

const offsetMs = (atMs: number, timezone: string): number =>
	Date.parse(`${localTime(atMs, timezone)}Z`) - Math.floor(atMs / 1000) * 1000;

/** Units of time, the largest first, in ms. */
const UNITS: Array<[string, number]> = [
	['days', DAY_MS],
	['h', 3_600_000],
	['min', 60_000],
];

/**
 * A time in words, rounded up, in the largest unit that gives at least 2: `90 s` or `5 h`.
 *
 * @param ms at least 0
 */
export function inWords(ms: number): string {
	const [unit, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? ['s', 1_000];
	return `${Math.ceil(ms / unitMs)} ${unit}`;
}
