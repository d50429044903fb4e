import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/api/client';
import type { FetchedPage, PaginateOptions } from '../../shared/api/pages';
import type { PlatformMethod, PlatformRequest, PlatformResponse } from '../../shared/api/request';
import type { Field, Item, Options } from '../../shared/fields';
import type { BulkItem } from './bulkItem';
import type { Changes } from './findRecords';
import type { Report } from './report';

/** What every operation of a resource says: what the user sees, and what messages and docs tell of it. */
interface OperationBase {
	/** The option of the Operation list, with the request that it stands for. */
	option: INodePropertyOptions & {
		value: string;
		/** The URL is as the API document writes it, e.g. `/orders/{orderId}/cancel`; a placeholder is a parameter's name. */
		routing: { request: { method: PlatformMethod; url: string } };
	};
	fields: Field[];
	/** What the platform asks for beyond a scope, as a sentence for a refusal. */
	permission?: string;
	/** What to use until the platform releases this operation, as a sentence. */
	inDevelopment?: string;
	/**
	 * Names what a write changes, where that is not the record in its path: writes to one target go one after
	 * the other.
	 */
	target?(readItem: ReadItem): string;
	/**
	 * Refuses what the fields, each by itself, do not show, before anything is sent.
	 *
	 * @throws InputError
	 */
	check?(readItem: ReadItem): void;
	/** What an item is about, where that stands in no field of its own, for the item that its error leaves. */
	keyOf?: {
		/** Its name in the API document. */
		name: string;
		/** May throw, or give what is no key. */
		read(item: Item): unknown;
	};
	/** A way to the same with fewer requests, as a sentence for long runs. */
	cheaperWay?: string;
}

/** One item's work: its one request, unless `run` says more. */
export interface EachOperation extends OperationBase {
	kind: 'each';
	/**
	 * Finds the record that the item names, where it is not named by its ID.
	 *
	 * @returns the item's request, with the ID; the one of the call that `run` is given
	 * @throws InputError, PlatformError
	 */
	find?(call: Call): Promise<PlatformRequest>;
	/**
	 * Does the item's work, where that is more than its one request.
	 *
	 * @returns the record that the item becomes
	 * @throws InputError, PlatformError
	 */
	run?(call: Call): Promise<IDataObject>;
	/** The row that a dry run shows instead of the request. It may read the platform. */
	preview?(call: Call): Promise<IDataObject>;
	/** Of an operation that sends several requests, writes among them: how many, where nothing is repeated. */
	requests?: number;
	/** How Only If Changed finds what a write would change, and compares. */
	changes?: Changes<ReadItem>;
	/** Shortens a record when Simplify is on. */
	simplify?(record: IDataObject): IDataObject;
}

/** A list by cursor: an item a record, or a page. */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** False where the API document gives the list no query: neither `limit` nor filters. */
	takesQuery?: false;
	/** Whether a Limit gives the records that changed last, where the user says no sort. */
	newestFirst?: true;
	/** Several items a record, for one value of the option Output. */
	rows?: Rows;
	/** Gives the list in another way than by a walk through its pages. */
	run?(call: ListCall): AsyncIterable<ListPage>;
	/** How to go on in this list where its pages carry no cursor. */
	keyset?: PaginateOptions['keyset'];
	simplify?(record: IDataObject): IDataObject;
}

/** A few requests for all items. Its option describes them; each item gives some of a body. */
export interface AllOperation extends OperationBase {
	kind: 'all';
	/** Which of several rows about one record counts, as a sentence, where it is not the last one. */
	orderOfRows?: string;
	/** How several input items, the rows of a spreadsheet, become one product. */
	rows?: {
		/** The product that an item is a row of; undefined where each item is one of its own. May throw. */
		productOf(item: Item): string | undefined;
		/**
		 * @param rows in input order, counted from 1
		 * @throws InputError that names the rows which contradict each other
		 */
		merge(rows: ReadonlyArray<{ row: number; product: IDataObject }>): IDataObject;
	};
	/**
	 * Does the work of all items.
	 *
	 * @throws the error of all items that have no result yet
	 */
	run(call: BulkCall): Promise<void>;
}

/** One operation of a resource. It knows nothing of limits, retries or pages. */
export type Operation = EachOperation | ListOperation | AllOperation;

export interface Resource {
	name: string;
	value: string;
	description: string;
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	operations: Operation[];
}

