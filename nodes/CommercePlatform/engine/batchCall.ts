import type { IDataObject } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';

/** What one input item asks for. */
export interface BatchEntry {
	readonly itemIndex: number;
	/** What its fields give for a body, by their names in the API document; made anew whenever it is asked for. */
	readonly fields: IDataObject;
	/** Length of the fields as JSON in UTF-8. */
	readonly bytes: number;
}

/** What all input items ask for, in their order. */
export interface BatchEntries extends Iterable<BatchEntry> {
	readonly length: number;
}

/** A run of an operation that takes all input items at once. Whatever becomes of an item is said as it is known. */
export interface BatchCall {
	/** All were read before anything is sent. */
	readonly entries: BatchEntries;
	/** The first item's value of a parameter, for choices that count for the whole run. */
	parameter(name: string, fallback: unknown): unknown;
	readonly client: PlatformClient;
	/**
	 * Sends a write of some items. Its Idempotency-Key is made of them and of its body, so it is the same when n8n
	 * runs the node again, until the platform has refused one of them.
	 *
	 * @throws PlatformError, CancelledError
	 */
	send(request: PlatformRequest, itemIndexes: readonly number[]): Promise<PlatformResponse>;
	/**
	 * The platform has answered some items' write, and that it did not do it. If it is sent again, it is another
	 * write: under its old key the platform may give the old answer.
	 */
	refused(itemIndexes: readonly number[]): void;
	/**
	 * Some items are done.
	 *
	 * @param record the one output item that they led to
	 */
	done(itemIndexes: readonly number[], record: IDataObject): void;
	/** Some items failed, for one reason, and are one output item. */
	failed(itemIndexes: readonly number[], error: unknown): void;
	/** Whether an earlier run of the node in the same execution has done this item (Retry On Fail). */
	wasDone(itemIndex: number): boolean;
	/** Whether the run has failed, so that nothing further is to be started. */
	stopped(): boolean;
	readonly report: RunReport;
}

/** Where a run says how far it is. */
export interface RunReport {
	/** A sentence that is said at once, and stands beside the output when the run has ended. */
	hint(text: string): void;
	/**
	 * How far the run is now.
	 *
	 * @param total undefined where it is not known
	 * @param what is counted, e.g. `products`
	 */
	progress(done: number, total: number | undefined, what: string): void;
}
