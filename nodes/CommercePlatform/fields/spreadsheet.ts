import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/values/json';
import { checkName, INVISIBLE } from '../../shared/values/names';

/** Fields that name a record. A broken name would name, or create, another record. */
const NAME_COLUMNS: ReadonlySet<string> = new Set(['sku', 'handle', 'email']);

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
export const cells = { checkNames, oddColumns };
