import type { Running } from '../running';
import type { ShopKind } from '../shop/shop';
import type { Fields } from '../shop/writing';

export type RecordKind = ShopKind | 'jobs';

/** The most records that a filter reads: a shop can have a million. */
const MAX_SCANNED = 20_000;
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 500;
const SHOWN_KEY_CHARACTERS = 4;

/** @throws RangeError for an unknown kind. */
export const countRecords = ({ shop, imports }: Running['world'], kind: RecordKind) => ({
	count: kind === 'jobs' ? imports.jobs.size : shop.collection(kind).count,
});

/** One record, or `null`. */
export const findRecord = ({ shop, imports }: Running['world'], kind: RecordKind, id: string) =>
	((kind === 'jobs' ? imports.jobs.get(id) : shop.get(kind, id)) as Fields | undefined) ?? null;

export interface ListFilter {
	kind: ShopKind;
	/** 25 if absent, 500 at most. */
	limit?: number;
	/** Only records in this state. */
	status?: string;
	/** Only records that contain this text. */
	q?: string;
}

/**
 * The newest records of a kind; stock in the order of the products. `hasMore`: there are more than `limit`. A filter
 * reads 20,000 records at most; `isPartial`: there were more.
 *
 * @throws RangeError for an unknown kind
 */
export function listRecords({ shop }: Running['world'], filter: ListFilter) {
	const { kind, status, q = '' } = filter;
	const limit = Math.min(MAX_LIMIT, Math.max(1, filter.limit ?? DEFAULT_LIMIT));
	const searched = q.trim().toLowerCase();
	const records: Fields[] = [];
	let scanned = 0;
	const range = { order: 'created', descending: kind !== 'inventory' } as const;
	for (const { value } of shop.collection(kind).entries(range)) {
		const record = value as unknown as Fields;
		if (records.length === limit) return { records, hasMore: true, isPartial: false };
		if (++scanned > MAX_SCANNED) return { records, hasMore: false, isPartial: true };
		if (status !== undefined && record.status !== status) continue;
		if (searched !== '' && !JSON.stringify(record).toLowerCase().includes(searched)) continue;
		records.push(record);
	}
	return { records, hasMore: false, isPartial: false };
}

/** What remains of every key's budget; looking does not count as a request. Keys are never shown in full. */
export const budgetsOfKeys = ({ keys, limiter, world }: Running) =>
	keys.all().map((key) => ({
		id: key.id,
		name: key.name,
		key: `cpk_…${key.secret.slice(-SHOWN_KEY_CHARACTERS)}`,
		plan: key.plan ?? world.settings.plan,
		...limiter.look(key, world.settings, Date.now() + world.settings.clockOffsetMs),
	}));
