import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { InputError } from '../../shared/errors/errors';
import { skuKey } from '../bulk/products';
import { checkNamedOnce, currencyKey } from './namedOnce';

/**
 * Puts what the user named into the variants that a product has. What PATCH does with a list is not shown in the API
 * document, so the whole list is sent; all that was not named stays as it was read, unknown fields included.
 *
 * - Variants are matched by SKU, prices by currency (API document, "Variant", "Price").
 * - A currency that a variant does not have is added.
 * - A SKU that the product does not have is added where the user gave it a title; without one it may be mistyped.
 *
 * @param field display name, for messages
 * @param current the product's variants as they were read; not changed
 * @param named variants with `sku`, and what is to change of each
 * @throws InputError where it is not certain what is meant
 */
export function mergeVariants(
	field: string,
	current: unknown,
	named: readonly IDataObject[],
): IDataObject[] {
	if (!Array.isArray(current)) {
		throw notCertain(field, 'the platform gave the product without its variants');
	}
	checkNamedOnce(field, named);
	const merged = [...(current as unknown[])] as IDataObject[];
	for (const variant of named) {
		const at = placeOf(field, merged, variant);
		if (at === -1) merged.push(variant);
		else merged[at] = mergeVariant(`${field}: ${String(variant.sku)}`, merged[at], variant);
	}
	return merged;
}

/** Whether merging would change nothing. What cannot be merged would change something: it is refused when it is written. */
export function changesNothing(current: unknown, named: readonly IDataObject[]): boolean {
	try {
		return JSON.stringify(mergeVariants('', current, named)) === JSON.stringify(current);
	} catch {
		return false;
	}
}

/** @returns -1 where the variant is a new one */
function placeOf(field: string, variants: unknown[], { sku, title }: IDataObject): number {
	const at = placeIn(variants, (one) => isObject(one) && one.sku === sku);
	if (at === SEVERAL)
		throw notCertain(field, `the product has several variants with the SKU “${String(sku)}”`);
	if (at !== NONE) return at;
	const alike = variants.find(
		(one) =>
			isObject(one) && typeof one.sku === 'string' && skuKey(one.sku) === skuKey(String(sku)),
	);
	if (alike === undefined && title !== undefined) return NONE;
	throw new InputError(
		field,
		`names the SKU “${String(sku)}”, which the product does not have`,
		alike === undefined
			? 'Nothing was sent. Check the SKU. To add a new variant, give it a title.'
			: `Nothing was sent. The product has “${String((alike as IDataObject).sku)}”.`,
	);
}

function mergeVariant(place: string, current: IDataObject, named: IDataObject): IDataObject {
	const merged = { ...current, ...named };
	if (Array.isArray(named.prices))
		merged.prices = mergePrices(place, current.prices, named.prices as IDataObject[]);
	return merged;
}

function mergePrices(place: string, current: unknown, named: IDataObject[]): IDataObject[] {
	const before = (Array.isArray(current) ? current : []) as IDataObject[];
	const merged = [...before];
	for (const { currency, ...price } of named) {
		const isSame = (one: unknown) => isObject(one) && currencyKey(one.currency) === currency;
		const at = placeIn(before, isSame);
		if (at === SEVERAL)
			throw notCertain(place, `the variant has several prices in ${String(currency)}`);
		if (at === NONE) merged.push({ ...price, currency });
		else merged[at] = { ...before[at], ...price };
	}
	return merged;
}

const NONE = -1;
const SEVERAL = -2;

/** The one entry that is meant. */
function placeIn(list: readonly unknown[], isMeant: (entry: unknown) => boolean): number {
	const at = list.findIndex(isMeant);
	return at !== -1 && list.slice(at + 1).some(isMeant) ? SEVERAL : at;
}

export const notCertain = (field: string, why: string) =>
	new InputError(
		field,
		`cannot be merged: ${why}`,
		'Nothing was sent. Use the operation Update, choose Replace All, and enter every variant with every price.',
	);
