import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import { isListOfObjects, isObject, isSame, objectsIn } from '../../../shared/values/json';
import { someText } from '../../../shared/values/readers';

/** A record's own SKU as text. Some platforms write it as a number. */
export const skuOf = ({ sku }: IDataObject): string | undefined =>
	typeof sku === 'number' || typeof sku === 'string' ? String(sku) : undefined;

/** The SKUs of a product: its own, if it has one, and those of its variants. */
export const skusOf = (product: IDataObject): string[] =>
	[product, ...objectsIn(product.variants)].map(skuOf).filter((sku) => sku !== undefined);

/** A currency code in capitals, without blanks around it. */
export const currencyKey = (currency: unknown): string | undefined =>
	typeof currency === 'string' ? currency.trim().toUpperCase() : undefined;

/** The fields that identify the entries of a list (API document, "Variant", "Price"). */
const LIST_KEYS = ['sku', 'currency'] as const;

/** A value in which a record differs from what was entered. */
interface Difference {
	/** The names that lead to the value, e.g. `variants SHIRT-M title`. */
	field: string;
	/** As the record has it; null if it has none. */
	old: unknown;
	/** As it was entered; null if it is an entry of a list that was not entered. */
	new: unknown;
}

/**
 * What a write would change of a record. Only entered fields are compared. Whatever leaves a doubt counts as a change,
 * so that no wanted write is left out.
 *
 * - Texts, numbers and true/false must be equal, in type as well. An empty text equals null.
 * - Objects are compared field by field. Further fields of the record do not count.
 * - Lists are compared as a whole, since the platform may replace them: an entry that only the record has counts as a
 *   change. Variants are matched by SKU, prices by currency, and categories as a set. Any other list must have the same
 *   order: the first image may be the main one.
 *
 * @param entered the fields to write
 * @param current the record as the platform has it
 */
export function* differences(
	entered: unknown,
	current: unknown,
	field = '',
): Generator<Difference, void> {
	if (entered === undefined || (isEmptyText(entered) && isEmptyText(current))) return;
	if (Array.isArray(entered) && Array.isArray(current))
		yield* listDifferences(entered, current, field);
	else if (isObject(entered) && isObject(current))
		for (const [name, value] of Object.entries(entered))
			yield* differences(value, current[name], `${field} ${name}`.trim());
	else if (entered !== current) yield { field, old: current ?? null, new: entered };
}

/** Whether a record already has everything that was entered. */
export const isUnchanged = (entered: unknown, current: unknown): boolean =>
	differences(entered, current).next().done === true;

function* listDifferences(
	entered: unknown[],
	current: unknown[],
	field: string,
): Generator<Difference, void> {
	const key = LIST_KEYS.find(
		(name) => identifiesEntries(entered, name) && identifiesEntries(current, name),
	);
	if (key === undefined || entered.length === 0) {
		if (!isSameList(entered, current, field)) yield { field, old: current, new: entered };
		return;
	}
	const byKey = (list: unknown[]) =>
		new Map((list as IDataObject[]).map((entry) => [entry[key], entry]));
	const [enteredByKey, currentByKey] = [byKey(entered), byKey(current)];
	for (const keyValue of new Set([...currentByKey.keys(), ...enteredByKey.keys()])) {
		const [enteredEntry, currentEntry] = [enteredByKey.get(keyValue), currentByKey.get(keyValue)];
		const entryField = `${field} ${String(keyValue)}`.trim();
		// A price is shown as a whole: its amount means nothing without its currency.
		const isWhole = enteredEntry === undefined || currentEntry === undefined || key === 'currency';
		if (!isWhole) yield* differences(enteredEntry, currentEntry, entryField);
		else if (enteredEntry === undefined || !isUnchanged(enteredEntry, currentEntry))
			yield { field: entryField, old: currentEntry ?? null, new: enteredEntry ?? null };
	}
}

function isSameList(entered: unknown[], current: unknown[], field: string): boolean {
	if (entered.length !== current.length) return false;
	const isSet = field === 'categories' && entered.every((entry) => typeof entry === 'string');
	if (!isSet) return entered.every((entry, index) => isUnchanged(entry, current[index]));
	return JSON.stringify([...entered].sort()) === JSON.stringify([...current].sort());
}

const identifiesEntries = (list: unknown[], key: string): boolean =>
	list.every((entry) => isObject(entry) && typeof entry[key] === 'string') &&
	new Set((list as IDataObject[]).map((entry) => entry[key])).size === list.length;

const isEmptyText = (value: unknown) => value === '' || value === null;

/**
 * The row of a dry run: what a write would change of a record.
 *
 * @param about which record, e.g. its SKU and title
 * @param changes if there are several, `old` and `new` hold the values by field
 * @param result what the write would do, if it would not change the record
 */
export function previewRow(
	about: IDataObject,
	changes: Iterable<Difference>,
	result?: string,
): IDataObject {
	const changeList = [...changes];
	const side = (name: 'old' | 'new') =>
		changeList.length === 1
			? changeList[0][name]
			: Object.fromEntries(changeList.map((difference) => [difference.field, difference[name]]));
	const resultText = result ?? (changeList.length === 0 ? 'no change' : 'would change');
	const row = { dryRun: true, ...about, result: resultText };
	if (changeList.length === 0) return row;
	const field = changeList.map((difference) => difference.field).join(', ');
	return { ...row, field, old: side('old'), new: side('new') } as IDataObject;
}

/** The field that messages name. */
const VARIANTS_FIELD = 'Variants';

