import { eventIndex } from '../shop/event';
import { findLevel } from '../shop/stock';
import type { World } from '../api/call';
import type { JsonRecord, RecordKind } from './types';

interface Lookup {
	count(world: World): number;
	find(world: World, id: string): object | undefined;
}

const at = <T>(index: number | undefined, get: (index: number) => T | undefined): T | undefined =>
	index === undefined ? undefined : get(index);

/** Where the control API finds each kind of record. */
const LOOKUPS: Readonly<Record<RecordKind, Lookup>> = {
	products: {
		count: ({ shop }) => shop.products.count,
		find: ({ shop }, id) => at(shop.ids.products.decode(id), (n) => shop.products.get(n)),
	},
	orders: {
		count: ({ shop }) => shop.orders.count,
		find: ({ shop }, id) => at(shop.ids.orders.decode(id), (n) => shop.orders.get(n)),
	},
	customers: {
		count: ({ shop }) => shop.customers.count,
		find: ({ shop }, id) => at(shop.ids.customers.decode(id), (n) => shop.customers.get(n)),
	},
	categories: {
		count: ({ shop }) => shop.categories.count,
		find: ({ shop }, id) => at(shop.ids.categories.decode(id), (n) => shop.categories.get(n)),
	},
	inventory: {
		count: ({ shop }) => shop.levels.count,
		find: ({ shop }, id) => {
			const split = id.lastIndexOf('@');
			const [sku, location] = [id.slice(0, split), id.slice(split + 1)];
			return at(findLevel(shop, sku, location), (n) => shop.levels.get(n));
		},
	},
	events: {
		count: ({ shop }) => shop.events.count,
		find: ({ shop }, id) => at(eventIndex(id), (n) => shop.events.get(n)),
	},
	jobs: {
		count: ({ imports }) => imports.count,
		find: ({ imports }, id) => imports.get(id),
	},
};

function lookupOf(kind: RecordKind): Lookup {
	if (!Object.hasOwn(LOOKUPS, kind)) throw new RangeError(`There are no records of ${kind}`);
	return LOOKUPS[kind];
}

/** @throws RangeError for an unknown kind. */
export const countRecords = (world: World, kind: RecordKind) => ({
	count: lookupOf(kind).count(world),
});

/** @throws RangeError for an unknown kind. */
export const findRecord = (world: World, kind: RecordKind, id: string): JsonRecord | null =>
	(lookupOf(kind).find(world, id) as JsonRecord | undefined) ?? null;
