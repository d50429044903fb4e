import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../shared/rest/errors';
import { isListOfObjects, isSame, objectsIn, snakeName } from '../../../shared/values/json';
import { type AmountForm, MINOR, readMoney } from '../../../shared/values/money';
import { describe, saysNothing, someText } from '../../../shared/values/readers';
import { withoutBlanks } from '../../fields/jsonText';
import { INVISIBLE, plainName } from '../../../shared/values/names';
import { INPUT_ITEM } from '../../fields/spreadsheet';
import type { Row } from '../../runner/operation';
import { categoriesEntered } from './categories';
import { currencyKey, skuOf, skusOf } from './changes';

/** What the columns of a row stand for. The names are those of the API document ("Product", "Variant", "Price"). */
const COLUMNS: ReadonlyMap<string, string> = new Map([
	...['op', 'title', 'handle', 'status', 'description', 'categories', 'variants'].map(sameName),
	...['sku', 'price', 'prices', 'amount', 'decimal', 'currency'].flatMap((name) => [
		sameName(name),
		[`variant_${name}`, name] as const,
	]),
	['variant_title', 'variantTitle'],
	['price_currency', 'currency'],
	// A Google feed and a WooCommerce export.
	['item_group_id', 'group'],
	['parent', 'group'],
	['name', 'title'],
	['regular_price', 'price'],
]);

/** Columns that only count if the row has another one: n8n's data tables have an `id` as well, and forms a `name`. */
const NEEDS_COLUMN: Readonly<Record<string, string>> = {
	id: 'item_group_id',
	name: 'regular_price',
	parent: 'regular_price',
};

const PRICE_COLUMNS = ['price', 'variant_price', 'regular_price'];

/** The values of a variant's options, which shops join to its title. */
const OPTION = /^(?:option_?\d+(?:_value)?|attribute_\d+_values?)$/;

/** A list that a spreadsheet has spread over columns: `categories.0`. */
const CATEGORY = /^categories_\d+$/;

function sameName(name: string): readonly [string, string] {
	return [name, name];
}

/** How the columns of all rows are read. */
interface RowSettings {
	/** How `price`, and `amount` without `decimal`, are entered. */
	form: AmountForm;
	/** Counts where a row has none. */
	currency?: string;
	/** Further columns to send under their own names; `all` sends all. */
	sendAsTheyAre: readonly string[];
	/** Whether rows with one handle are one product, so that each is a variant. */
	isVariant: boolean;
}

/**
 * What a column stands for: a name of the API document, `option`, or undefined if it is not known.
 *
 * @param names of all columns of the row, in one spelling
 */
function meaningOf(name: string, names: ReadonlySet<string>): string | undefined {
	const needed = NEEDS_COLUMN[name];
	// WooCommerce's own number of a row, by which a row may name its parent.
	if (name === 'id' && hasParents(names)) return 'rowId';
	if (needed !== undefined && !names.has(needed)) return undefined;
	// Beside a price it may count pieces.
	if (name === 'amount' && PRICE_COLUMNS.some((price) => names.has(price))) return undefined;
	if (isOwnExport(names) && /^variant_(?:price|prices|amount|currency)$/.test(name))
		return LEFT_OUT;
	if (name.endsWith(MINOR) && names.has(name.slice(0, -MINOR.length))) return LEFT_OUT;
	if (name === 'id') return names.has('sku') ? undefined : 'sku';
	// These shops have paths of their own categories there.
	if (name === 'categories' && names.has('regular_price')) return undefined;
	if (OPTION.test(name)) return 'option';
	return CATEGORY.test(name) ? 'categories' : COLUMNS.get(name);
}

/** Whether the rows are of a WooCommerce export that names the parents of variations. */
const hasParents = (names: ReadonlySet<string>) =>
	names.has('parent') && names.has('regular_price');

/** Its rows have the price in major and in minor units. A variant's own fields keep a prefix there. */
const isOwnExport = (names: ReadonlySet<string>) => names.has('price') && names.has('price_minor');

