import type { ApiKey } from '../api/keys';
import type { Running } from '../running';
import type { Range } from '../shop/collection';
import type { JsonRecord, KeyBudget, ListedRecords, ListFilter } from './types';

/** Records that one look may cost; a shop can have a million. */
const MAX_SCANNED = 20_000;
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 500;
const SHOWN_OF_KEY = 4;

type Shop = Running['world']['shop'];

/** What the shop's side sees of records, keys and budgets, for whoever looks at it. */
const LISTS = {
	orders: ({ orders }: Shop, range: Range) => orders.entries(range),
	products: ({ products }: Shop, range: Range) => products.entries(range),
	customers: ({ customers }: Shop, range: Range) => customers.entries(range),
	inventory: ({ levels }: Shop, range: Range) => levels.entries(range),
} as const;

/**
 * The newest records of a kind; stock in the order of the products. A filter looks at 20,000 records at
 * most, and `isPartial` says that there were more.
 *
 * @throws RangeError for a kind that has no list.
 */
export function listRecords(shop: Shop, filter: ListFilter): ListedRecords {
	const { kind, status, q = '' } = filter;
	if (!Object.hasOwn(LISTS, kind)) throw new RangeError(`There is no list of ${kind}`);
	const limit = Math.min(MAX_LIMIT, Math.max(1, filter.limit ?? DEFAULT_LIMIT));
	const words = q.trim().toLowerCase();
	const records: JsonRecord[] = [];
	let scanned = 0;
	for (const { value } of LISTS[kind](shop, {
		order: 'created',
		descending: kind !== 'inventory',
	})) {
		if (records.length === limit) return { records, hasMore: true, isPartial: false };
		if (++scanned > MAX_SCANNED) return { records, hasMore: false, isPartial: true };
		if (status !== undefined && value.status !== status) continue;
		if (words !== '' && !JSON.stringify(value).toLowerCase().includes(words)) continue;
		records.push(value as JsonRecord);
	}
	return { records, hasMore: false, isPartial: false };
}

/** What every key has left, without counting this look. Keys are never shown in full. */
export const budgetsOfKeys = ({ keys, limiter, world }: Running): KeyBudget[] =>
	keys.all().map((key) => ({
		id: key.id,
		name: key.name,
		key: masked(key),
		plan: key.plan ?? world.settings.plan,
		...limiter.look(key, world.settings, Date.now() + world.settings.clockOffsetMs),
	}));

const masked = ({ secret }: ApiKey): string => `cpk_…${secret.slice(-SHOWN_OF_KEY)}`;