/** An input item, as its fields were read. */
export interface ReadItem {
	readonly item: Item;
	/** The request that the operation's option describes, with this item's values. */
	readonly request: PlatformRequest;
	/** What the item's fields give for a body, by its names in the API document. */
	readonly fields: IDataObject;
}

/** One item's work under way, for operations that need more than their one request. */
export interface Call extends ReadItem {
	/**
	 * Sends a request. A dry run sends what reads, and ends where it would write.
	 *
	 * @param step tells a request beside the item's one write from it, and makes its Idempotency-Key its own
	 * @throws InputError, PlatformError, CancelledError
	 */
	send(request: PlatformRequest, step?: string): Promise<PlatformResponse>;
	/**
	 * Sends the item's one request, and gives the record of its answer; where that has none, what is known: what was
	 * deleted, not modified, or done with success.
	 *
	 * @param step as in `send`
	 * @throws InputError, PlatformError, CancelledError
	 */
	record(request: PlatformRequest, step?: string): Promise<IDataObject>;
	/** The item's own write of an earlier try that may have been applied (Retry On Fail): sent again, it stays as it was. */
	readonly unsettled?: PlatformRequest;
	/** Waits until no other item writes to a record that was looked up, and keeps them from it until this one is done. */
	lock(path: string): Promise<void>;
	/** Input items of the run. */
	readonly total: number;
	/** The same object over all tries of the run (Retry On Fail), for what an operation remembers of it. */
	readonly run: object;
	readonly client: PlatformClient;
	/** Tells the user something about the run, once. */
	hint(text: string): void;
}

/** A page of a list; one that was put together by the operation has no answer. */
export type ListPage = Pick<FetchedPage, 'records' | 'pagination'> &
	Partial<Pick<FetchedPage, 'response'>>;

/** The same for a list. */
export interface ListCall extends Call {
	/**
	 * Walks through the list as the item asks for it.
	 *
	 * @param limit records at most; the item's own where it is left out
	 */
	pages(limit?: number): AsyncIterable<ListPage>;
}

/** How one record becomes several items. */
export interface Rows {
	/** The value of the option Output. */
	output: string;
	/** What there is of a record, in the order in which the record has it. */
	of(record: IDataObject): IDataObject[];
	/** Whether a record of the list says all that it takes; if not, the record is read by a request of its own. */
	isWhole(record: IDataObject): boolean;
	/** What to say of records that do not say it even then, before their number. */
	missing: string;
	/** e.g. `/orders/{id}` */
	recordPath: string;
}

/** A run of an operation that takes all input items at once. Whatever becomes of an item is said as it is known. */
export interface BulkCall {
	/** In their order. All were read before anything is sent. */
	readonly items: readonly BulkItem[];
	/** The first item's choices under Options and Request Options. */
	readonly options: Options;
	/** The first item's value of a parameter, for choices that count for the whole run. */
	parameter(name: string, fallback: unknown): unknown;
	readonly client: PlatformClient;
	/**
	 * Sends a write of some items. Its Idempotency-Key is made of them and of its body, so it is the same when n8n
	 * runs the node again, until the platform has refused one of them.
	 *
	 * @throws PlatformError, with `mayBeApplied` where this or an earlier attempt may have been applied; CancelledError
	 */
	send(request: PlatformRequest, items: readonly BulkItem[]): Promise<PlatformResponse>;
	/**
	 * The platform has answered some items' write, and that it did not do it. If it is sent again, it is another
	 * write: under its old key the platform may give the old answer.
	 */
	refused(items: readonly BulkItem[]): void;
	/**
	 * It is not known whether some items' write was done. Whatever refuses it from now on, also when n8n runs the node
	 * again, may refuse what was done before.
	 */
	unclear(items: readonly BulkItem[]): void;
	/** Whether that is so of an item. */
	isUnclear(item: BulkItem): boolean;
	/** The platform refused a batch of some items, so each goes by itself, also when n8n runs the node again. */
	goAlone(items: readonly BulkItem[]): void;
	/** Whether that is so of an item. */
	goesAlone(item: BulkItem): boolean;
	/**
	 * Some items are done.
	 *
	 * @param record the one output item that they led to
	 */
	done(items: readonly BulkItem[], record: IDataObject): void;
	/** Some items failed, for one reason, and are one output item. */
	failed(items: readonly BulkItem[], error: unknown): void;
	/** Whether the run has failed, so that nothing further is to be started. */
	stopped(): boolean;
	readonly report: Report;
}
