import type { Running } from '../running';
import type { Shop, ShopRecords } from '../shop/shop';
import type { JsonRecord, KeyBudget, ListedRecords, ListFilter, RecordKind } from './types';

/** Records that one look may cost; a shop can have a million. */
const MAX_SCANNED = 20_000;
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 500;
const SHOWN_OF_KEY = 4;

const LISTED: readonly string[] = ['orders', 'products', 'customers', 'inventory'];
const FOUND: readonly string[] = [...LISTED, 'categories', 'events'];

/** @throws RangeError for an unknown kind. */
export function countRecords({ shop, imports }: Running['world'], kind: RecordKind) {
	if (kind === 'jobs') return { count: imports.count };
	requireKind(FOUND, kind, 'There are no records');
	return { count: shop.collection(kind).count };
}

/** @throws RangeError for an unknown kind. */
export function findRecord(
	{ shop, imports }: Running['world'],
	kind: RecordKind,
	id: string,
): JsonRecord | null {
	if (kind !== 'jobs') requireKind(FOUND, kind, 'There are no records');
	const found = kind === 'jobs' ? imports.get(id) : shop.get(kind, id);
	return (found as JsonRecord | undefined) ?? null;
}

function requireKind(kinds: readonly string[], kind: string, what: string): void {
	if (!kinds.includes(kind)) throw new RangeError(`${what} of ${kind}`);
}

/**
 * The newest records of a kind; stock in the order of the products. A filter looks at 20,000 records at
 * most, and `isPartial` says that there were more.
 *
 * @throws RangeError for a kind that has no list.
 */
export function listRecords(shop: Shop, filter: ListFilter): ListedRecords {
	const { kind, status, q = '' } = filter;
	requireKind(LISTED, kind, 'There is no list');
	const limit = Math.min(MAX_LIMIT, Math.max(1, filter.limit ?? DEFAULT_LIMIT));
	const words = q.trim().toLowerCase();
	const records: JsonRecord[] = [];
	let scanned = 0;
	const range = { order: 'created', descending: kind !== 'inventory' } as const;
	for (const { value } of shop.collection<keyof ShopRecords>(kind).entries(range)) {
		const record = value as JsonRecord & object;
		if (records.length === limit) return { records, hasMore: true, isPartial: false };
		if (++scanned > MAX_SCANNED) return { records, hasMore: false, isPartial: true };
		if (status !== undefined && record.status !== status) continue;
		if (words !== '' && !JSON.stringify(record).toLowerCase().includes(words)) continue;
		records.push(record);
	}
	return { records, hasMore: false, isPartial: false };
}

/** What every key has left, without counting this look. Keys are never shown in full. */
export const budgetsOfKeys = ({ keys, limiter, world }: Running): KeyBudget[] =>
	keys.all().map((key) => ({
		id: key.id,
		name: key.name,
		key: `cpk_…${key.secret.slice(-SHOWN_OF_KEY)}`,
		plan: key.plan ?? world.settings.plan,
		...limiter.look(key, world.settings, Date.now() + world.settings.clockOffsetMs),
	}));