/** What is known and not sent. */
const LEFT_OUT = 'leftOut';

/** The percent sign is kept: a discount is no price. */
const plainColumn = (column: string): string =>
	snakeName(column.replace(INVISIBLE, '').replace('%', ' percent'));

/** The columns of a row, each with what it stands for. */
type Columns = ReadonlyArray<{ readonly column: string; readonly meaning?: string }>;

interface Header {
	columns: Columns;
	/** Of the columns, in one spelling. */
	names: ReadonlySet<string>;
}

/** That of the row that was read last: the next row mostly has the same. */
let lastHeader: Header = { columns: [], names: new Set() };

function headerOf(row: IDataObject): Header {
	const written = Object.keys(row);
	const last = lastHeader.columns;
	const isSame =
		written.length === last.length && written.every((name, at) => name === last[at].column);
	if (isSame) return lastHeader;
	const plain = written.map(plainColumn);
	const names = new Set(plain);
	const columns = written.map((column, at) => ({ column, meaning: meaningOf(plain[at], names) }));
	return (lastHeader = { columns, names });
}

const meanings = (row: IDataObject): Columns => headerOf(row).columns;

/** What the first cell with a meaning says, without blanks around it. Nothing else is read. */
function firstIn(row: IDataObject, columns: Columns, wanted: string): unknown {
	const cell = columns.find(
		({ column, meaning }) => meaning === wanted && !saysNothing(row[column]),
	);
	return cell && nameIn(row[cell.column]);
}

/** The SKU of a row, whatever its cell holds. */
export const skuOfRow = (row: IDataObject): unknown => firstIn(row, meanings(row), 'sku');

/** What rows of one product have in common: the handle, or another shop's name for the group. */
export function groupOf(row: IDataObject): string {
	const columns = meanings(row);
	const first = (meaning: string) => firstIn(row, columns, meaning);
	const isOfParents = columns.some(({ meaning }) => meaning === 'group');
	if (!isOfParents) return String(first('handle') ?? '');
	// WooCommerce names a parent without a SKU by its number.
	const number = first('rowId');
	const parentOfOthers =
		first('sku') ?? (number === undefined ? undefined : `id:${String(number)}`);
	return String(first('group') ?? parentOfOthers ?? first('handle') ?? '');
}

/** Google Sheets numbers its rows in it, and messages name a row by it. */
const ROW_NUMBER = 'row_number';

/** The columns of a row that are not sent, because they are no fields of a product. Blank ones count too. */
export const columnsLeftOut = (row: IDataObject, sendAsTheyAre: readonly string[]): string[] =>
	meanings(row)
		.filter(({ column, meaning }) => meaning === undefined && column !== ROW_NUMBER)
		.map(({ column }) => column)
		.filter((column) => !isSentAsIs(column, sendAsTheyAre));

const isSentAsIs = (column: string, sendAsTheyAre: readonly string[]): boolean =>
	sendAsTheyAre.includes(column.trim()) ||
	(sendAsTheyAre.length === 1 &&
		sendAsTheyAre[0].toLowerCase() === 'all' &&
		// It is about the sheet, and differs in the rows of one product.
		column !== ROW_NUMBER);

/** For records of products where rows are wanted. */
const ROWS_OF_VARIANTS =
	"Get products with 'Output' set to Variants, which gives a row for each, or enter a column 'sku' with the SKU of one of them and set 'One Product Per' to SKU.";

/**
 * The product of a row: with its one variant, if the row describes one.
 *
 * @throws InputError that names the column
 */
