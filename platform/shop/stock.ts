import { iso } from './clock';
import { levelIndex, type Level } from './inventory';
import { parseSku } from './product';
import { invalid, notFound, Refusal } from './refusal';
import { LOCATIONS } from './words';
import type { Shop } from './shop';

/** Indices of the products that have a SKU: the generated one, and one that a write gave the SKU. */
export function findBySku(shop: Shop, sku: string): number[] {
	const indices = new Set([parseSku(sku)?.product, shop.writtenSkus.get(sku)]);
	const hasSku = (index: number) =>
		shop.records.products.get(index)?.variants.some((variant) => variant.sku === sku) === true;
	return [...indices].filter((index): index is number => index !== undefined && hasSku(index));
}

/** Conditions that a level must meet before it is written (Endpoints, Inventory). */
export interface Precondition {
	/** The If-Match header as it was sent. */
	ifMatch?: string;
	/** Whether an `updated_at` that equals the level's is stale too. */
	isEqualStale?: boolean;
}

type LevelPlace = Pick<Level, 'sku' | 'location_id'>;

const levelKey = (sku: string, locationId: string) => `${sku}@${locationId}`;

/** Index of the level of a SKU at a location, if there is one. */
export function findLevel(shop: Shop, sku: string, locationId: string): number | undefined {
	const generated = levelIndex(sku, locationId);
	if (generated !== undefined && shop.records.inventory.get(generated)?.sku === sku)
		return generated;
	return shop.writtenLevels.get(levelKey(sku, locationId));
}

/**
 * Sets an absolute quantity.
 *
 * @throws Refusal CONFLICT if `updated_at` is older than the level's, or If-Match names another version; NOT_FOUND for
 *   a SKU that no product has; INVALID_PARAMETER for a quantity below zero
 */
export function setLevel(
	shop: Shop,
	wanted: LevelPlace & { quantity: number; updated_at: string },
	precondition: Precondition = {},
) {
	const { index, current } = levelToWrite(shop, wanted, precondition);
	const [wantedMs, currentMs] = [Date.parse(wanted.updated_at), Date.parse(current.updated_at)];
	const isStale =
		wantedMs < currentMs || (precondition.isEqualStale === true && wantedMs === currentMs);
	if (current.version > 0 && isStale) {
		const { updated_at } = current;
		throw new Refusal('CONFLICT', `${wanted.updated_at} is older than the level's ${updated_at}`);
	}
	return write(shop, index, wanted.quantity, wantedMs);
}

/** Adds `delta` to a quantity. @throws Refusal as `setLevel` does. */
export function adjustLevel(
	shop: Shop,
	wanted: LevelPlace & { delta: number },
	precondition: Precondition = {},
) {
	const { index, current } = levelToWrite(shop, wanted, precondition);
	const at = Math.max(shop.clock.now(), Date.parse(current.updated_at));
	return write(shop, index, current.quantity + wanted.delta, at);
}

/** Gives a SKU empty levels at every location. */
export function openLevels(shop: Shop, sku: string): void {
	for (const location of LOCATIONS) {
		if (findLevel(shop, sku, location) === undefined) addLevel(shop, sku, location);
	}
}

/** Removes the levels of a SKU. */
export function closeLevels(shop: Shop, sku: string): void {
	for (const location of LOCATIONS) {
		const index = findLevel(shop, sku, location);
		if (index !== undefined) shop.records.inventory.remove(index);
		shop.writtenLevels.delete(levelKey(sku, location));
	}
}

function levelToWrite(shop: Shop, { sku, location_id }: LevelPlace, { ifMatch }: Precondition) {
	if (!(LOCATIONS as readonly string[]).includes(location_id)) {
		throw notFound(`location ${location_id}`);
	}
	if (findBySku(shop, sku).length === 0) throw notFound(`SKU ${sku}`);
	const index = findLevel(shop, sku, location_id) ?? addLevel(shop, sku, location_id);
	const current = shop.records.inventory.get(index)!;
	const wantedVersion = ifMatch?.replace(/^W\//, '').replaceAll('"', '') ?? '*';
	if (wantedVersion !== '*' && wantedVersion !== String(current.version)) {
		throw new Refusal('CONFLICT', `If-Match ${ifMatch} is not version ${current.version}`);
	}
	return { index, current };
}

function addLevel(shop: Shop, sku: string, location_id: string): number {
	const key = levelKey(sku, location_id);
	shop.records.inventory.add((index, at) => {
		shop.writtenLevels.set(key, index);
		return { sku, location_id, quantity: 0, updated_at: iso(at), version: 0 };
	});
	return shop.writtenLevels.get(key)!;
}

function write(shop: Shop, index: number, quantity: number, at: number) {
	if (quantity < 0) throw invalid(`quantity must not be negative: ${quantity}`);
	const updated_at = iso(at);
	const level = shop.records.inventory.replace(index, (old) => ({
		...old,
		quantity,
		updated_at,
		version: old.version + 1,
	}));
	const { sku, location_id } = level;
	const deliveryIds = shop.emit('inventory.changed', { sku, location_id, quantity, updated_at });
	return { level, deliveryIds };
}
