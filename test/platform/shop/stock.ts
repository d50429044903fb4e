import { levelIndex, type Level } from './inventory';
import { invalid, notFound, Refusal } from './refusal';
import { findBySku } from './skus';
import { iso } from './clock';
import { LOCATIONS } from './words';
import type { Shop } from './shop';

/** What a level is compared with before it is written (Endpoints, Inventory). */
export interface Precondition {
	/** If-Match as it was sent. */
	ifMatch?: string;
	/** Whether the same `updated_at` as the level's is stale too. */
	isEqualStale?: boolean;
}

const levelKey = (sku: string, locationId: string) => `${sku}@${locationId}`;

/** Index of the level of a SKU at a location, if there is one. */
export function findLevel(shop: Shop, sku: string, locationId: string): number | undefined {
	const generated = levelIndex(sku, locationId);
	if (generated !== undefined && shop.levels.get(generated)?.sku === sku) return generated;
	return shop.writtenLevels.get(levelKey(sku, locationId));
}

/**
 * Sets an absolute quantity.
 *
 * @throws Refusal CONFLICT for an older `updated_at` than the level's or another version than
 * If-Match names; NOT_FOUND for a SKU that no product has.
 */
export function setLevel(
	shop: Shop,
	wanted: { sku: string; location_id: string; quantity: number; updated_at: string },
	precondition: Precondition = {},
): { level: Level; deliveryIds: string[] } {
	if (wanted.quantity < 0) throw invalid('quantity must not be negative');
	const index = levelFor(shop, wanted.sku, wanted.location_id);
	const current = shop.levels.get(index);
	requireVersion(current, precondition);
	const isWritten = current !== undefined && current.version > 0;
	if (isWritten && isStale(wanted.updated_at, current.updated_at, precondition)) {
		throw new Refusal(
			'CONFLICT',
			`updated_at ${wanted.updated_at} is older than the level's (${current.updated_at})`,
		);
	}
	return write(shop, index, wanted.quantity, iso(Date.parse(wanted.updated_at)));
}

/** Adds `delta` to a quantity. @throws Refusal INVALID_PARAMETER if it would fall below zero. */
export function adjustLevel(
	shop: Shop,
	wanted: { sku: string; location_id: string; delta: number },
	precondition: Precondition = {},
): { level: Level; deliveryIds: string[] } {
	const index = levelFor(shop, wanted.sku, wanted.location_id);
	const current = shop.levels.get(index);
	requireVersion(current, precondition);
	const quantity = (current?.quantity ?? 0) + wanted.delta;
	if (quantity < 0) throw invalid(`delta would leave a quantity of ${quantity}`);
	const latest = Math.max(shop.clock.now(), current ? Date.parse(current.updated_at) : 0);
	return write(shop, index, quantity, iso(latest));
}

/** Gives a SKU empty levels at every location. */
export function openLevels(shop: Shop, sku: string): void {
	for (const location of LOCATIONS) {
		if (findLevel(shop, sku, location) === undefined) addLevel(shop, sku, location);
	}
}

/** Takes the levels of a SKU away. */
export function closeLevels(shop: Shop, sku: string): void {
	for (const location of LOCATIONS) {
		const index = findLevel(shop, sku, location);
		if (index !== undefined) shop.levels.remove(index);
		shop.writtenLevels.delete(levelKey(sku, location));
	}
}

function isStale(wanted: string, current: string, { isEqualStale = false }: Precondition): boolean {
	const [at, known] = [Date.parse(wanted), Date.parse(current)];
	return at < known || (isEqualStale && at === known);
}

function requireVersion(current: Level | undefined, { ifMatch }: Precondition): void {
	if (ifMatch === undefined || ifMatch === '*') return;
	const wanted = ifMatch.replace(/^W\//, '').replaceAll('"', '');
	if (wanted !== String(current?.version)) {
		throw new Refusal('CONFLICT', `If-Match ${ifMatch} is not version ${current?.version}`);
	}
}

function levelFor(shop: Shop, sku: string, locationId: string): number {
	if (!(LOCATIONS as readonly string[]).includes(locationId)) {
		throw notFound(`location ${locationId}`);
	}
	if (findBySku(shop, sku) === undefined) throw notFound(`SKU ${sku}`);
	return findLevel(shop, sku, locationId) ?? addLevel(shop, sku, locationId);
}

function addLevel(shop: Shop, sku: string, locationId: string): number {
	let added = 0;
	shop.levels.add((index, at) => {
		added = index;
		return { sku, location_id: locationId, quantity: 0, updated_at: iso(at), version: 0 };
	});
	shop.writtenLevels.set(levelKey(sku, locationId), added);
	return added;
}

function write(shop: Shop, index: number, quantity: number, updatedAt: string) {
	const level = shop.levels.replace(index, (old) => ({
		...old,
		quantity,
		updated_at: updatedAt,
		version: old.version + 1,
	}));
	const { sku, location_id, updated_at } = level;
	const deliveryIds = shop.emit('inventory.changed', { sku, location_id, quantity, updated_at });
	return { level, deliveryIds };
}