export function productOfRow(row: IDataObject, settings: RowSettings): IDataObject {
	const { product, variant } = readRow(row, settings);
	const { variants, ...fields } = withoutBlanks(product);
	const { sku, ...ofVariant } = withoutBlanks(variant);
	if (settings.isVariant) {
		if (variants !== undefined)
			throw new InputError(
				`${INPUT_ITEM}: variants`,
				'cannot be in a row that is a variant itself',
				`Nothing was sent for this product. ${ROWS_OF_VARIANTS}`,
			);
		if (groupOf(row) === '') someText(`${INPUT_ITEM}: handle`, fields.handle);
		const rowVariant = { ...(sku !== undefined && { sku }), ...ofVariant };
		return Object.keys(rowVariant).length === 0 ? fields : { ...fields, variants: [rowVariant] };
	}
	if (sku === undefined && variants !== undefined)
		throw new InputError(
			`${INPUT_ITEM}: sku`,
			'is empty beside a list of variants',
			`Nothing was sent for this product. ${ROWS_OF_VARIANTS}`,
		);
	someText(`${INPUT_ITEM}: sku`, sku);
	if (Object.keys(ofVariant).length === 0)
		return { sku, ...fields, ...(variants !== undefined && { variants }) };
	if (variants === undefined) return { sku, ...fields, variants: [{ sku, ...ofVariant }] };
	throw new InputError(
		INPUT_ITEM,
		"has both 'variants' and a title or price of a variant",
		'Nothing was sent for it. Keep one of them.',
	);
}

/**
 * Reads a row of a spreadsheet: known columns, in any capitals, with blanks, hyphens or underscores.
 *
 * @returns the product's own fields, and those of the one variant that the row describes: SKU, title, prices
 */
