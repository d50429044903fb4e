import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../shared/errors/errors';

/**
 * What an input item asks for, in a run that takes all items at once. n8n holds the input items anyway, so nothing of
 * an item is held but what names it: its fields are read again when they are sent, and held until it has its result.
 */
export class BulkItem {
	/** The input item; the first one where several make a product. */
	readonly itemIndex: number;
	/** What the product is named by; empty where the fields have no SKU. */
	readonly sku: string;
	/** All SKUs that it writes: several where rows make one product. */
	readonly skus: readonly string[];
	/** Of a price; empty where the fields have none. */
	readonly currency: string;
	/** Length of the fields as JSON in UTF-8, as they were read first. */
	readonly bytes: number;
	/** Whether it has its result, also from an earlier run of the node in the same execution (Retry On Fail). */
	isDone = false;
	private held?: IDataObject;

	/**
	 * @param itemIndexes the input item, or all whose rows make one product, in their order
	 * @param fields that can be sent, see `checkRequest`
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
	 * What the item's fields give for a body, by their names in the API document. They are read once for all that
	 * follows, so the item is compared, sent and matched with its answer by one reading.
	 *
	 * @throws InputError where they cannot be read, or name another SKU now
	 */
	get fields(): IDataObject {
		return (this.held ??= this.readFields());
	}

	/** The item has its result. */
	end(): void {
		this.isDone = true;
		this.held = undefined;
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
 * Reads the fields of items before something is done with them together.
 *
 * @param failed takes an item that cannot be read again
 * @returns the others
 */
export function holdFields(
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
