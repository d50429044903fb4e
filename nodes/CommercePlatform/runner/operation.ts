import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { PlatformClient } from '../../shared/rest/client';
import type { FetchedPage, PaginateOptions } from '../../shared/rest/pages';
import type {
	PlatformMethod,
	PlatformRequest,
	PlatformResponse,
	Service,
} from '../../shared/rest/request';
import type { Field, Item, Options } from '../../shared/values/fields';
import type { Report } from './report';
import type { Writes } from './writes';

/** What every operation has: what the user sees, and what messages and docs say about it. */
interface OperationBase {
	/** The option of the Operation list, with the request that it stands for. */
	option: INodePropertyOptions & {
		value: string;
		/** The URL is as the API document writes it, e.g. `/orders/{orderId}/cancel`; a placeholder is a parameter's name. */
		routing: { request: { method: PlatformMethod; url: string } };
	};
	fields: Field[];
	/** What the platform requires besides a scope; a sentence for the error when it refuses. */
	permission?: string;
	/** What to use until the platform releases this operation, as a sentence. */
	inDevelopment?: string;
	/**
	 * Names what a write changes, if that is not the record in its path. Writes to one target go one after the other.
	 */
	target?(readItem: ReadItem): string;
	/** Set where a wrong record would do harm for good: a record found by a name is confirmed before it is written. */
	cannotBeUndone?: true;
	/**
	 * Checks what no field can check alone, before anything is sent.
	 *
	 * @throws InputError
	 */
	check?(readItem: ReadItem): void;
	/**
	 * Completes what an item's fields say, before anything is sent or compared. It may read the platform, in dry runs too.
	 *
	 * @returns the body to send
	 * @throws InputError, PlatformError, CancelledError
	 */
	complete?(readItem: ReadItem, client: PlatformClient): Promise<IDataObject>;
	/** Says which record an item is about, for its error item, if no field of its own says it. */
	keyOf?: {
		/** Its name in the API document. */
		name: string;
		/** May throw, or return something that is no key. */
		read(item: Item): unknown;
	};
	/**
	 * Where several input items may be rows of one write: names the write that an item is a row of; undefined if it is a
	 * write of its own. May throw.
	 */
	rowOf?(item: Item): string | undefined;
	/** A sentence about a way that needs fewer requests, shown after long runs. */
	cheaperWay?: string;
}

/** Handles each item by itself: sends its one request, unless `run` does more. */
export interface EachOperation extends OperationBase {
	kind: 'each';
	/** How the item names the one record that it is about. The request that `run` gets holds its ID, whatever the name. */
	locator?: RecordLocator;
	/**
	 * Does the item's work if it takes more than the one request.
	 *
	 * @returns the record that the item becomes
	 * @throws InputError, PlatformError
	 */
	run?(call: Call): Promise<IDataObject>;
	/**
	 * The row that a dry run shows instead of the request. It may read the platform.
	 *
	 * @param found the record, if it was read for the write, or `changes` finds exactly one
	 */
	preview?(call: Call, found?: IDataObject): Promise<IDataObject> | IDataObject;
	/** How many requests an item takes, retries not counted; set if `run` sends several and some of them write. */
	requests?: number;
	/** How Only If Changed, and a dry run whose preview takes a record, find what the writes would change. */
	changes?: Changes<ReadItem> & { forPreview?: true };
	/** Shortens a record when Simplify is on. */
	simplify?(record: IDataObject): IDataObject;
	/** Whether all items only add to what their record has, so that none replaces what another has written. */
	addsUp?(item: Item): boolean;
	/** What the rows of one write make, for messages, e.g. `parcel`. What they say besides their rows must be the same. */
	madeOfRows?: string;
}

/** Reads a list by cursor. Each output item is a record or a page. */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** False if the API document gives the list no query parameters: neither `limit` nor filters. */
	takesQuery?: false;
	/** Whether a Limit means the records that changed last, if the user chose no sort. */
	newestFirst?: true;
	/** For one value of the option Output: makes several items of each record. */
	recordRows?: RecordRows;
	/** Replaces the walk through the pages. */
	run?(call: ListCall): AsyncIterable<ListPage>;
	/** How to continue in this list if its pages have no cursor. */
	keyset?: PaginateOptions['keyset'];
	simplify?(record: IDataObject): IDataObject;
}

