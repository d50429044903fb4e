import { InputError } from './input/inputError';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_ZONED =
	/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:z|[+-]\d{2}:?\d{2})$/i;
/** As in e-mail and HTTP headers: `Sat, 31 Jan 2026 22:00:00 GMT`. */
const HEADER_DATE =
	/^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:gmt|utc|z|[+-]\d{4})$/i;
const ISO_LOCAL = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/**
 * Brings a point in time into the form that the API takes: ISO 8601 in UTC (API document, "Conventions").
 *
 * @param field display name, for the message
 * @param value what n8n's date picker and expressions give: a text, a Date, a Luxon DateTime, or Unix ms.
 *   A text without a zone is read in `timezone`
 * @param timezone IANA name, e.g. the workflow's
 * @returns e.g. `2026-01-31T22:00:00.000Z`
 * @throws InputError when it is no point in time
 */
export function toUtcIso(field: string, value: unknown, timezone: string): string {
	if (typeof value === 'number' && Math.abs(value) < LEAST_MS) {
		throw new InputError(
			field,
			'is not a date',
			'A number must be Unix milliseconds, not seconds.',
		);
	}
	const ms = toEpochMs(value, timezone);
	if (!(ms >= EARLIEST_MS && ms <= LATEST_MS)) {
		throw new InputError(
			field,
			'is not a date',
			'Use the date picker, or a text like 2026-01-31T22:00:00Z.',
		);
	}
	return withFraction(new Date(ms).toISOString(), value);
}

/** Unix seconds of today are smaller, Unix ms of any day after March 1973 are larger. */
const LEAST_MS = 1e11;
/** Earlier years come from empty fields of other systems, later ones have more than four digits. */
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Length of an ISO time up to its seconds. */
const WHOLE_SECONDS = '2026-01-31T22:00:00'.length;

/** Seconds may have more digits than a JavaScript date holds; they are sent as they were entered. */
function withFraction(iso: string, value: unknown): string {
	const digits = /:\d{2}\.(\d{4,})/.exec(String(value))?.[1];
	return digits === undefined ? iso : `${iso.slice(0, WHOLE_SECONDS)}.${digits}Z`;
}

/** @returns NaN for what is no point in time */
function toEpochMs(value: unknown, timezone: string): number {
	if (value instanceof Date) return value.getTime();
	if (typeof value === 'number') return value;
	if (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		typeof value.toMillis === 'function'
	) {
		return Number(value.toMillis());
	}
	const text = typeof value === 'string' ? value.trim() : '';
	if (!isDayOfCalendar(text)) return Number.NaN;
	// Of other texts Date.parse makes what it likes: 01-02-2026 would be a day of January.
	if (ISO_ZONED.test(text) || HEADER_DATE.test(text)) return Date.parse(text);
	if (DATE_ONLY.test(text)) return zonedMs(`${text}T00:00:00`, timezone);
	return ISO_LOCAL.test(text) ? zonedMs(text.replace(' ', 'T'), timezone) : Number.NaN;
}

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})/;
const HEADER_DAY = /^(?:[a-z]{3}, )?(\d{1,2}) ([a-z]{3}) (\d{4})/i;

/** False for a day like 31 February, of which `Date.parse` makes a day of March. */
function isDayOfCalendar(text: string): boolean {
	const [year, month, day] = ISO_DAY.exec(text)?.slice(1).map(Number) ?? headerDayOf(text);
	return day <= lastDayOf(year, month);
}

/** Year, month and day; NaN where there is none. */
function headerDayOf(text: string): number[] {
	const [, day, name, year] = HEADER_DAY.exec(text) ?? [];
	const month = new Date(Date.parse(`1 ${name} 2000 00:00 GMT`)).getUTCMonth() + 1;
	return [Number(year), month, Number(day)];
}

function lastDayOf(year: number, month: number): number {
	return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Reads a wall-clock time of a zone: guess UTC, look what the zone shows then, correct by the difference. */
function zonedMs(local: string, timezone: string): number {
	const asUtcMs = Date.parse(`${local}Z`);
	if (Number.isNaN(asUtcMs)) return Number.NaN;
	const first = asUtcMs - offsetMs(asUtcMs, timezone);
	// Around a change of summer time the first guess can be an hour off.
	return asUtcMs - offsetMs(first, timezone);
}

function offsetMs(atMs: number, timezone: string): number {
	const shown = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(atMs);
	const { year, month, day, hour, minute, second } = Object.fromEntries(
		shown.map(({ type, value }) => [type, Number(value)]),
	);
	const shownMs = Date.UTC(year, month - 1, day, hour, minute, second);
	return shownMs - Math.floor(atMs / 1000) * 1000;
}
