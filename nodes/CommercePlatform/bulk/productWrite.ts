import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { BatchCall, BatchEntries, BatchEntry } from '../engine/batchCall';

/** One write of a batch or an import, made of one input item. */
export interface ProductWrite {
	itemIndex: number;
	sku: string;
	/** What the user said of the product, beside its SKU; made anew whenever it is asked for. */
	fields: IDataObject;
	/** Length of its operation as JSON in UTF-8. */
	bytes: number;
}

/** What an operation has beyond its item's fields: `"op":"upsert",`. Bytes. */
const OP_BYTES = 14;

/** What the body holds around its operations: `{"operations":[]}`. Bytes. */
export const ENVELOPE_BYTES = 17;

/** Holds no more than two values beside the entry. */
class EntryWrite implements ProductWrite {
	readonly bytes: number;

	constructor(
		private readonly entry: BatchEntry,
		readonly sku: string,
	) {
		this.bytes = entry.bytes + OP_BYTES;
	}

	get itemIndex(): number {
		return this.entry.itemIndex;
	}

	get fields(): IDataObject {
		const { fields } = this.entry;
		delete fields.sku;
		return fields;
	}
}

/** As it stands in `operations` (API document, "Products": `{ op: 'upsert', sku, title, ... }`). */
export function operationOf({ sku, fields }: Pick<ProductWrite, 'sku' | 'fields'>): IDataObject {
	return { op: 'upsert', sku, ...fields };
}

/**
 * The writes of all items, each made when it is taken. Their SKU has been read already.
 *
 * @param entries with the SKU among their fields
 * @param skus as far as they are known, by item index
 */
export function* productWrites(
	entries: BatchEntries,
	skus: readonly string[] = [],
): Generator<ProductWrite, undefined> {
	for (const entry of entries) yield new EntryWrite(entry, skus[entry.itemIndex] ?? skuIn(entry));
	return undefined;
}

/** The SKUs of the items that have no result yet, by item index. */
export function openSkus({ entries, wasDone }: BatchCall): string[] {
	const skus: string[] = [];
	for (const entry of entries) if (!wasDone(entry.itemIndex)) skus[entry.itemIndex] = skuIn(entry);
	return skus;
}

const skuIn = ({ fields }: BatchEntry): string => String(fields.sku);

/** The body of a batch (API document, "Products"). */
export function batchBody(writes: readonly ProductWrite[]): IDataObject {
	return { operations: writes.map(operationOf) };
}

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