/**
 * Merges changes into the variants of a product. The API document does not show what PATCH does with a list, so the
 * whole list is sent. Everything that is not changed stays as it was read, unknown fields included.
 *
 * - Variants are matched by SKU, prices by currency (API document, "Variant", "Price").
 * - A currency that a variant does not have is added. Of two changes of one value the later one counts.
 * - A SKU that the product does not have is added if the user gave it a title. Without a title it may be mistyped.
 *
 * @param current the product's variants as they were read; not changed
 * @param variantChanges variants with `sku`, and what is to change of each
 * @throws InputError if it is not certain what is meant
 */
export function mergeVariants(
	current: unknown,
	variantChanges: readonly IDataObject[],
): IDataObject[] {
	if (!isListOfObjects(current))
		throw notCertain(
			VARIANTS_FIELD,
			'the platform gave the product without a list of its variants',
		);
	const merged = [...current];
	for (const { sku: enteredSku, ...fields } of variantChanges) {
		const sku = someText(`${VARIANTS_FIELD}: SKU`, enteredSku).trim();
		const severalText = `the product has several variants with the SKU “${sku}”`;
		const index = indexToWrite(
			merged,
			(variant) => variant.sku === sku,
			VARIANTS_FIELD,
			severalText,
		);
		const currentVariant = merged.at(index);
		if (currentVariant !== undefined && fields.prices !== undefined)
			fields.prices = mergePrices(
				`${VARIANTS_FIELD}: ${sku}`,
				currentVariant.prices,
				fields.prices,
			);
		if (currentVariant === undefined && fields.title === undefined)
			throw new InputError(
				VARIANTS_FIELD,
				`names the SKU “${sku}”, which the product does not have`,
				'Nothing was sent. Check the SKU. To add a new variant, enter its title.',
			);
		merged[index] = { ...currentVariant, sku, ...fields };
	}
	return merged;
}

/**
 * Whether merging would change nothing. If the changes cannot be merged, the answer is no, and the write refuses them.
 */
export const changesNothing = (current: unknown, variantChanges: readonly IDataObject[]): boolean =>
	holds(() => isSame(mergeVariants(current, variantChanges), current));

/** Whether variants hold everything that is to change, so that merging adds none to them. */
export const hasAll = (current: unknown, variantChanges: readonly IDataObject[]): boolean =>
	holds(() => mergeVariants(current, variantChanges).length === objectsIn(current).length);

function holds(condition: () => boolean): boolean {
	try {
		return condition();
	} catch {
		return false;
	}
}

function mergePrices(field: string, current: unknown, priceChanges: unknown): IDataObject[] {
	if (!isListOfObjects(priceChanges))
		throw new InputError(`${field}: prices`, 'must be a list of objects', 'Nothing was sent.');
	if (!isListOfObjects(current) || !current.every(({ currency }) => typeof currency === 'string'))
		throw notCertain(field, 'the platform gave the variant without a list of its prices');
	const merged = [...current];
	for (const { currency: enteredCurrency, ...price } of priceChanges) {
		const currency = currencyKey(someText(`${field}: currency`, enteredCurrency));
		const severalText = `the variant has several prices in ${currency}`;
		const hasCurrency = (entry: IDataObject) => currencyKey(entry.currency) === currency;
		const index = indexToWrite(merged, hasCurrency, field, severalText);
		merged[index] =
			index === merged.length ? { ...price, currency } : { ...merged[index], ...price };
	}
	return merged;
}

/**
 * The index at which to write an entry: that of the one entry that matches, or the end of the list.
 *
 * @throws InputError if several match
 */
function indexToWrite(
	list: readonly IDataObject[],
	isMatch: (entry: IDataObject) => boolean,
	field: string,
	severalText: string,
): number {
	if (list.filter(isMatch).length > 1) throw notCertain(field, severalText);
	const index = list.findIndex(isMatch);
	return index === -1 ? list.length : index;
}

const notCertain = (field: string, why: string) =>
	new InputError(
		field,
		`cannot be merged: ${why}`,
		'Nothing was sent. Use the operation Update, choose Replace All, and enter every variant with every price.',
	);

/** Hints at what several changes say differently. */
export function tellSaidTwice(
	variantChanges: readonly IDataObject[],
	hint: (text: string) => void,
): void {
	const twice = saidTwice(variantChanges);
	if (twice.length > 0) hint(`Entered twice, and the later value counts: ${twice.join(', ')}.`);
}

/** What several changes say differently, e.g. `M: price in EUR`. The later one counts. */
export function saidTwice(variantChanges: readonly IDataObject[]): string[] {
	// One variant with one price, as most rows are, says nothing twice.
	if (variantChanges.length === 1 && objectsIn(variantChanges[0].prices).length < 2) return [];
	const said = new Map<string, unknown>();
	const twice = new Set<string>();
	for (const { sku, prices, ...fields } of variantChanges)
		for (const [what, value] of [
			...Object.entries(fields),
			...objectsIn(prices).map(
				(price) => [`price in ${currencyKey(price.currency)}`, price] as const,
			),
		]) {
			const name = `${String(sku)}: ${what}`;
			const earlier = said.get(name);
			if (earlier !== undefined && !isSame(earlier, value)) twice.add(name);
			said.set(name, value);
		}
	return [...twice];
}

/** Whether what a later row says of a product replaces something that an earlier one says. */
export function replaces(later: IDataObject, earlier: IDataObject): boolean {
	const said = [earlier, later].map(({ sku, variants, prices, ...own }) => ({
		own,
		variants: prices === undefined ? objectsIn(variants) : [{ sku, prices }],
	}));
	const twice = [said.map(({ own }) => own), said.flatMap(({ variants }) => variants)];
	return twice.some((rows) => saidTwice(rows).length > 0);
}