/** Handles all items together, with a few requests. Each item gives a part of a request body. */
export interface AllOperation extends OperationBase {
	kind: 'all';
	/** What an item writes to, as far as the later of two writes wins there. */
	targetsOf(item: Pick<BulkItem, 'fields' | 'itemIndexes'>): string[];
	/** Whether what a later row writes to a target replaces something of an earlier one; by default, if they differ. */
	replaces?(later: IDataObject, earlier: IDataObject): boolean;
	/**
	 * Makes one record of its rows.
	 *
	 * @param rows all rows with this name, in input order
	 * @param tell notes a row for the hint that begins so
	 * @returns the record, and every name that its rows give it, whether or not it is sent with it
	 * @throws InputError that names the rows which cannot be used, or contradict each other
	 */
	joinRows?(
		name: string,
		rows: readonly Row[],
		tell: (hint: string, row: number) => void,
	): Pick<BulkItem, 'fields' | 'names'>;
	/** Whether its output is rows for people, with money in columns. */
	makesRows?: true;
	/** The columns of an item's row that are not sent. */
	columnsLeftOut?(item: Item): readonly string[];
	/**
	 * Does the work of all items.
	 *
	 * @throws the error of all items that have no result yet
	 */
	run(call: BulkCall): Promise<void>;
}

/** One operation of a resource. It never throttles, retries or walks pages by itself: the client does. */
export type Operation = EachOperation | ListOperation | AllOperation;

/** The API that a node is for, as the runner is told of it. */
export interface Api {
	resources: Resource[];
	service: Service;
	/** How requests are sent: a collection of fields for every operation, which n8n shows in the node's settings. */
	requestOptions: Field;
	/** How a value shows that a spreadsheet broke it. */
	cells: {
		/**
		 * Refuses broken cells in the names of a body.
		 *
		 * @throws InputError that names the field
		 */
		checkNames(body: unknown): void;
		/** Explains by the names of a row's columns why a field may be empty. @param field display name */
		oddColumns(row: IDataObject, field: string): string | undefined;
	};
}

export interface Resource {
	name: string;
	value: string;
	description: string;
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	operations: Operation[];
}

/** An input item after its fields were read. */
export interface ReadItem {
	readonly item: Item;
	/** The request that the operation's option describes, filled with this item's values. */
	readonly request: PlatformRequest;
	/** The body that the item's fields give, under the names in the API document. */
	readonly fields: IDataObject;
}

/** What an operation gets to do one item's work. */
export interface Call extends ReadItem {
	/**
	 * Sends a request. A dry run sends reads, and ends at the first write.
	 *
	 * @param step names a request besides the item's own write, and gives it an Idempotency-Key of its own
	 * @throws InputError, PlatformError, CancelledError
	 */
	send(request: PlatformRequest, step?: string): Promise<PlatformResponse>;
	/**
	 * Sends the item's own request and returns the record of the answer. If the answer has none, returns what is known:
	 * deleted, not modified, or done.
	 *
	 * @param step as in `send`
	 * @throws InputError, PlatformError, CancelledError
	 */
	record(request: PlatformRequest, step?: string): Promise<IDataObject>;
	/**
	 * The item's own write from an earlier try (Retry On Fail), if it may have been applied. It must be sent again
	 * unchanged.
	 */
	readonly earlierRequest?: PlatformRequest;
	/** Input items of the run. */
	readonly total: number;
	/** The items whose write it is, in their order: the item, or all rows of one write. */
	readonly rows: readonly Item[];
	readonly client: PlatformClient;
	/** Tells the user something about the run, once. */
	hint(text: string): void;
}

/** What all items share that a run sends to one merchant. */
export interface Run {
	readonly api: Api;
	readonly operation: Operation;
	/** Which of the input items, in their order. */
	readonly itemIndexes: readonly number[];
	/** Options that count for the whole run, if an expression could give another value for an item. */
	readonly sharedOptions: readonly Field[];
	/** The first item's Options, as they were entered. */
	readonly firstItemOptions: IDataObject;
	/** n8n's setting: how many items start together, and the pause between two such batches in ms. */
	readonly batching: { size: number; intervalMs: number };
	readonly client: PlatformClient;
	/** Whether it changes anything on the platform. */
	readonly isWrite: boolean;
	/** Made when a write first asks for it: a run that only reads has none. */
	readonly writes: Writes;
	readonly report: Report;
	/** Reads what an item's fields say. */
	read(item: Item): ReadItem;
}

/** A page of a list. A page that the operation itself put together has no answer. */
export type ListPage = Pick<FetchedPage, 'records' | 'pagination'> &
	Partial<Pick<FetchedPage, 'response'>>;

/** What an operation gets to read one item's list. */
export interface ListCall extends Call {
	/**
	 * Walks through the list as the item asks for it.
	 *
	 * @param limit records at most; by default the item's own limit
	 */
	pages(limit?: number): AsyncIterable<ListPage>;
}

/** How one record becomes several items. */
interface RecordRows {
	/** The value of the option Output. */
	output: string;
	/** The rows of a record, in the record's order. */
	of(record: IDataObject): IDataObject[];
	/** Whether the listed record has all its rows. If not, the record is read with a request of its own. */
	isWhole(record: IDataObject): boolean;
	/** The beginning of a hint about records whose rows stay unknown; their number follows. */
	missing: string;
}

