import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { HeldItem } from '../run/heldItem';

/** What one input item says: a variant's price in one currency. */
export interface PriceChange {
	item: HeldItem;
	sku: string;
	/** Minor units. */
	amount: number;
	currency: string;
}

/** The price of an input item. Its fields have been read already. */
export function priceChange(item: HeldItem): PriceChange {
	const { amount, currency } = item.fields as { amount: number; currency: string };
	return { item, sku: item.sku, amount, currency };
}

export const placeOf = ({ sku, currency }: PriceChange) => JSON.stringify([sku, currency]);

/** How many changes a later one takes the place of. */
export const supersededPrices = (changes: readonly PriceChange[]) =>
	changes.length - new Set(changes.map(placeOf)).size;

/** The changes as variants to merge, in input order; of two for one SKU and currency the last. */
export function lastPrices(changes: readonly PriceChange[]): IDataObject[] {
	const bySku = new Map<string, Map<string, number>>();
	for (const { sku, amount, currency } of changes) {
		const prices = bySku.get(sku) ?? new Map<string, number>();
		bySku.set(sku, prices.set(currency, amount));
	}
	return [...bySku].map(([sku, prices]) => ({
		sku,
		prices: [...prices].map(([currency, amount]) => ({ amount, currency })),
	}));
}

/**
 * What an item gives: the price as it is now, and as it was.
 *
 * @param product as it was before
 * @param written as the platform answered the write, where it did
 */
export function resultOf(
	change: PriceChange,
	{ id, record }: { id: string; record: IDataObject },
	written?: IDataObject,
): IDataObject {
	const { sku, currency, amount } = change;
	const now = priceIn(written, change) ?? { amount };
	return {
		sku,
		amount: now.amount,
		currency,
		previous: amountOf(priceIn(record, change), currency),
		productId: id,
		productTitle: typeof record.title === 'string' ? record.title : null,
	};
}

const amountOf = (price: IDataObject | undefined, currency: string) =>
	price === undefined ? null : { amount: price.amount, currency };

export function priceIn(
	product: IDataObject | undefined,
	{ sku, currency }: PriceChange,
): IDataObject | undefined {
	const variant = find(product?.variants, (one) => one.sku === sku);
	return find(variant?.prices, (one) => String(one.currency).toUpperCase() === currency);
}

function find(list: unknown, isMeant: (one: IDataObject) => boolean): IDataObject | undefined {
	if (!Array.isArray(list)) return undefined;
	return list.find((one): one is IDataObject => isObject(one) && isMeant(one));
}
