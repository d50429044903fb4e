import type { IDataObject } from 'n8n-workflow';

/** A write of a run that handles all items together: what an input item says, or several items of one record. */
export class BulkItem {
	/** The input item, or the first one if several make a record. */
	readonly itemIndex: number;
	/** Length of the fields as JSON in UTF-8. */
	readonly bytes: number;
	/** Whether it has its result, maybe from an earlier try (Retry On Fail). */
	hasResult = false;
	/** Whether the platform refused a batch with it, so that it is sent alone. */
	isSentAlone = false;
	/** The items that were joined into it; itself if there are none. */
	readonly parts: readonly BulkItem[];

	/**
	 * @param itemIndexes the input item, or all items that make one record, in their order
	 * @param fields the body that they give, under the names in the API document
	 * @param key names the record that it writes; empty if the fields do not name it
	 * @param row the row of the sheet, or the number of the first item
	 */
	constructor(
		readonly itemIndexes: readonly number[],
		readonly fields: IDataObject,
		readonly key: string,
		readonly row = itemIndexes[0] + 1,
		parts?: readonly BulkItem[],
	) {
		this.parts = parts ?? [this];
		[this.itemIndex] = itemIndexes;
		this.bytes = Buffer.byteLength(JSON.stringify(fields));
	}

	/** Joins items into one write with these fields. What becomes of the write becomes of each of them. */
	static joined(parts: readonly BulkItem[], fields: IDataObject, key: string): BulkItem {
		const itemIndexes = parts.flatMap((part) => part.itemIndexes);
		const item = new BulkItem(itemIndexes, fields, key, parts[0].row, parts);
		item.hasResult = parts.every(({ hasResult }) => hasResult);
		return item;
	}

	/** Notes that the item has its result. */
	end(): void {
		this.hasResult = true;
		for (const part of this.parts) part.hasResult = true;
	}
}
