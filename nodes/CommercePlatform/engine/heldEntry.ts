import type { IDataObject } from 'n8n-workflow';

import { parseForSending, stringifyExactly } from '../../shared/exactJson';
import type { BatchEntry } from './batchCall';

/**
 * What an item asks for, kept as JSON from the reading of all items until its own result: as a text it takes a
 * third of the memory that its objects take, and they are needed only while their batch is sent.
 */
export class HeldEntry implements BatchEntry {
	private json?: string;
	private hasResult = false;

	/** @param fields that can be sent, see `checkRequest` */
	constructor(
		readonly itemIndex: number,
		fields: IDataObject,
	) {
		this.json = stringifyExactly(fields);
	}

	get fields(): IDataObject {
		return parseForSending(this.text) as IDataObject;
	}

	get bytes(): number {
		return Buffer.byteLength(this.text);
	}

	get isOpen(): boolean {
		return !this.hasResult;
	}

	/** It has a result from an earlier run. How it is grouped with others still depends on it. */
	close(): void {
		this.hasResult = true;
	}

	/** Its result is known now, and it is not asked for any more. */
	release(): void {
		this.hasResult = true;
		this.json = undefined;
	}

	private get text(): string {
		if (this.json === undefined)
			throw new TypeError(`The fields of item ${this.itemIndex} were let go with its result`);
		return this.json;
	}
}
