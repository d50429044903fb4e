import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/rest/errors';

/**
 * An input item, in a run that handles all items together. n8n holds the input items anyway, so this holds only what
 * names the item. Its fields are read again when they are sent, and held until it has its result.
 */
export class BulkItem {
	/** The input item, or the first one if several make a product. */
	readonly itemIndex: number;
	/** The SKU that names the product; empty if the fields have none. */
	readonly sku: string;
	/** All SKUs that it writes: several if rows make one product. */
	readonly skus: readonly string[];
	/** The currency, if it is a price; else empty. */
	readonly currency: string;
	/** Length of the fields as JSON in UTF-8, at the first reading. */
	readonly bytes: number;
	/** Whether it has its result, maybe from an earlier try (Retry On Fail). */
	hasResult = false;
	/** Whether the platform refused a batch with it, so that it is sent alone. */
	isSentAlone = false;
	private fieldsRead?: IDataObject;

	/**
	 * @param itemIndexes the input item, or all items that make one product, in their order
	 * @param fields as they were read and checked
	 * @param readAgain reads them again
	 */
	constructor(
		readonly itemIndexes: readonly number[],
		fields: IDataObject,
		private readonly readAgain: () => IDataObject,
	) {
		[this.itemIndex] = itemIndexes;
		this.sku = skuIn(fields);
		const variants = itemIndexes.length > 1 ? (fields.variants as IDataObject[]) : [];
		this.skus = [...new Set([this.sku, ...variants.map(skuIn)])];
		this.currency = String(fields.currency ?? '');
		this.bytes = Buffer.byteLength(JSON.stringify(fields));
	}

	/**
	 * The body that the item's fields give, under the names in the API document. The same reading is compared, sent and
	 * matched with the answer.
	 *
	 * @throws InputError if they cannot be read, or name another SKU now
	 */
	get fields(): IDataObject {
		return (this.fieldsRead ??= this.readFields());
	}

	/** Notes that the item has its result. */
	end(): void {
		this.hasResult = true;
		this.fieldsRead = undefined;
	}

	private readFields(): IDataObject {
		const fields = this.readAgain();
		if (skuIn(fields) === this.sku) return fields;
		throw new InputError(
			'SKU',
			`of row ${this.itemIndex + 1} was “${this.sku}” when the run began, and is “${skuIn(fields)}” now`,
			'Nothing was sent for it. Let its expression give the same whenever it is read.',
		);
	}
}

/**
 * Reads the fields of items that are about to be handled together.
 *
 * @param failed receives an item that cannot be read again
 * @returns the items that could be read
 */
export function readableItems(
	items: readonly BulkItem[],
	{ failed }: { failed(items: readonly BulkItem[], error: unknown): void },
): BulkItem[] {
	return items.filter((item) => {
		try {
			void item.fields;
			return true;
		} catch (error) {
			failed([item], error);
			return false;
		}
	});
}

const skuIn = ({ sku }: IDataObject): string => String(sku ?? '');
