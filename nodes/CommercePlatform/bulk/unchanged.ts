import type { IDataObject } from 'n8n-workflow';

import { hasField, isObject } from '../../shared/values/json';
import type { HeldItem } from '../run/heldItem';
import type { BatchCall, RecordSource } from '../run/operation';
import { findCurrent } from './find';
import { skuKey, without } from './products';

/** By which field the entries of a list are told apart (API document, "Variant", "Price"). */
const LIST_KEYS = ['sku', 'currency'] as const;

/**
 * Whether a record already has everything that the user said, so that writing would change nothing. Only what
 * was said is compared; whatever leaves a doubt counts as a change, so that no wanted write is left out.
 *
 * - Texts, numbers and true/false must be equal, in kind as well. An empty text equals null.
 * - Objects are compared field by field, and further fields of the record do not count.
 * - Lists are compared whole, since the platform may replace them: what the record has beyond them counts as
 *   a change. Variants are matched by SKU, prices by currency, and lists of texts (categories) as sets: the
 *   document gives their order no meaning. Any other list must have the same order.
 *
 * @param said the fields to write
 * @param current the record as the platform has it
 */
export function isUnchanged(said: unknown, current: unknown): boolean {
	if (isEmptyText(said)) return isEmptyText(current);
	if (Array.isArray(said)) return Array.isArray(current) && isSameList(said, current);
	if (isObject(said)) {
		return (
			isObject(current) &&
			Object.entries(said).every(
				([name, value]) => value === undefined || isUnchanged(value, current[name]),
			)
		);
	}
	return said === current;
}

/** The fields that an answer shows otherwise than they were written. */
export const differingFields = (written: IDataObject, answered: IDataObject): string[] =>
	Object.keys(written).filter(
		(name) => hasField(answered, name) && !isUnchanged(written[name], answered[name]),
	);

/**
 * The same for an operation of a batch, which may also hold the prices of the variant that its SKU names.
 *
 * @param product that has the SKU
 */
export function isUnchangedUpsert({ sku, fields }: HeldItem, product: IDataObject): boolean {
	const { prices } = fields;
	if (!isUnchanged(without(fields, ['sku', 'prices']), product)) return false;
	if (prices === undefined || product.prices !== undefined) return isUnchanged({ prices }, product);
	const variants: unknown[] = Array.isArray(product.variants) ? product.variants : [];
	const variant = variants.find((one) => isObject(one) && one.sku === sku);
	return isUnchanged({ prices }, variant);
}

function isSameList(said: unknown[], current: unknown[]): boolean {
	if (said.length !== current.length) return false;
	if (said.every((entry) => typeof entry === 'string')) return isSameSet(said, current);
	const key = LIST_KEYS.find((name) => hasKey(said, name) && hasKey(current, name));
	if (key === undefined) return said.every((entry, at) => isUnchanged(entry, current[at]));
	const known = new Map((current as IDataObject[]).map((entry) => [entry[key], entry]));
	return (
		known.size === current.length &&
		new Set((said as IDataObject[]).map((entry) => entry[key])).size === said.length &&
		(said as IDataObject[]).every((entry) => isUnchanged(entry, known.get(entry[key])))
	);
}

function isSameSet(said: unknown[], current: unknown[]): boolean {
	const known = new Set(current);
	return known.size === new Set(said).size && said.every((entry) => known.has(entry));
}

const hasKey = (list: unknown[], key: string) =>
	list.every((entry) => isObject(entry) && typeof entry[key] === 'string');

const isEmptyText = (value: unknown) => value === '' || value === null;

/** A write that may be left out where it would change nothing. */
interface ComparableWrite {
	itemIndex: number;
	/** The record that it is about, by a key of its source. */
	key: string;
	/** Whether the platform's record has all of its values already. */
	isUnchanged(record: IDataObject): boolean;
}

/**
 * Finds the writes that would change nothing. Where a write of a record is needed, the later ones of the same record,
 * and of keys like its own, are needed as well, since the comparison is with the record of before.
 *
 * @param writes in input order
 *
 * @returns the platform's record for the item of each such write
 */
export async function findUnchanged(
	call: Pick<BatchCall, 'client' | 'report'>,
	source: RecordSource,
	writes: readonly ComparableWrite[],
): Promise<Map<number, IDataObject>> {
	const byKey = groupedBy(writes, ({ key }) => key);
	const unchanged = new Map<number, IDataObject>();
	const recordOf = new Map<string, unknown>();
	await findCurrent(call, source, byKey.keys(), (record, keys) => {
		const identity = record.id ?? record;
		const known = keys.map((key) => recordOf.get(key)).filter((one) => one !== undefined);
		const about = keys.flatMap((key) => byKey.get(key) ?? []);
		for (const key of keys) recordOf.set(key, identity);
		if (known.some((one) => one !== identity)) {
			// Two records have one key: which of them the platform would write to is not known.
			for (const { itemIndex } of about) unchanged.delete(itemIndex);
		} else if (known.length === 0) {
			for (const { itemIndex } of leadingUnchanged(about, record)) unchanged.set(itemIndex, record);
		}
	});
	// The platform may take keys for one that differ in capitals or blanks: an earlier write counts for all of them.
	for (const alike of groupedBy(writes, ({ key }) => skuKey(key).replaceAll(/\s/g, '')).values()) {
		const firstWritten = alike.findIndex(({ itemIndex }) => !unchanged.has(itemIndex));
		if (firstWritten === -1) continue;
		for (const { itemIndex } of alike.slice(firstWritten)) unchanged.delete(itemIndex);
	}
	return unchanged;
}

/** The writes of each key, in their order. */
function groupedBy(
	writes: readonly ComparableWrite[],
	keyOf: (write: ComparableWrite) => string,
): Map<string, ComparableWrite[]> {
	const groups = new Map<string, ComparableWrite[]>();
	for (const write of writes) {
		const group = groups.get(keyOf(write));
		if (group === undefined) groups.set(keyOf(write), [write]);
		else group.push(write);
	}
	return groups;
}

/** The writes of one record, in input order, up to the first that changes it. */
function leadingUnchanged(writes: ComparableWrite[], record: IDataObject): ComparableWrite[] {
	const inOrder = [...writes].sort((a, b) => a.itemIndex - b.itemIndex);
	const firstChange = inOrder.findIndex((write) => !write.isUnchanged(record));
	return firstChange === -1 ? inOrder : inOrder.slice(0, firstChange);
}
