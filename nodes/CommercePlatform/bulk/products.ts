import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import type { HeldItem } from '../run/heldItem';
import type { RecordSource } from '../run/operation';

/** What an operation has beyond its item's fields: `"op":"upsert",`. Bytes. */
const OP_BYTES = 14;

/** What the body holds around its operations: `{"operations":[]}`. Bytes. */
export const ENVELOPE_BYTES = 17;

/** As it stands in `operations` (API document, "Products": `{ op: 'upsert', sku, title, ... }`). */
export const operationOf = ({ fields }: HeldItem): IDataObject => ({ op: 'upsert', ...fields });

/** Length of an operation in the body, with the comma behind it. Bytes. */
export const operationBytes = (item: HeldItem): number => item.bytes + OP_BYTES + 1;

/** The body of a batch or an import (API document, "Products"). */
export const batchBody = (items: readonly HeldItem[]): IDataObject => ({
	operations: items.map(operationOf),
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

/** What became of products, counted for a hint. */
export class UpsertCounts {
	private readonly counts = { created: 0, updated: 0, unchanged: 0, unknown: 0 };

	/** @param simplify whether output items are short */
	constructor(private readonly simplify: boolean) {}

	/**
	 * The output item of a product that was written, or needed no write.
	 *
	 * @param record as the platform answered it, where it did
	 * @param result where it is known
	 */
	itemOf(sku: string, record: IDataObject | undefined, result?: UpsertResult): IDataObject {
		this.counts[result ?? 'unknown']++;
		const skipped = result === 'unchanged' ? { skipped: true } : {};
		const known = { ...(result && { result }), ...skipped };
		if (record === undefined) return { sku, ...known, written: true };
		if (!this.simplify) return { ...record, ...known };
		const { id, title, updated_at } = record;
		return { id, sku, title, ...known, ...(updated_at !== undefined && { updated_at }) };
	}

	/** The counts in a sentence. */
	toString(): string {
		const { created, updated, unchanged, unknown } = this.counts;
		const more = unknown === 0 ? '' : `, written without saying which: ${counted(unknown)}`;
		return `Created: ${counted(created)}, updated: ${counted(updated)}, unchanged: ${counted(unchanged)}${more}.`;
	}
}

/** A number as it stands in a sentence. */
export const counted = (count: number): string => count.toLocaleString('en-US');

/** The fields of an operation but for some. */
export function without(fields: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
