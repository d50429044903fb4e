import type { IDataObject } from 'n8n-workflow';

import { parseForSending, stringifyExactly } from '../../shared/values/json';
import type { BatchEntries, BatchEntry } from './batchCall';

/**
 * What items ask for, kept as JSON from the reading of all items until their own results: as a text it takes a
 * third of the memory that its objects take, and they are needed only while their batch is sent. Of an item that
 * has its result only a place in two lists is left.
 */
export class HeldEntries implements BatchEntries {
	/** By item index, with holes for items that could not be read; undefined where the text was let go. */
	private readonly texts: Array<string | undefined> = [];
	private readonly open: boolean[] = [];
	private count = 0;

	get length(): number {
		return this.count;
	}

	/**
	 * Takes an item. Items come in their order.
	 *
	 * @param fields that can be sent, see `checkRequest`
	 */
	add(itemIndex: number, fields: IDataObject): void {
		this.texts[itemIndex] = stringifyExactly(fields);
		this.open[itemIndex] = true;
		this.count++;
	}

	*[Symbol.iterator](): Generator<BatchEntry, undefined> {
		for (let itemIndex = 0; itemIndex < this.texts.length; itemIndex++) {
			if (itemIndex in this.texts) yield new HeldEntry(this, itemIndex);
		}
		return undefined;
	}

	/** @throws TypeError once the item was released */
	textOf(itemIndex: number): string {
		const text = this.texts[itemIndex];
		if (text === undefined)
			throw new TypeError(`The fields of item ${itemIndex} were let go with its result`);
		return text;
	}

	/** Whether an item has no result yet. */
	isOpen(itemIndex: number): boolean {
		return this.open[itemIndex] ?? false;
	}

	/** An item has a result from an earlier run. How it is grouped with others still depends on it. */
	close(itemIndex: number): void {
		this.open[itemIndex] = false;
	}

	/** An item has its result, and is not asked for any more. */
	release(itemIndex: number): void {
		this.open[itemIndex] = false;
		this.texts[itemIndex] = undefined;
	}
}

/** Made when it is asked for, since one for every item would be much to hold. */
class HeldEntry implements BatchEntry {
	constructor(
		private readonly held: HeldEntries,
		readonly itemIndex: number,
	) {}

	get fields(): IDataObject {
		return parseForSending(this.held.textOf(this.itemIndex)) as IDataObject;
	}

	get bytes(): number {
		return Buffer.byteLength(this.held.textOf(this.itemIndex));
	}
}
