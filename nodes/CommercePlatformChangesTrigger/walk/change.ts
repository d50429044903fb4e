import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

/** What tells one version of a record from the next one. */
export interface Version {
	/** The record's `updated_at`, Unix ms; 0 if it has none. */
	timeMs: number;
	/** Hash of the content. */
	content: string;
}

/** The version of each record that was emitted last, by the record's key. */
export type Versions = ReadonlyMap<string, Version>;

/** A record that a page holds, with its version. */
export interface Change extends Version {
	record: IDataObject;
	id: string;
	/** Hash of the ID. The version is remembered under it. */
	key: string;
}

/** What tells the records of a list apart, and the versions of a record. */
export interface Identity {
	/** The fields that name a record, e.g. `['sku', 'location_id']`. */
	idFields: readonly string[];
	/** The fields that make a version, if those are not `updated_at` and the whole record; none for an event. */
	versionFields?: readonly string[];
}

/**
 * Characters of 6 bits each, 42 bits together. A new record has the key of one of 10,000 others once in 440 million
 * times.
 */
export const KEY_LENGTH = 7;
/** 30 bits: two contents of one record have the same hash once in a thousand million times. */
export const CONTENT_LENGTH = 5;

/** The last time that fits into 42 bits, in the year 2109. Unix ms. */
export const LAST_TIME_MS = 2 ** 42 - 1;

/** Reads a record of a list, an event or a stock level. */
export function readChange(record: IDataObject, { idFields, versionFields }: Identity): Change {
	const values = idFields.map((field) => record[field]);
	const isNamed = values.every((value) => ['string', 'number'].includes(typeof value));
	const content = hash(canonicalJson(versionFields ? pick(record, versionFields) : record));
	const id = isNamed ? values.join('@') : `#${hash(canonicalJson(record))}`;
	const updatedAt = versionFields ? undefined : updatedAtOf(record);
	const timeMs = Math.min(LAST_TIME_MS, readTimeMs(updatedAt) ?? 0);
	return {
		record,
		id,
		key: hash(id).slice(0, KEY_LENGTH),
		timeMs,
		content: content.slice(0, CONTENT_LENGTH),
	};
}

/**
 * Whether a record has changed since a version of it was emitted.
 * - A later time is a change.
 * - With a time in whole seconds, or without one, other content is a change.
 * - With a time before `sinceMs`, other content is a change: the platform filters by another time than the record
 *   shows.
 * - Otherwise a time with a fraction of a second decides alone: a field that differs at every reading is no change.
 *
 * @param sinceMs the `updated_since` that was asked for, Unix ms
 */
export function isChanged(version: Version, previous: Version, sinceMs: number): boolean {
	if (version.timeMs > previous.timeMs) return true;
	if (version.timeMs % 1000 > 0 && version.timeMs >= sinceMs) return false;
	return version.content !== previous.content;
}

/** A number as text. */
const DIGITS = /^\d{9,16}(?:\.\d{1,9})?$/;

/** A zone at the end of a text. */
const ZONE = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Longer texts are no times; the longest time is `2026-01-31T10:00:00.123456789+00:00`. */
const MAX_LENGTH = 40;

/**
 * Reads a point in time from a record: ISO 8601 with any zone and any fraction, or Unix seconds, ms or µs as a number
 * or text. Without a zone it is UTC (API document, "Conventions").
 *
 * @returns Unix ms; undefined if it is no time
 */
export function readTimeMs(value: unknown): number | undefined {
	if (typeof value === 'number') return unixMs(value);
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
	if (DIGITS.test(value)) return unixMs(Number(value));
	if (!ISO_TIME.test(value)) return undefined;
	// PostgreSQL writes a zone of whole hours without minutes.
	const whole = value.replace(/[+-]\d{2}$/, '$&:00');
	const ms = Date.parse(ZONE.test(whole) ? whole : `${whole}Z`);
	return Number.isNaN(ms) ? undefined : ms;
}

/** Between the years 1973 and 5138, a number that is a time in one unit is none in the other units. ms. */
const isTime = (ms: number): boolean => ms >= 100_000_000_000 && ms < 100_000_000_000_000;

const unixMs = (value: number): number | undefined =>
	[value * 1000, value, value / 1000].map(Math.floor).find(isTime);

/** The API document shows `updated_at` for stock levels only. Platforms have it in more than one place. */
function updatedAtOf(record: IDataObject): unknown {
	const { timestamps } = record;
	const nested = isObject(timestamps) ? [timestamps.updated_at, timestamps.updatedAt] : [];
	const times = [record.updated_at, record.updatedAt, ...nested];
	return times.find((time) => readTimeMs(time) !== undefined);
}

/** The fields with these names. One that the record lacks is left out. */
const pick = (record: IDataObject, fields: readonly string[]): IDataObject =>
	Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with sorted fields, because a platform may write them in another order at the next poll. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_name, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
