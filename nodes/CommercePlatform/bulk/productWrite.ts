import type { IDataObject } from 'n8n-workflow';

import type { BatchEntry } from '../engine/batchCall';

/** One write of a batch or an import, made of one input item. */
export interface ProductWrite {
	itemIndex: number;
	sku: string;
	/** What the user said of the product, beside its SKU. */
	fields: IDataObject;
	/** Length of its operation as JSON in UTF-8. */
	bytes: number;
}

/** What the body holds around its operations: `{"operations":[]}`. Bytes. */
export const ENVELOPE_BYTES = 17;

/** Makes the write of an input item. */
export function productWrite(itemIndex: number, sku: string, fields: IDataObject): ProductWrite {
	const bytes = Buffer.byteLength(JSON.stringify(operationOf({ sku, fields })));
	return { itemIndex, sku, fields, bytes };
}

/** As it stands in `operations` (API document, "Products": `{ op: 'upsert', sku, title, ... }`). */
export function operationOf({ sku, fields }: Pick<ProductWrite, 'sku' | 'fields'>): IDataObject {
	return { op: 'upsert', sku, ...fields };
}

/**
 * The writes of all items. Their SKU has been read already.
 *
 * @param entries with the SKU among their fields
 */
export function productWrites(entries: readonly BatchEntry[]): ProductWrite[] {
	return entries.map(({ itemIndex, fields: { sku, ...fields } }) =>
		productWrite(itemIndex, String(sku), fields),
	);
}

/** The body of a batch (API document, "Products"). */
export function batchBody(writes: readonly ProductWrite[]): IDataObject {
	return { operations: writes.map(operationOf) };
}

/**
 * How SKUs are told apart. Whether the platform tells "a-1" from "A-1" is not shown, so both count as the
 * same wherever that is the careful reading.
 */
export const skuKey = (sku: string): string => sku.trim().toLowerCase();
