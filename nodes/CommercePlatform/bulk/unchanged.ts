import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

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

/**
 * The same for an operation of a batch, which may also hold the prices of the variant that its SKU names.
 *
 * @param fields of the operation, without `op` and `sku`
 * @param product that has the SKU
 */
export function isUnchangedUpsert(sku: string, fields: IDataObject, product: IDataObject): boolean {
	const { prices, ...rest } = fields;
	if (!isUnchanged(rest, product)) return false;
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
