import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { HeldItem } from '../run/heldItem';
import { abortOf, take } from '../run/lock';
import type { BatchCall, RecordSource } from '../run/operation';

/** What an operation has beyond its item's fields: `"op":"upsert",`. Bytes. */
const OP_BYTES = 14;

/** What the body holds around its operations: `{"operations":[]}`. Bytes. */
export const ENVELOPE_BYTES = 17;

/** Length of an operation in the body, with the comma behind it. Bytes. */
export const operationBytes = (item: HeldItem): number => item.bytes + OP_BYTES + 1;

/** The body of a batch or an import (API document, "Products": `{ operations: [{ op: 'upsert', sku, title, ... }] }`). */
export const batchBody = (items: readonly HeldItem[]): IDataObject => ({
	operations: items.map(({ fields }) => ({ op: 'upsert', ...fields })),
});

/**
 * How SKUs are told apart. Whether the platform tells "a-1" from "A-1" is not shown, so both count as the
 * same wherever that is the careful reading.
 */
export const skuKey = (sku: string): string => sku.trim().toLowerCase();

/** The SKU that a record has of its own; also where the platform writes it as a number. */
export const skuOf = ({ sku }: IDataObject): string | undefined =>
	typeof sku === 'number' || typeof sku === 'string' ? String(sku) : undefined;

/** The SKUs of a product: its own, where it has one, and those of its variants. */
export function skusOf(product: IDataObject): string[] {
	const variants: unknown[] = Array.isArray(product.variants) ? product.variants : [];
	return [product, ...variants].flatMap((one) => (isObject(one) ? (skuOf(one) ?? []) : []));
}

/** Products by the SKUs of their variants. */
export const productsBySku: RecordSource = {
	list: { method: 'GET', path: '/products' },
	one: (sku) => ({ method: 'GET', path: '/products', query: { sku } }),
	keysOf: skusOf,
};

/** What an operation did to its product. */
export type UpsertResult = 'created' | 'updated' | 'unchanged';

/** Takes a product that was written, or needed no write; `record` as the platform answered it, where it did. */
export type TakeProduct = (item: HeldItem, record?: IDataObject, result?: UpsertResult) => void;

/**
 * Does a run's work once every earlier run of this process that writes one of its SKUs has ended, or its own execution
 * is cancelled. All SKUs are taken at once, so two runs never wait for each other.
 *
 * @param items that have no result yet
 */
export async function inSkuOrder(
	{ client: { credentialId, signal } }: BatchCall,
	items: readonly HeldItem[],
	work: () => Promise<void>,
): Promise<void> {
	const lock = take([...new Set(items.map(({ sku }) => `${credentialId} SKU ${skuKey(sku)}`))]);
	if (lock.ready !== undefined)
		await Promise.race(signal === undefined ? [lock.ready] : [lock.ready, abortOf(signal)]);
	try {
		await work();
	} finally {
		lock.release();
	}
}

/** The fields of an operation but for some. */
export function without(fields: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