/**
 * What an operation gets that handles all items together. It reports the result of each item as soon as it knows it.
 */
export interface BulkCall {
	/** In input order. All were read before anything is written. */
	readonly items: readonly BulkItem[];
	/** The first item's choices under Options and Request Options. */
	readonly options: Options;
	/** The first item's value of a parameter, for choices that count for the whole run. */
	parameter(name: string, fallback: unknown): unknown;
	readonly client: PlatformClient;
	/**
	 * Sends one write for some items. Its Idempotency-Key is made from these items and the body. So it stays the same
	 * when n8n runs the node again, until the platform refuses one of the items.
	 *
	 * @param step as in `Call.send`
	 * @throws PlatformError, with `mayBeApplied` if this or an earlier attempt may have been applied; CancelledError
	 */
	send(
		request: PlatformRequest,
		items: readonly BulkItem[],
		step?: string,
	): Promise<PlatformResponse>;
	/**
	 * Notes that the platform did not do these items' write, as its answer says. If they are sent again, that is a new
	 * write with a new key: for the old key the platform may repeat its old answer.
	 */
	refused(items: readonly BulkItem[]): void;
	/**
	 * Notes that these items' write may or may not have been done. A later refusal proves nothing then, also in a later
	 * try of the node.
	 */
	noteMayBeApplied(items: readonly BulkItem[]): void;
	/**
	 * Notes that items are done.
	 *
	 * @param record the one output item that they share
	 */
	done(items: readonly BulkItem[], record: IDataObject): void;
	/** Notes that items failed, all for the same reason. */
	failed(items: readonly BulkItem[], error: unknown): void;
	/** Whether the run has failed, so that nothing further is to be started. */
	stopped(): boolean;
	readonly report: Report;
}

/** The field that names a record, by its ID or otherwise. */
export interface RecordLocator {
	field: Field;
	/** By the field's mode: what people call the record by there. */
	names: ReadonlyMap<string, RecordName>;
}

/** A name that people use for a record, which the API takes in no path. */
export interface RecordName {
	/** The list to look in, e.g. `/orders`. */
	path: string;
	/** The query parameter that searches; `q` if undefined. */
	searchBy?: string;
	/** False if the API document gives the list no query parameters, so that it cannot be searched. */
	takesQuery?: false;
	/** A record and several, e.g. `order` and `orders`. */
	singular: string;
	records: string;
	/** What the name is called, e.g. `e-mail`. */
	called: string;
	/** All names of a record, in the form in which names are compared. */
	keysOf(record: IDataObject): string[];
	/** Further names, for a record that a search for just this name gave. */
	searchedKeysOf?(record: IDataObject): string[];
	/** Brings what the user entered into that form. */
	comparable(entered: string): string;
	/** The names of a record's other parts, if this name is that of one part. Asked where nothing can be undone. */
	others?(record: IDataObject, wanted: string): string[];
}

/** How the records of a resource are found. A key names a record the way the user did, e.g. by its SKU. */
export interface RecordSource {
	/** The list that holds every record with one of these keys. */
	list(keys: readonly string[]): PlatformRequest;
	/** The request that finds one record: a list with a filter, or the record itself. */
	requestFor(key: string): PlatformRequest;
	/** Every key that a record has. */
	keysOf(record: IDataObject): string[];
	/** What is kept of a record, its ID included; all of it by default. 100,000 whole records take noticeable memory. */
	kept?(record: IDataObject): IDataObject;
	/** Whether a record in a list leaves its keys out, so that it has to be read before it counts as another. */
	isShort?(record: IDataObject): boolean;
	/** Whether a key names at most one record, as an ID does. For any other key the whole list is searched. */
	isUnique?(key: string): boolean;
}

/** How Only If Changed finds the record that a write would change, and compares it with the write. */
export interface Changes<Write> {
	source: RecordSource;
	/** The key of the record that a write is about. */
	keyOf(write: Write): string;
	isUnchanged(write: Write, record: IDataObject): boolean;
}

/** What an input item says, which may be a row of a spreadsheet. */
export interface Row {
	/** The row of the sheet, or the item's number. */
	readonly row: number;
	/** The body that it gives, under the names in the API document; undefined if it cannot be used. */
	readonly fields?: IDataObject;
}

/** A record that is to be written with others: what a row says, or several rows of one record, named by the first. */
export interface BulkItem extends Row {
	readonly fields: IDataObject;
	/** The input item, or all items that make the record, in their order. */
	readonly itemIndexes: readonly number[];
	/** Every name that its rows give the record, if it was joined from rows. */
	readonly names?: readonly string[];
	/** What it writes to, of its account. */
	readonly targets: readonly string[];
	/** Whether an earlier try may have done it, although no answer said so. */
	readonly mayBeApplied: boolean;
	/** Whether it has its result, maybe from an earlier try (Retry On Fail). */
	hasResult: boolean;
}