function readRow(row: IDataObject, settings: RowSettings) {
	const cells: Record<string, unknown> = {};
	const product: IDataObject = {};
	const options: string[] = [];
	const categories: Array<string | string[]> = [];
	const { columns, names } = headerOf(row);
	for (const { column, meaning } of columns) {
		const value = row[column];
		if (saysNothing(value) || meaning === LEFT_OUT) continue;
		const mayBeSentAsIs = meaning === undefined || meaning === 'rowId';
		if (mayBeSentAsIs && isSentAsIs(column, settings.sendAsTheyAre)) product[column] = value;
		if (meaning === undefined) continue;
		if (meaning === 'option') options.push(String(value).trim());
		else if (meaning === 'categories')
			categories.push(...categoriesEntered(`${INPUT_ITEM}: ${column}`, value));
		else if (meaning in cells) throw twoColumns(row, columns, meaning, column);
		else cells[meaning] = value;
	}
	const { sku, variantTitle, price, prices, amount, decimal, currency, ...own } = cells;
	// WooCommerce keeps texts from being formulas by an apostrophe.
	if (typeof own.title === 'string' && names.has('regular_price'))
		own.title = own.title.replace(/^'(?=[-=+@])/, '');
	// In its export, a row with a parent has the title of its variation.
	const isVariation = settings.isVariant && hasParents(names) && own.group !== undefined;
	const optionTitle = options.filter((option) => option !== 'Default Title').join(' / ');
	const ownTitle = isVariation ? own.title : undefined;
	const variant: Record<string, unknown> = { sku: nameIn(sku) };
	const title = variantTitle ?? (optionTitle || ownTitle);
	if (title !== undefined) variant.title = title;
	const priced = { price, prices, amount, decimal, currency };
	const rowPrices = pricesOf(priced, isOwnExport(names), settings);
	if (rowPrices !== undefined) variant.prices = rowPrices;
	// These only say which rows belong together.
	for (const name of ['group', 'rowId', ...(isVariation ? ['title'] : [])]) delete own[name];
	if (categories.length > 0) product.categories = categories;
	if (own.status !== undefined) own.status = statusIn(own.status);
	if (own.handle !== undefined) own.handle = nameIn(own.handle);
	return {
		product: { ...own, ...product } as IDataObject,
		variant: variant as IDataObject,
	};
}

function twoColumns(
	row: IDataObject,
	columns: Columns,
	meaning: string,
	second: string,
): InputError {
	const first = columns.find((each) => each.meaning === meaning && !saysNothing(row[each.column]));
	return new InputError(
		INPUT_ITEM,
		`has two columns “${meaning}”: ${JSON.stringify(first?.column)} and ${JSON.stringify(second)}`,
		'Nothing was sent. Keep one of them.',
	);
}

/** A name as it was meant, if the cell holds a text. */
const nameIn = (value: unknown): unknown => (typeof value === 'string' ? plainName(value) : value);

/** The document's states in small letters; shops call a published product active. */
function statusIn(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const word = value.trim().toLowerCase();
	return word === 'active' ? 'published' : ['draft', 'published'].includes(word) ? word : value;
}

/**
 * @param isInBothUnits whether minor units stand beside `price`, which is in major units then
 * @returns undefined if the row says no price
 */
function pricesOf(
	{ price, prices, amount, decimal, currency }: Record<string, unknown>,
	isInBothUnits: boolean,
	{ form, currency: currencyOfAll }: RowSettings,
): IDataObject[] | undefined {
	const isPriced = [price, amount, decimal].some((cell) => cell !== undefined);
	if (prices !== undefined) {
		if (!isListOfObjects(prices))
			throw new InputError(
				`${INPUT_ITEM}: prices`,
				'is not a list of prices',
				`It is ${describe(prices)}. Nothing was sent. Use the columns 'price' and 'currency'.`,
			);
		if (isPriced)
			throw new InputError(INPUT_ITEM, "has both 'price' and 'prices'", 'Nothing was sent.');
		return prices;
	}
	if (!isPriced) return undefined;
	const written = amountAndCurrency(price ?? decimal ?? amount);
	const ownCode = written.currency ?? currency;
	const besides = currencyKey(String(currency)) ?? '';
	const isOther = /^[A-Z]{3}$/.test(besides) && besides !== currencyKey(written.currency);
	if (written.currency !== undefined && isOther)
		throw new InputError(
			INPUT_ITEM,
			`has the price ${describe(price ?? decimal ?? amount)} beside the currency ${describe(currency)}`,
			'Nothing was sent for it. Keep one currency.',
		);
	const code = ownCode ?? currencyOfAll;
	const column = price !== undefined ? 'price' : decimal !== undefined ? 'decimal' : 'amount';
	if (saysNothing(code))
		throw new InputError(
			'Currency',
			'is missing',
			`The row has a price, in the column '${column}', and no column 'currency'. Enter the currency of all rows here.`,
		);
	const names = {
		amount: `${INPUT_ITEM}: ${column}`,
		currency: ownCode === undefined ? 'Currency' : `${INPUT_ITEM}: currency`,
	};
	const isMajor = column === 'decimal' || (column === 'price' && isInBothUnits);
	const columnForm: AmountForm = isMajor ? { ...form, unit: 'major' } : form;
	const money = readMoney(names, { amount: written.amount, currency: code }, columnForm);
	if (money.amount < 0) throw new InputError(names.amount, 'must not be less than 0');
	// Its own export has both. If only one of them was changed, nobody knows which one is meant.
	if (column === 'decimal' && amount !== undefined && Number(amount) !== money.amount)
		throw new InputError(
			names.amount,
			'contradicts the amount next to it',
			`'amount' is ${describe(amount)}, in minor units. Nothing was sent. Delete the column 'amount', or 'decimal'.`,
		);
	return [money];
}

/** The amount and the currency of a cell such as `10.00 EUR`, as feeds write it. */
function amountAndCurrency(value: unknown): { amount: unknown; currency?: string } {
	const written = /^\s*(\S{1,40})\s+([A-Za-z]{3})\s*$/.exec(String(value).slice(0, 60));
	return written === null ? { amount: value } : { amount: written[1], currency: written[2] };
}

/** Beginning of the hint about rows of parents; their numbers follow. */
const PARENT_ROWS =
	'Rows with a SKU that have neither price nor options, where the others of their product have them, are the product itself and made no variant:';

/**
 * Makes one product of the rows with its handle. Any row may give a field of the product; usually the first one does.
 * Further titles are those of the variants. The variants keep the order of the rows. Rows with the same SKU are one
 * variant, for instance one row for each currency. See `joinRows` of `AllOperation`.
 *
 * @returns the product, under the SKU of its first variant if it has one, and the SKUs of all rows: that of a parent's
 *   row, which makes no variant, still says which product it is
 * @throws InputError if a row cannot be used, so that nothing of the product is sent, or two contradict each other
 */
export function productOfRows(
	name: string,
	rows: readonly Row[],
	tell: (hint: string, row: number) => void,
): { fields: IDataObject; names: string[] } {
	const unusable = rows.find(({ fields }) => fields === undefined);
	if (unusable !== undefined)
		throw new InputError(
			`Row ${unusable.row}`,
			`of the product “${name}” cannot be used, so nothing of the product was sent`,
			'Correct that row, or remove it.',
		);
	const product = new Agreed('product');
	const variants = new Map<unknown, Agreed>();
	const arePriced = rows.some(({ fields }) => objectsIn(fields?.variants)[0]?.prices !== undefined);
	for (const { row, fields: rowFields = {} } of rows) {
		const { variants: rowVariants, title, ...fields } = rowFields;
		const [{ sku, ...variant } = {} as IDataObject] = objectsIn(rowVariants);
		product.add(row, fields);
		const isVariant = sku !== undefined || Object.keys(variant).length > 0;
		const isParent = arePriced && isVariant && Object.keys(variant).length === 0;
		if (isParent) tell(PARENT_ROWS, row);
		if (product.fields.title === undefined) product.add(row, { title });
		else if (title !== product.fields.title && isVariant && !isParent) variant.title ??= title;
		if (!isVariant || isParent) continue;
		// Variants without a SKU are not told apart by it.
		const key = sku ?? Symbol(String(row));
		const agreed = variants.get(key) ?? new Agreed(`SKU “${String(sku)}”`);
		variants.set(key, agreed);
		agreed.add(row, { ...(sku !== undefined && { sku }), ...variant });
	}
	const names = rows.flatMap(({ fields = {} }) => skusOf(fields));
	// Nothing would find the product again.
	if (names.length === 0) someText(`${INPUT_ITEM}: handle`, product.fields.handle);
	const variantList = [...variants.values()].map(({ fields }) => fields);
	const sku = variantList.map(skuOf).find((variantSku) => variantSku !== undefined);
	return {
		fields: {
			...(sku !== undefined && { sku }),
			...product.fields,
			...(variantList.length > 0 && { variants: variantList }),
		},
		names,
	};
}

/** What several rows say about one product or variant, as far as they agree. */
export class Agreed {
	readonly fields: IDataObject = {};
	/** By field: the row that it comes from. */
	private readonly rowOf = new Map<string, number>();

	/** @param what e.g. `product` */
	constructor(private readonly what: string) {}

	/** @throws InputError if an earlier row says something else */
	add(row: number, fields: IDataObject): void {
		for (const [name, value] of Object.entries(fields)) {
			if (value === undefined) continue;
			const earlierRow = this.rowOf.get(name);
			if (earlierRow === undefined) {
				this.fields[name] = value;
				this.rowOf.set(name, row);
			} else if (name === 'prices') this.addPrices(earlierRow, row, value);
			else if (!isSame(this.fields[name], value)) throw this.differs(name, earlierRow, row);
		}
	}

	private addPrices(earlierRow: number, row: number, prices: unknown): void {
		const agreed = [...(this.fields.prices as IDataObject[])];
		for (const price of prices as IDataObject[]) {
			const earlierPrice = agreed.find(({ currency }) => currency === price.currency);
			if (earlierPrice === undefined) agreed.push(price);
			else if (!isSame(earlierPrice, price))
				throw this.differs(`prices in ${String(price.currency)}`, earlierRow, row);
		}
		this.fields.prices = agreed;
	}

	private differs(name: string, earlierRow: number, row: number): InputError {
		return new InputError(
			`Row ${row}`,
			`has another “${name}” of the ${this.what} than row ${earlierRow}`,
			'Nothing was sent for this product. Both rows are about one product: leave the cell empty, or enter the same.',
		);
	}
}
