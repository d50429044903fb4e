import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';
import { saysNothing } from '../../shared/values/readers';
import { objectsIn, skuOf } from './products';

/** A row of a spreadsheet after reading: a product with the one variant of the row, or with none. */
interface Row {
	/** The row of the sheet, or the item's number. */
	row: number;
	fields: IDataObject;
}

const NOTHING_SENT = 'Nothing was sent for this product.';

/** Beginning of the hint about rows of parents; their numbers follow. */
const PARENT_ROWS =
	'Rows with a SKU that have neither price nor options, where the others of their product have them, are the product itself and made no variant:';

/**
 * Makes one product of the rows with its handle. Any row may give a field of the product; usually the first one does.
 * Further titles are those of the variants. The variants keep the order of the rows. Rows with the same SKU are one
 * variant, for instance one row for each currency.
 *
 * @param rows in their order, at least one
 * @param tell notes a row for the hint that begins so
 * @returns the product, under the SKU of its first variant if it has one
 * @throws InputError if two rows contradict each other
 */
export function productOfRows(
	rows: readonly Row[],
	tell: (hint: string, row: number) => void,
): IDataObject {
	const product = new Merged('product');
	const variants = new Map<unknown, Merged>();
	const arePriced = rows.some(({ fields: { variants: [variant] = [] } }: RowWithVariants) =>
		Boolean(variant?.prices),
	);
	for (const { row, fields: rowFields } of rows) {
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
		const name = sku ?? Symbol(String(row));
		const merged = variants.get(name) ?? new Merged(`SKU “${String(sku)}”`);
		variants.set(name, merged);
		merged.add(row, { ...(sku !== undefined && { sku }), ...variant });
	}
	const variantList = [...variants.values()].map(({ fields }) => fields);
	const sku = variantList.map(skuOf).find((variantSku) => variantSku !== undefined);
	return {
		...(sku !== undefined && { sku }),
		...product.fields,
		...(variantList.length > 0 && { variants: variantList }),
	};
}

type RowWithVariants = { fields: { variants?: IDataObject[] } };

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
				throw differs(this.what, name, earlierRow, row);
		}
	}

	private addPrices(earlierRow: number, row: number, prices: unknown): void {
		const merged = [...(this.fields.prices as IDataObject[])];
		for (const price of prices as IDataObject[]) {
			const earlierPrice = merged.find(({ currency }) => currency === price.currency);
			if (earlierPrice === undefined) merged.push(price);
			else if (JSON.stringify(earlierPrice) !== JSON.stringify(price))
				throw differs(this.what, `prices in ${String(price.currency)}`, earlierRow, row);
		}
		this.fields.prices = merged;
	}
}

/** The error for rows of one product that say different things about it. */
export const differs = (what: string, name: string, earlierRow: number, row: number): InputError =>
	new InputError(
		`Row ${row}`,
		`says another “${name}” of the ${what} than row ${earlierRow}`,
		`${NOTHING_SENT} Both rows are about one product: leave the cell empty, or enter the same.`,
	);
