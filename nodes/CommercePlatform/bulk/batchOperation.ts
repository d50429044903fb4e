import type { IDataObject } from 'n8n-workflow';

/** One write of a batch or an import, made of one input item. */
export interface BatchOperation {
	itemIndex: number;
	sku: string;
	/** As it stands in `operations` (API document, "Products": `{ op: 'upsert', sku, title, ... }`). */
	body: IDataObject;
	/** Length of the body as JSON in UTF-8. */
	bytes: number;
}

/** What the body holds around its operations: `{"operations":[]}`. Bytes. */
export const ENVELOPE_BYTES = 17;

/**
 * Makes the operation of an input item.
 *
 * @param fields the product's fields as the user said them, without `op` and `sku`
 */
export function upsertOperation(
	itemIndex: number,
	sku: string,
	fields: IDataObject,
): BatchOperation {
	const body = { op: 'upsert', sku, ...fields };
	return { itemIndex, sku, body, bytes: Buffer.byteLength(JSON.stringify(body)) };
}

/** The body of a batch (API document, "Products"). */
export function batchBody(operations: readonly BatchOperation[]): IDataObject {
	return { operations: operations.map(({ body }) => body) };
}

/**
 * How SKUs are told apart. Whether the platform tells "a-1" from "A-1" is not shown, so both count as the
 * same wherever that is the careful reading.
 */
export const sameSku = (sku: string): string => sku.trim().toLowerCase();
