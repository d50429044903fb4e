import { InputError } from '../rest/errors';
import { describe, someText, text } from './readers';

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

/** Characters that nobody sees: the byte order mark at the beginning of a file, and characters without a width. */
export const INVISIBLE = /[\ufeff\u200b-\u200d\u2060]/g;

/** One of them, or a blank. */
const EDGE = /[\s\ufeff\u200b-\u200d\u2060]/;

/**
 * Refuses a broken cell as the name of a record.
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
