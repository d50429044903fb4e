import type { IDataObject } from 'n8n-workflow';

import type { UpsertResult } from '../../shared/shop/answers';
import { nextTurn } from '../../shared/rest/clock';
import { expandPath } from '../../shared/rest/request';
import { isObject } from '../../shared/values/json';
import { saysNothing } from '../../shared/values/readers';
import type { BulkCall, BulkItem } from '../runner/operation';
import { takeLocks, untilAborted } from '../runner/writes';
import { addRow, repeatedRows } from '../runner/report';

/** A record's own SKU as text. Some platforms write it as a number. */
export const skuOf = ({ sku }: IDataObject): string | undefined =>
	typeof sku === 'number' || typeof sku === 'string' ? String(sku) : undefined;

/** The entries of a list that are objects; none if the value is no list. */
export const objectsIn = (list: unknown): IDataObject[] =>
	Array.isArray(list) ? list.filter((entry): entry is IDataObject => isObject(entry)) : [];

/** The SKUs of a product: its own, if it has one, and those of its variants. */
export const skusOf = (product: IDataObject): string[] =>
	[product, ...objectsIn(product.variants)].flatMap(
		(productOrVariant) => skuOf(productOrVariant) ?? [],
	);

/** Tells of rows that are a product of their own each, although they have one handle. */
export async function tellOfHandles({ items, report, parameter }: BulkCall): Promise<void> {
	if (parameter('productPer', 'sku') === 'handle') return;
	const rowsByHandle = new Map<string, number[]>();
	for (const { fields, row } of items) {
		await nextTurn();
		if (!saysNothing(fields.handle)) addRow(rowsByHandle, String(fields.handle), row);
	}
	const rows = repeatedRows(rowsByHandle, (row) => row);
	if (rows !== '')
		report.hint(
			`Several rows have one handle: ${rows}. Each is a product of its own. To make one product of them, use Input Item and set 'One Product Per' to Handle.`,
		);
}

/** Tells of prices of 0, which may not be meant. */
export async function tellOfFreeProducts({ items, report }: BulkCall): Promise<void> {
	for (const { fields, row } of items) {
		await nextTurn();
		const variants = objectsIn(fields.variants);
		const prices = [fields, ...variants].flatMap((holder) => objectsIn(holder.prices));
		if (prices.some(({ amount }) => amount === 0)) report.tellOfRow('Price of 0:', row);
	}
}

/** What is to be written to one product, for all items that are about it. */
export interface ProductWrite {
	/** What becomes of the write becomes of each of them. */
	readonly items: readonly BulkItem[];
	/** The SKU that names the product in a batch; empty if it has none. */
	readonly sku: string;
	/** What a batch sends: with the whole list of variants, if the product was read. */
	readonly fields: IDataObject;
	/** Whether `fields` are those of its only item, joined with nothing. */
	readonly isAsEntered: boolean;
	/** The product as the shop has it; undefined if it has none, or was not read. */
	readonly product?: IDataObject;
	/** The product's own fields, to send without a batch. */
	readonly body: IDataObject;
	/** What changes of its variants, by SKU, to send without a batch. */
	readonly variantChanges: readonly IDataObject[];
	/** When the shop was looked through for it, monotonic ms; undefined if it was not. */
	readonly readMs?: number;
}

/** Whether all items of a write have their results, maybe from an earlier try. */
export const isDone = ({ items }: ProductWrite): boolean =>
	items.every(({ hasResult }) => hasResult);

/** Called for each product that was written or needed no write. `record` is the product, if the answer shows it. */
export type ProductDone = (
	write: ProductWrite,
	record?: IDataObject,
	result?: UpsertResult,
) => void;

/** The SKU that names an item's product; empty if it has none. */
export const skuOfItem = ({ fields }: BulkItem): string => skuOf(fields) ?? '';

/** Does work while no other run of this process writes the SKUs of a run's open items. */
export const withSkuLocks = async (call: BulkCall, work: () => Promise<void>): Promise<void> => {
	const keys: string[] = [];
	for (const item of call.items) {
		await nextTurn();
		if (!item.hasResult) keys.push(`${call.client.credentialId} SKU ${skuOfItem(item)}`);
	}
	await withLocks(call, keys, work);
};

/** Does the same while nobody else writes a product. For a product that is not there yet, nothing is locked. */
export const withProductLock = async <T>(
	call: BulkCall,
	product: IDataObject | undefined,
	work: (hadToWait: boolean) => Promise<T>,
): Promise<T> => {
	if (product === undefined) return await work(false);
	const path = expandPath('/products/{productId}', { productId: String(product.id) });
	return await withLocks(call, [`${call.client.credentialId} ${path}`], work);
};

/**
 * Does work while it holds some locks. It begins when all earlier holders in this process have released them, or when
 * its own execution is cancelled. All locks are taken at once, so two callers never wait for each other.
 *
 * @param work receives whether others held the locks meanwhile
 */
async function withLocks<T>(
	{ client: { signal } }: BulkCall,
	keys: readonly string[],
	work: (hadToWait: boolean) => Promise<T>,
): Promise<T> {
	const lock = takeLocks(keys);
	if (lock.ready !== undefined) await Promise.race([lock.ready, untilAborted(signal)]);
	try {
		return await work(lock.ready !== undefined);
	} finally {
		lock.release();
	}
}
