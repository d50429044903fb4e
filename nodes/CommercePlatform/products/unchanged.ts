import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';

/** The fields that identify the entries of a list (API document, "Variant", "Price"). */
const LIST_KEYS = ['sku', 'currency'] as const;

/** A value in which a record differs from what was entered. */
export interface Difference {
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
