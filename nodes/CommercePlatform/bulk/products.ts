import type { IDataObject } from 'n8n-workflow';

import { expandPath, type PlatformRequest } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { isObject } from '../../shared/values/json';
import { skuKey } from '../model/skuKey';
import type { BulkItem } from '../run/bulkItem';
import { abortOf, take } from '../run/lock';
import type { BulkCall } from '../run/operation';
import type { RecordSource } from '../run/findRecords';

/** The refusal of a SKU that the shop has in another spelling only. */
export const otherSpellingError = (sku: string, inShop: string) =>
	new InputError(
		'SKU',
		`“${sku}” is not in the shop, but “${inShop}” is`,
		'Nothing was sent for it. Whether they are one to the shop is not known: enter the SKU as the shop has it.',
	);

/** The record’s own SKU, as text. Some platforms write it as a number. */
export const skuOf = ({ sku }: IDataObject): string | undefined =>
	typeof sku === 'number' || typeof sku === 'string' ? String(sku) : undefined;

/** The entries of a list that are objects; none if it is no list. */
export const objectsIn = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter((entry): entry is IDataObject => isObject(entry)) : [];

/** The SKUs of a product: its own, where it has one, and those of its variants. */
export const skusOf = (product: IDataObject): string[] =>
	[product, ...objectsIn(product.variants)].flatMap((holder) => skuOf(holder) ?? []);

/** Products by the SKUs of their variants. */
export const productsBySku: RecordSource = {
	list: { method: 'GET', path: '/products' },
	one: (sku) => ({ method: 'GET', path: '/products', query: { sku } }),
	keysOf: skusOf,
};

/** The write of a product that is there. */
export const productUpdate = (productId: string, body?: IDataObject): PlatformRequest => ({
	method: 'PATCH',
	path: '/products/{productId}',
	pathParams: { productId },
	body,
});

/** What an operation did to its product. */
export type UpsertResult = 'created' | 'updated' | 'unchanged';

/** Takes a product that was written, or needed no write; `record` as the platform answered it, where it did. */
export type ProductDone = (item: BulkItem, record?: IDataObject, result?: UpsertResult) => void;

/** What a run holds while it writes products, so that none of their SKUs is written by two runs at once. */
export const skuLockName = ({ sku }: BulkItem): string => `SKU ${skuKey(sku)}`;

/** The lock that a write of a product holds. */
export const productLockName = (productId: string): string =>
	expandPath('/products/{productId}', { productId });

/**
 * Does work once everybody of this process who came before and holds one of its locks has ended, or its own execution
 * is cancelled. All locks are taken at once, so two never wait for each other.
 */
export async function withLocks<T>(
	{ client: { credentialId, signal } }: BulkCall,
	lockNames: readonly string[],
	work: () => Promise<T>,
): Promise<T> {
	const lock = take(lockNames.map((name) => `${credentialId} ${name}`));
	if (lock.ready !== undefined) await Promise.race([lock.ready, abortOf(signal)]);
	try {
		return await work();
	} finally {
		lock.release();
	}
}
