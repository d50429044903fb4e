import type { IDataObject } from 'n8n-workflow';

/**
 * What an input item asks for, in a run that takes all items at once. It is held as a line of JSON from the reading of
 * all items until its own result: as a text it takes a third of the memory of its objects.
 */
export class HeldItem {
	/** What the product is named by; empty where the fields have no SKU. */
	readonly sku: string;
	/** Whether it has its result, also from an earlier run of the node in the same execution (Retry On Fail). */
	isDone = false;
	private line: string | undefined;

	/** @param fields that can be sent, see `checkRequest` */
	constructor(
		readonly itemIndex: number,
		fields: IDataObject,
	) {
		this.line = JSON.stringify(fields);
		this.sku = String(fields.sku ?? '');
	}

	/** What the item's fields give for a body, by their names in the API document; made anew whenever it is asked for. */
	get fields(): IDataObject {
		return JSON.parse(this.text) as IDataObject;
	}

	/** Length of the fields as JSON in UTF-8. */
	get bytes(): number {
		return Buffer.byteLength(this.text);
	}

	/** The item has its result, and is not asked for any more. */
	release(): void {
		this.isDone = true;
		this.line = undefined;
	}

	private get text(): string {
		if (this.line === undefined)
			throw new TypeError(`The fields of item ${this.itemIndex} were let go with its result`);
		return this.line;
	}
}
