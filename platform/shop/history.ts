import { iso } from './clock';
import { add, type Fields, type Written } from './writing';
import type { Collection } from './collection';
import type { Shop } from './shop';

/** Kinds of records that can be written with any time. */
export type DatedKind = Written | 'inventory';

export interface DatedWrite {
	/** The record to change; if absent, a new one is created. Inventory: `"<sku>@<location_id>"`. */
	id?: string;
	fields?: Fields;
	/** ISO 8601; now, if absent. May be earlier than changes that clients have seen already. */
	updatedAt?: string;
}

/** @throws RangeError for a text that is not a time */
function timeOf(shop: Shop, updatedAt: string | undefined): number {
	const at = updatedAt === undefined ? shop.clock.now() : Date.parse(updatedAt);
	if (Number.isNaN(at)) throw new RangeError(`${updatedAt} is no time`);
	return at;
}

/**
 * Writes a record with any `updated_at`. Emits no event.
 *
 * @throws RangeError for an unknown kind or record, or an invalid time
 */
export function writeRecord(
	shop: Shop,
	kind: DatedKind,
	{ id, fields = {}, updatedAt }: DatedWrite = {},
): { id: string; updated_at: string } {
	const at = timeOf(shop, updatedAt);
	const updated_at = iso(at);
	if (id === undefined) {
		if (kind === 'inventory') throw new RangeError('A write to inventory names its record');
		return {
			id: add(shop, kind, { ...(kind === 'products' && { title: 'Late' }), ...fields }, at).id,
			updated_at,
		};
	}
	const { index } = shop.find(kind, id);
	const records = shop.collection(kind) as unknown as Collection<Fields>;
	records.replace(index, (old) => ({ ...old, ...fields, updated_at }), at);
	return { id, updated_at };
}

/**
 * Sets the same `updated_at` on the first `count` records of a kind.
 *
 * @throws RangeError for an unknown kind or an invalid time
 */
export function touch(
	shop: Shop,
	kind: DatedKind,
	{ count, updatedAt }: { count?: number; updatedAt?: string } = {},
): { count: number; updated_at: string } {
	const at = timeOf(shop, updatedAt);
	const updated_at = iso(at);
	const records = shop.collection(kind) as unknown as Collection<Fields>;
	const entries = [...records.entries({ order: 'created', descending: false })].slice(0, count);
	for (const { index } of entries) records.replace(index, (old) => ({ ...old, updated_at }), at);
	return { count: entries.length, updated_at };
}
