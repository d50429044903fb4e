import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { FetchedPage } from '../../shared/api/answer';
import type { PlatformClient } from '../../shared/api/client';
import type { InputError, PlatformError } from '../../shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../shared/api/request';
import type { PaginateOptions } from '../../shared/api/pages';
import type { Scope } from '../../shared/model/scopes';
import type { RecordSource } from '../bulk/findCurrent';
import type { Field, Item } from '../fields/field';
import type { BatchCall } from './batchCall';
import type { OperationOption } from './operationOption';
import type { Rows } from './rows';

/** A scope that an operation needs for what it reads before or after its own request. */
export interface Reads {
	scope: Scope;
	/** The choices that ask for it, in the words of the editor; none where it always reads. */
	when: string[];
}

/** What every operation of a resource says: what the user sees, and what messages and docs tell of it. */
interface OperationBase {
	option: OperationOption;
	fields: Field[];
	/**
	 * The scope that it probably needs: the API document names scopes by group, not by endpoint. Undefined
	 * where it gives not even a group (account, categories, event stream, refunds).
	 */
	scope: Scope | undefined;
	/** What it reads beside its own request. Undefined where its own scope serves for that too. */
	reads?: Reads;
	/** What the platform asks for beyond a scope, as a sentence for a refusal. */
	permission?: string;
	inDevelopment?: boolean;
	/** What to use until it is released, as a sentence. */
	meanwhile?: string;
	/**
	 * Names what a write changes, where that is not the record in its path: writes to one target go one after
	 * the other.
	 */
	target?(planned: PlannedItem): string;
	/**
	 * Refuses what the fields, each by itself, do not show, before anything is sent.
	 *
	 * @throws InputError
	 */
	check?(planned: PlannedItem): void;
	/** What an item is about, where that stands in no field of its own, for the item that its error leaves. */
	keyOf?: {
		/** Its name in the API document. */
		name: string;
		/** May throw, or give what is no key. */
		read(item: Item): unknown;
	};
	/** What a dry run says where the body is completed by a request of its own. */
	readsFirst?(planned: PlannedItem): string | undefined;
	/** A way to the same with fewer requests, as a sentence for long runs. */
	cheaperWay?: string;
	/** For the table of operations in the docs: what the description does not say by itself. */
	remark?: string;
}

/** One item's work: its one request, unless `run` says more. */
export interface EachOperation extends OperationBase {
	kind: 'each';
	/**
	 * Does the item's work, where that is more than its one request.
	 *
	 * @returns the record that the item becomes
	 * @throws InputError, PlatformError
	 */
	run?(call: Call): Promise<IDataObject>;
	/** Of an operation that sends several requests, writes among them: how many, where nothing is repeated. */
	requests?: number;
	/** How Only If Changed finds what a write would change, and compares. */
	changes?: Changes;
	/** Shortens a record when Simplify is on. */
	simplify?(record: IDataObject): IDataObject;
}

/** How Only If Changed finds what a write would change, and compares. */
export interface Changes {
	source: RecordSource;
	/** The record that an item writes to, by a key of the source. */
	keyOf(planned: PlannedItem): string;
	isUnchanged(planned: PlannedItem, record: IDataObject): boolean;
}

/** One request for one item; the answer `{ data: resource }` becomes one item. */
export interface RecordOperation extends OperationBase {
	kind: 'record';
	/** Completes the request with what must be looked up first, e.g. the ID behind a handle. */
	prepare?(call: OperationCall): Promise<PlatformRequest>;
	changes?: Changes;
	/** Turns a refusal into a result where the user asked for it; undefined leaves it an error. */
	recover?(call: OperationCall, error: PlatformError): Promise<IDataObject | undefined>;
	/** The same for what `prepare` throws, before the write is sent. */
	recoverPrepare?(planned: PlannedItem, error: InputError): IDataObject | undefined;
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

/** One request for one item, answered by 204; the item says `{ deleted: true }` with the id. */
export interface DeleteOperation extends OperationBase {
	kind: 'delete';
	prepare?(call: OperationCall): Promise<PlatformRequest>;
}

/** Several requests for one item. Its option describes the first of them, which carries no body. */
export interface SequenceOperation extends OperationBase {
	kind: 'sequence';
	prepare?(call: OperationCall): Promise<PlatformRequest>;
	/** Requests for one item, where nothing is repeated. */
	requests: number;
	run(call: OperationCall): Promise<IDataObject>;
}

/** A few requests for all items. Its option describes them; each item gives some of a body. */
export interface BatchOperation extends OperationBase {
	kind: 'all';
	/**
	 * Does the work of all items.
	 *
	 * @throws whatever fails all items of which nothing was said yet
	 */
	run(call: BatchCall): Promise<void>;
}

/** One operation of a resource. It knows nothing of limits, retries or pages. */
export type Operation =
	| EachOperation
	| RecordOperation
	| ListOperation
	| DeleteOperation
	| SequenceOperation
	| BatchOperation;

export interface Resource {
	name: string;
	value: string;
	description: string;
	/** The resource in the user's words, e.g. `order`. */
	noun: string;
	operations: Operation[];
}

/** One input item with all that it asks for. */
export interface PlannedItem {
	readonly item: Item;
	/** The request that the operation's option describes, with this item's values. */
	readonly request: PlatformRequest;
	/** What the item's fields give for a body, by its names in the API document. */
	readonly fields: IDataObject;
}

/** One item's work under way, for operations that need more than their one request. */
export interface Call extends PlannedItem {
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
	 * @throws InputError, PlatformError, CancelledError
	 */
	record(request: PlatformRequest): Promise<IDataObject>;
	/** The item's own write of an earlier try that may have been applied (Retry On Fail): sent again, it stays as it was. */
	readonly unsettled?: PlatformRequest;
	/** Waits until no other item writes to a record that was looked up, and keeps them from it until this one is done. */
	lock(path: string): Promise<void>;
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

/** The call of operations that are not functions yet. */
export type OperationCall = Call;

export type Items = INodeExecutionData[];
