import type { IDataObject } from 'n8n-workflow';

import type { HeldItem } from './heldItem';
import type { PlatformClient } from '../../shared/api/client';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';

/** A run of an operation that takes all input items at once. Whatever becomes of an item is said as it is known. */
export interface BatchCall {
	/** In their order. All were read before anything is sent. */
	readonly items: readonly HeldItem[];
	/** The first item's value of a parameter, for choices that count for the whole run. */
	parameter(name: string, fallback: unknown): unknown;
	readonly client: PlatformClient;
	/**
	 * Sends a write of some items. Its Idempotency-Key is made of them and of its body, so it is the same when n8n
	 * runs the node again, until the platform has refused one of them.
	 *
	 * @throws PlatformError, with `mayBeApplied` where this or an earlier attempt may have been applied; CancelledError
	 */
	send(request: PlatformRequest, items: readonly HeldItem[]): Promise<PlatformResponse>;
	/**
	 * The platform has answered some items' write, and that it did not do it. If it is sent again, it is another
	 * write: under its old key the platform may give the old answer.
	 */
	refused(items: readonly HeldItem[]): void;
	/**
	 * It is not known whether some items' write was done. Whatever refuses it from now on, also when n8n runs the node
	 * again, may refuse what was done before.
	 */
	unclear(items: readonly HeldItem[]): void;
	/**
	 * Some items are done.
	 *
	 * @param record the one output item that they led to
	 */
	done(items: readonly HeldItem[], record: IDataObject): void;
	/** Some items failed, for one reason, and are one output item. */
	failed(items: readonly HeldItem[], error: unknown): void;
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
