import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { isObject } from '../../shared/values/json';
import { describe, someText, text } from '../../shared/values/readers';

/** What databases, scripts and AI models write where there is no value. */
const ABSENT_CELL = /^\s*(?:NULL|\\N|undefined|N\/A)\s*$/i;

/** What a spreadsheet leaves of a value that it shortened or could not compute. Each pattern is unmistakable. */
const WRECKAGE: ReadonlyArray<readonly [pattern: RegExp, meaning: string]> = [
	[/^\s*-?\d[.,]\d+E\+\d+\s*$/i, 'a spreadsheet has shortened the number, and its digits are lost'],
	[
		/^\s*#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)\s*$/i,
		'a formula of the spreadsheet has failed',
	],
	[/\ufffd/, 'the file was read in another encoding than it was written in'],
	[/^\s*'\d/, 'the apostrophe is a spreadsheet’s mark for text'],
	[ABSENT_CELL, 'that is how programs write that there is no value'],
];

/** Half a sentence about the broken cell that a value comes from; undefined if it looks sound. */
const wreckageIn = (value: unknown): string | undefined =>
	typeof value === 'string' ? WRECKAGE.find(([pattern]) => pattern.test(value))?.[1] : undefined;

/** Fields that name a record. A broken name would name, or create, another record. */
const NAME_COLUMNS: ReadonlySet<string> = new Set(['sku', 'handle', 'email']);

/**
 * Refuses a broken cell as the name of a record.
 *
 * @param field display name, or place in the JSON
 * @throws InputError
 */
function checkName(field: string, value: unknown): void {
	const meaning = wreckageIn(value);
	if (meaning === undefined) return;
	throw new InputError(
		field,
		`is ${describe(value)}: ${meaning}`,
		ABSENT_CELL.test(String(value))
			? 'Nothing was sent for it. Leave it empty, or enter the value.'
			: 'Nothing was sent for it. Correct the cell, e.g. by formatting its column as text before the values are entered.',
	);
}

/**
 * A name without what spreadsheets and exports put around it: blanks, characters without a width, the apostrophe before
 * digits and signs, which keeps them from being numbers and formulas, and Excel's form `="00123"`.
 */
export const plainName = (written: string): string =>
	withoutEdges(
		withoutEdges(written)
			.replace(/^="(.*)"$/, '$1')
			.replace(/^'(?=[-=+@\d])/, ''),
	);

/** A text without blanks and characters without a width around it. Within words of some languages these are spelling. */
function withoutEdges(written: string): string {
	// A pattern for the end would begin anew at each blank of a long text.
	let [start, end] = [0, written.length];
	while (start < end && EDGE.test(written[start])) start++;
	while (end > start && EDGE.test(written[end - 1])) end--;
	return written.slice(start, end);
}

/**
 * Reads what names a record or a parcel.
 *
 * @throws InputError if it is empty, or a broken cell
 */
export function nameText(field: string, value: unknown): string {
	const name = someText(field, plainName(someText(field, value)));
	checkName(field, name);
	return name;
}

/**
 * Reads what names a record, exactly as it is written.
 *
 * @throws InputError if it is a broken cell
 */
export function exactName(field: string, value: unknown): string {
	checkName(field, value);
	return text(field, value);
}

/**
 * Refuses broken cells in the names of a body.
 *
 * @throws InputError that names the field
 */
function checkNames(body: unknown, path = ''): void {
	if (Array.isArray(body))
		for (const [index, entry] of body.entries()) checkNames(entry, `${path}[${index}]`);
	else if (isObject(body))
		for (const [name, value] of Object.entries(body)) {
			if (!NAME_COLUMNS.has(name) && typeof value !== 'object') continue;
			const fieldPath = path === '' ? name : `${path}.${name}`;
			if (NAME_COLUMNS.has(name)) checkName(fieldPath, value);
			checkNames(value, fieldPath);
		}
}

/** The fields of a product (API document, "Product", "Variant"), and the further ones of a batch. */
const PRODUCT_COLUMNS: ReadonlySet<string> = new Set([
	...['sku', 'title', 'handle', 'status', 'description', 'variants', 'categories', 'prices', 'op'],
]);

/** Characters that nobody sees: the byte order mark at the beginning of a file, and characters without a width. */
export const INVISIBLE = /[\ufeff\u200b-\u200d\u2060]/g;

/** One of them, or a blank. */
const EDGE = /[\s\ufeff\u200b-\u200d\u2060]/;

const comparableColumn = (name: string): string => name.replace(INVISIBLE, '').trim().toLowerCase();

/** The choice of Specify Product with which each input item is a row, for messages. It takes columns in any spelling. */
export const INPUT_ITEM = 'Input Item';

/**
 * Explains why a field is empty: the row has the column, but under a name that only looks the same.
 *
 * @returns undefined if no column has such a name
 */
function oddColumns(row: IDataObject, field: string): string | undefined {
	const [onlyName, ...otherNames] = Object.keys(row);
	const delimiter = otherNames.length === 0 && /[;\t|]/.exec(onlyName ?? '')?.[0];
	if (delimiter)
		return `The row has one column, “${onlyName}”, so its file was read with another delimiter: set the option Delimiter of 'Extract from File' to ${delimiter === '\t' ? 'a tab' : `“${delimiter}”`}.`;
	if (field.startsWith(INPUT_ITEM)) return undefined;
	const oddNames = Object.keys(row).filter((name) => name !== comparableColumn(name));
	const markedName = oddNames.find((name) => name.replace(INVISIBLE, '') !== name);
	if (markedName !== undefined)
		return `Column “${markedName}” begins with an invisible mark, which many programs write before a file’s first column: rename it, or read the file without it.`;
	const productNames = oddNames.filter((name) => PRODUCT_COLUMNS.has(comparableColumn(name)));
	if (productNames.length === 0) return undefined;
	const list = productNames.map((name) => `“${name}”`).join(', ');
	return `Names of columns count exactly, capitals and blanks included: this row has ${list}.`;
}

/** How a value shows that a spreadsheet broke it, for every operation. */
export const cells = { checkName, checkNames, oddColumns };
