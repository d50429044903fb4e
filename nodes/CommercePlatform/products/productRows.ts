import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { isListOfObjects } from '../../shared/values/json';
import { readMoney } from '../../shared/values/money';
import { describe, saysNothing } from '../../shared/values/readers';

/** A row of a spreadsheet after reading: a product with the one variant of the row, or with none. */
interface ProductRow {
	/** Counted from 1. */
	row: number;
	product: IDataObject;
}

const NOTHING_SENT = 'Nothing was sent for this product.';

/** Columns of the variant whose names do not contain “variant”. */
const VARIANT_COLUMNS: ReadonlySet<string> = new Set(['sku', 'price', 'prices', 'currency']);

/**
 * The name of a column in the variant: `sku` for “Variant SKU” and “sku”. “Option1 Value” keeps its name.
 *
 * @returns undefined for a column of the product
 */
function variantColumn(column: string): string | undefined {
	const plain = column
		.trim()
		.toLowerCase()
		.replaceAll(/[\s_-]+/g, ' ');
	if (VARIANT_COLUMNS.has(plain)) return plain;
	if (plain.startsWith('variant ')) return plain.slice('variant '.length).replaceAll(' ', '_');
	return /^option ?\d/.test(plain) ? column : undefined;
}

/**
 * Reads a row that is a variant, in the form in which shops export products. Columns that begin with “variant” or
 * “option”, and `sku`, `price`, `currency` and `prices`, belong to the variant. All others belong to the product.
 *
 * @param field display name
 * @param columns without the empty ones
 * @param unit of `price`
 * @returns the product with this one variant, or with none if all columns of the variant are empty
 * @throws InputError that names the column
 */
export function rowWithVariant(
	field: string,
	columns: IDataObject,
	unit: 'major' | 'minor',
): IDataObject {
	const product: IDataObject = {};
	const variant: IDataObject = {};
	for (const [column, value] of Object.entries(columns)) {
		const name = variantColumn(column);
		if (name === undefined) product[column] = value;
		else if (variant[name] === undefined) variant[name] = value;
		else throw new InputError(field, `has two columns for the variant’s “${name}”`, NOTHING_SENT);
	}
	if (product.variants !== undefined)
		throw new InputError(
			`${field}: variants`,
			'cannot stand in a row that is a variant itself',
			`${NOTHING_SENT} Set “One Product Per” to SKU.`,
		);
	const { price, currency, ...fields } = variant;
	if (fields.prices !== undefined && !isListOfObjects(fields.prices))
		throw new InputError(
			`${field}: prices`,
			'is not a list of prices',
			`It is ${describe(fields.prices)}. ${NOTHING_SENT} Use the columns “price” and “currency”.`,
		);
	if (price !== undefined) {
		if (fields.prices !== undefined)
			throw new InputError(field, 'has both “price” and “prices”', NOTHING_SENT);
		const names = { amount: `${field}: price`, currency: `${field}: currency` };
		fields.prices = [readMoney(names, { amount: price, currency }, unit)];
	}
	const isVariant = Object.keys(fields).length > 0;
	if (isVariant && fields.sku === undefined) throw new InputError(`${field}: sku`, 'is empty');
	return isVariant ? { ...product, variants: [fields] } : product;
}

/**
 * Makes one product of the rows with its handle. Any row may give a field of the product; usually the first one does.
 * The variants keep the order of the rows. Rows with the same SKU are one variant, for instance one row for each
 * currency.
 *
 * @param rows in their order, at least one
 * @returns the product, under the SKU of its first variant
 * @throws InputError if two rows contradict each other, or no row has a SKU
 */
export function productOfRows(rows: readonly ProductRow[]): IDataObject {
	const product = new Merged('product');
	const variants = new Map<unknown, Merged>();
	for (const { row, product: rowProduct } of rows) {
		const { variants: rowVariants = [], ...fields } = rowProduct;
		product.add(row, fields);
		for (const { sku, ...variant } of rowVariants as IDataObject[]) {
			const merged = variants.get(sku) ?? new Merged(`SKU “${String(sku)}”`);
			variants.set(sku, merged);
			merged.add(row, variant);
		}
	}
	const [sku] = variants.keys();
	if (sku === undefined)
		throw new InputError(
			'SKU',
			`is empty in all rows of the handle “${String(rows[0].product.handle)}”`,
			NOTHING_SENT,
		);
	const variantList = [...variants].map(([variantSku, { fields }]) => ({
		sku: variantSku,
		...fields,
	}));
	return { sku, ...product.fields, variants: variantList } as IDataObject;
}

/** Joins what several rows say about one product or variant. */
class Merged {
	readonly fields: IDataObject = {};
	/** By field: the row that it comes from. */
	private readonly rowOf = new Map<string, number>();

	constructor(private readonly what: string) {}

	/** @throws InputError if an earlier row says something else */
	add(row: number, fields: IDataObject): void {
		for (const [name, value] of Object.entries(fields)) {
			if (saysNothing(value)) continue;
			const earlierRow = this.rowOf.get(name);
			if (earlierRow === undefined) {
				this.fields[name] = value;
				this.rowOf.set(name, row);
			} else if (name === 'prices') this.addPrices(earlierRow, row, value);
			else if (JSON.stringify(this.fields[name]) !== JSON.stringify(value))
				throw this.differs(name, earlierRow, row);
		}
	}

	private addPrices(earlierRow: number, row: number, prices: unknown): void {
		const merged = [...(this.fields.prices as IDataObject[])];
		for (const price of prices as IDataObject[]) {
			const earlierPrice = merged.find(({ currency }) => currency === price.currency);
			if (earlierPrice === undefined) merged.push(price);
			else if (JSON.stringify(earlierPrice) !== JSON.stringify(price))
				throw this.differs(`prices in ${String(price.currency)}`, earlierRow, row);
		}
		this.fields.prices = merged;
	}

	private differs(name: string, earlierRow: number, row: number): InputError {
		return new InputError(
			`Row ${row}`,
			`says another “${name}” of the ${this.what} than row ${earlierRow}`,
			`${NOTHING_SENT} Rows of one handle are one product: leave the cell empty, or enter the same.`,
		);
	}
}
