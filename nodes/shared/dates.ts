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
	const ms = toEpochMs(value, timezone);
	if (ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) {
		throw new InputError(
			field,
			'is not a date',
			'Use the date picker, or a text like 2026-01-31T22:00:00Z.',
		);
	}
	return new Date(ms).toISOString();
}

function toEpochMs(value: unknown, timezone: string): number | undefined {
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
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// Of other texts Date.parse makes what it likes: 01-02-2026 would be a day of January.
	if (ISO_ZONED.test(text) || HEADER_DATE.test(text)) return Date.parse(text);
	if (DATE_ONLY.test(text)) return zonedMs(`${text}T00:00:00`, timezone);
	return ISO_LOCAL.test(text) ? zonedMs(text.replace(' ', 'T'), timezone) : undefined;
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
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(atMs);
	const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
	const shownMs = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return shownMs - Math.floor(atMs / 1000) * 1000;
}
