import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isObject, pick } from '../../shared/values/json';

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

/** Reads a record of a list, an event or a stock level. */
export function readChange(record: IDataObject, { idFields, versionFields }: Identity): Change {
	const values = idFields.map((field) => record[field]);
	const isNamed = values.every((value) => ['string', 'number'].includes(typeof value));
	const content = hash(canonicalJson(versionFields ? pick(record, versionFields) : record));
	const id = isNamed ? values.join('@') : `#${hash(canonicalJson(record))}`;
	const timeMs = versionFields ? 0 : Math.max(0, readTimeMs(record.updated_at) ?? 0);
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
 * - A time with a fraction of a second decides alone: a field that differs at every reading is no change.
 */
export function isChanged(version: Version, previous: Version): boolean {
	if (version.timeMs > previous.timeMs) return true;
	if (version.timeMs % 1000 > 0) return false;
	return version.content !== previous.content;
}

/** ISO 8601 with a zone (API document, "Conventions"). */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[\d:.]{0,20}(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * Reads a point in time from a record.
 *
 * @returns Unix ms; undefined if it is no time
 */
export function readTimeMs(value: unknown): number | undefined {
	const ms = typeof value === 'string' && ISO_TIME.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? undefined : ms;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with sorted fields, because a platform may write them in another order at the next poll. */
function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_name, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
