import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

/** One version of one record, as a page brought it. */
export interface Change {
	record: IDataObject;
	id: string;
	/** `updated_at` as the platform wrote it; undefined where the record has none. */
	updatedAt?: string;
	/** Tells this version from every other version of every record. */
	key: string;
	/** When the record changed, Unix ms; where it does not say so, when it was read. */
	atMs: number;
}

/** How the records of a list are told apart. */
export interface Identity {
	/** Their fields, e.g. `['sku', 'location_id']`. */
	idFields: readonly string[];
	/** True for records that never change, such as events. */
	immutable?: true;
}

/** Characters of a key: 72 bits, so that 20,000 of them never meet. */
export const KEY_LENGTH = 12;
/** Of them those that tell the record; the others tell the version, and both the one from those of other records. */
const RECORD_LENGTH = 6;

/**
 * Reads a record as a version. The content counts as well as `updated_at`: on a platform with whole seconds
 * a record can change twice within one `updated_at`.
 *
 * @param readAtMs the platform's time when the record was read, Unix ms
 */
export function readChange(record: IDataObject, identity: Identity, readAtMs: number): Change {
	const content = identity.immutable ? '' : canonicalJson(record);
	const name = idOf(record, identity);
	const id = name ?? `#${digest(content || canonicalJson(record))}`;
	const version = digest(`${id}\n${content}`);
	const key = name === undefined ? id : digest(id).slice(0, RECORD_LENGTH) + version;
	const updatedAt = identity.immutable ? undefined : updatedAtOf(record);
	const atMs = readTimeMs(updatedAt) ?? readAtMs;
	return { record, id, updatedAt, key: key.slice(0, KEY_LENGTH), atMs };
}

/**
 * A key for a version that a person can read: id, `updated_at`, and the first digits of the content's hash.
 *
 * @returns e.g. `ord_1001@2026-01-31T22:00:00Z#3fa9c1`
 */
export function changeKeyOf({ id, updatedAt, key }: Change): string {
	return `${id}${updatedAt === undefined ? '' : `@${updatedAt}`}#${key.slice(RECORD_LENGTH)}`;
}

/** A number as text. */
const DIGITS = /^\d{9,16}(?:\.\d{1,9})?$/;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** The longest of the texts that are read: `2026-01-31T10:00:00.123456789+00:00`. */
const MAX_LENGTH = 40;

/**
 * Reads a point in time of a record: ISO 8601 with any zone and any fraction, or Unix seconds, ms or µs, also as
 * text. Without a zone it is UTC (API document, "Conventions").
 *
 * @returns Unix ms; undefined where it is no time
 */
export function readTimeMs(value: unknown): number | undefined {
	if (typeof value === 'number') return unixMs(value);
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
	if (DIGITS.test(value)) return unixMs(Number(value));
	if (!ISO_TIME.test(value)) return undefined;
	// As PostgreSQL writes a zone of whole hours.
	const whole = value.replace(/[+-]\d{2}$/, '$&:00');
	const ms = Date.parse(/(?:z|[+-]\d{2}:?\d{2})$/i.test(whole) ? whole : `${whole}Z`);
	return Number.isNaN(ms) ? undefined : ms;
}

/** From 1973 to 5138 no number in one unit is a time of those years in another. ms. */
const isTime = (ms: number): boolean => ms >= 100_000_000_000 && ms < 100_000_000_000_000;

const unixMs = (value: number): number | undefined =>
	[value * 1000, value, value / 1000].map(Math.floor).find(isTime);

/** The API document shows the field for stock levels only; platforms have it in more than one place. */
function updatedAtOf(record: IDataObject): string | undefined {
	const { timestamps } = record;
	const nested = isObject(timestamps) ? [timestamps.updated_at, timestamps.updatedAt] : [];
	const found = [record.updated_at, record.updatedAt, ...nested].find(
		(value) => readTimeMs(value) !== undefined,
	);
	return found === undefined ? undefined : String(found);
}

function idOf(record: IDataObject, { idFields }: Identity): string | undefined {
	const values = idFields.map((field) => record[field]);
	const usable = values.every((value) => typeof value === 'string' || typeof value === 'number');
	return usable ? values.join('@') : undefined;
}

const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);

/** JSON with the fields in one order: a platform may write them in another one at the next poll. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_name, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
