import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';
import { isListOfObjects, isObject } from '../../shared/values/json';
import { describe, text } from '../../shared/values/readers';

/** What a spreadsheet leaves of a value that it has shortened or could not compute; each is unmistakable. */
const WRECKAGE: ReadonlyArray<readonly [pattern: RegExp, meaning: string]> = [
	[/^\s*-?\d[.,]\d+E\+\d+\s*$/i, 'a spreadsheet has shortened the number, and its digits are lost'],
	[
		/^\s*#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)\s*$/i,
		'a formula of the spreadsheet has failed',
	],
	[/\ufffd/, 'the file was read in another encoding than it was written in'],
	[/^\s*'\d/, 'the apostrophe is a spreadsheet’s mark for text'],
];

/** What a value shows of a broken cell, as half a sentence; undefined where it shows none. */
const wreckageIn = (value: unknown): string | undefined =>
	typeof value === 'string' ? WRECKAGE.find(([pattern]) => pattern.test(value))?.[1] : undefined;

/** Fields that name a record: broken, they would name another one, or make it. */
const NAMES: ReadonlySet<string> = new Set(['sku', 'handle', 'email']);

/**
 * Refuses a broken cell of a spreadsheet as the name of a record.
 *
 * @param field display name, or place in the JSON
 * @throws InputError
 */
export function checkName(field: string, value: unknown): void {
	const meaning = wreckageIn(value);
	if (meaning === undefined) return;
	throw new InputError(
		field,
		`is ${describe(value)}: ${meaning}`,
		'Nothing was sent for it. Correct the cell, e.g. by formatting its column as text before the values are entered.',
	);
}

/**
 * Refuses broken cells where a body names records, and counts them in its other texts.
 *
 * @returns texts that hold what a spreadsheet leaves of a broken cell
 * @throws InputError that names the field
 */
export function brokenTexts(body: unknown, path = ''): number {
	if (Array.isArray(body))
		return body.reduce<number>(
			(count, entry, index) => count + brokenTexts(entry, `${path}[${index}]`),
			0,
		);
	if (!isObject(body)) return wreckageIn(body) === undefined ? 0 : 1;
	let count = 0;
	for (const [name, value] of Object.entries(body)) {
		const place = path === '' ? name : `${path}.${name}`;
		if (NAMES.has(name)) checkName(place, value);
		count += brokenTexts(value, place);
	}
	return count;
}

/** The fields of a product (API document, "Product", "Variant"), and what a batch takes beside them. */
const COLUMNS: ReadonlySet<string> = new Set([
	...['sku', 'title', 'handle', 'status', 'description', 'variants', 'categories', 'prices', 'op'],
]);

/** Marks that nobody sees: the byte order mark that files begin with, and characters without a width. */
const INVISIBLE = /[\ufeff\u200b-\u200d\u2060]/g;

const plainColumn = (name: string): string => name.replace(INVISIBLE, '').trim().toLowerCase();

/**
 * The columns of a row under the names of the API document, where only capitals, blanks around them or invisible marks
 * differ, e.g. `SKU`, `Title ` and a byte order mark before `sku`. Other columns keep their names.
 *
 * @param field display name
 * @throws InputError where two columns have one name then
 */
export function productColumns(field: string, row: IDataObject): IDataObject {
	const columns = new Map<string, string>();
	for (const name of Object.keys(row)) {
		const plain = plainColumn(name);
		const column = COLUMNS.has(plain) ? plain : name;
		const other = columns.get(column);
		if (other !== undefined)
			throw new InputError(
				field,
				`has two columns “${column}”: ${JSON.stringify(other)} and ${JSON.stringify(name)}`,
				'Nothing was sent. Keep one of them.',
			);
		columns.set(column, name);
	}
	return Object.fromEntries([...columns].map(([column, name]) => [column, row[name]]));
}

/**
 * Says why an expression may have given nothing: the row has the column under a name that looks the same.
 *
 * @returns undefined where no column's name is like that
 */
export function oddColumns(row: IDataObject): string | undefined {
	const odd = Object.keys(row).filter((name) => name !== plainColumn(name));
	const marked = odd.find((name) => name.replace(INVISIBLE, '') !== name);
	if (marked !== undefined)
		return `Column “${marked}” begins with an invisible mark, which many programs write before a file’s first column: rename it, or read the file without it.`;
	const named = odd.filter((name) => COLUMNS.has(plainColumn(name)));
	if (named.length === 0) return undefined;
	const list = named.map((name) => `“${name}”`).join(', ');
	return `Names of columns count exactly, capitals and blanks included: this row has ${list}.`;
}

/** Texts of a product or a variant (API document, "Product", "Variant"). */
const TEXTS = ['sku', 'title', 'handle', 'description'];

/**
 * Turns a product’s texts back into text where a spreadsheet took them for numbers, e.g. the title 1984.
 *
 * @param field display name
 * @throws InputError where the number may have lost digits
 */
export function withTexts(field: string, product: IDataObject): IDataObject {
	const copy = { ...product };
	for (const name of TEXTS)
		if (typeof copy[name] === 'number') copy[name] = text(`${field}: ${name}`, copy[name]);
	const { variants } = copy;
	if (isListOfObjects(variants))
		copy.variants = variants.map((variant, index) =>
			withTexts(`${field}: variants[${index}]`, variant),
		);
	return copy;
}
