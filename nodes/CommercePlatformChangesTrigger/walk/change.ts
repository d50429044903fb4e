import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

/** What tells one version of a record from the next one. */
export interface Version {
	/** The record's `updated_at`, Unix ms; 0 where it has none. */
	timeMs: number;
	/** Hash of the content. */
	content: string;
}

/** The version of each record that was given last, by the record's key. */
export type Versions = ReadonlyMap<string, Version>;

/** A record as a page brought it. */
export interface Change extends Version {
	record: IDataObject;
	id: string;
	/** Hash of the ID, under which its version is remembered. */
	key: string;
	/** Its time where the list can be asked for by it, Unix ms, else 0: a time without a zone may be a local one. */
	listMs: number;
}

/** How the records of a list, and the versions of a record, are told apart. */
export interface Identity {
	/** The fields that name a record, e.g. `['sku', 'location_id']`. */
	idFields: readonly string[];
	/** The fields that make a version, where that is not `updated_at` and the whole record; none for an event. */
	versionFields?: readonly string[];
}

/** Characters of 6 bits each. 42 bits: a new record meets one of 10,000 others once in 440 million times. */
export const KEY_LENGTH = 7;
/** 30 bits: two contents of one record look the same once in a thousand million times. */
export const CONTENT_LENGTH = 5;

/** Times of 42 bits, until the year 2109. Unix ms. */
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
		listMs: hasZone(updatedAt) ? timeMs : 0,
		content: content.slice(0, CONTENT_LENGTH),
	};
}

/** A record that is dated later than the clock by more than this is misdated. ms. */
const MISDATED_MS = 86_400_000;

/**
 * Whether a record has changed since it was given last. A later time says so. Within whole seconds, and without a
 * time, another content does; so it does where a record that is dated before the lower bound is in the list all the same,
 * because then the platform goes by another time than the record shows. A time with a fraction decides alone: a field
 * that differs at every reading is no change.
 *
 * @param sinceMs the `updated_since` that was asked for, Unix ms
 * @param nowMs the clock, Unix ms
 */
export function isChanged(now: Version, last: Version, sinceMs: number, nowMs: number): boolean {
	if (now.timeMs > last.timeMs) return true;
	// The time was corrected.
	if (now.timeMs < last.timeMs && last.timeMs > nowMs + MISDATED_MS) return true;
	if (now.timeMs % 1000 > 0 && now.timeMs >= sinceMs) return false;
	return now.content !== last.content;
}

/** A number as text. */
const DIGITS = /^\d{9,16}(?:\.\d{1,9})?$/;

/** At the end of a text. */
const ZONE = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** The longest of the texts that are read: `2026-01-31T10:00:00.123456789+00:00`. */
const MAX_LENGTH = 40;

/**
 * Reads a point in time of a record: ISO 8601 with any zone and any fraction, or Unix seconds, ms or µs, also as
 * text. Without a zone it is UTC (API document, "Conventions").
 *
 * @returns Unix ms; undefined if it is no time
 */
export function readTimeMs(value: unknown): number | undefined {
	if (typeof value === 'number') return unixMs(value);
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
	if (DIGITS.test(value)) return unixMs(Number(value));
	if (!ISO_TIME.test(value)) return undefined;
	// As PostgreSQL writes a zone of whole hours.
	const whole = value.replace(/[+-]\d{2}$/, '$&:00');
	const ms = Date.parse(ZONE.test(whole) ? whole : `${whole}Z`);
	return Number.isNaN(ms) ? undefined : ms;
}

/** Whether a point in time is the same everywhere. */
const hasZone = (value: unknown): boolean =>
	typeof value !== 'string' || DIGITS.test(value) || ZONE.test(value);

/** From 1973 to 5138 no number in one unit is a time of those years in another. ms. */
const isTime = (ms: number): boolean => ms >= 100_000_000_000 && ms < 100_000_000_000_000;

const unixMs = (value: number): number | undefined =>
	[value * 1000, value, value / 1000].map(Math.floor).find(isTime);

/** The API document shows the field for stock levels only; platforms have it in more than one place. */
function updatedAtOf(record: IDataObject): unknown {
	const { timestamps } = record;
	const nested = isObject(timestamps) ? [timestamps.updated_at, timestamps.updatedAt] : [];
	const times = [record.updated_at, record.updatedAt, ...nested];
	return times.find((time) => readTimeMs(time) !== undefined);
}

/** Fields that the record lacks are left out. */
const pick = (record: IDataObject, fields: readonly string[]): IDataObject =>
	Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with the fields in one order: a platform may write them in another one at the next poll. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_name, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
