import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { rawCredentialOf } from '../../shared/n8n';
import { inParallel, type PlatformClient } from '../../shared/rest/client';
import { nextTurn, pause } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import { toNodeError } from '../../shared/rest/nodeErrors';
import { CREDENTIAL } from '../../shared/rest/request';
import { isObject } from '../../shared/values/json';
import { runAll } from './all';
import { runItem } from './each';
import { holdsExpression, InputItems } from './items';
import type {
	Api,
	Changes,
	EachOperation,
	ListOperation,
	Operation,
	ReadItem,
	Resource,
} from './operation';
import {
	errorOf,
	type ItemRequest,
	type MerchantItems,
	readItems,
	type Run,
	startRun,
} from './run';
import { findRecords, findUnchanged } from './lookup';
import { Results } from './results';
import { takeLocks, untilAborted } from './writes';

/** Entries that are made when they are asked for, or are all there. */
type Series<Entry> = AsyncIterable<Entry> | readonly Entry[];

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * Runs every operation of an API from its own description. n8n's RoutingNode starts all items
 * at once, links none and overflows its stack at about 120,000 results; this takes its place.
 *
 * @returns what the node's `customOperations` holds
 */
export function customOperationsOf(api: Api): CustomOperations {
	const operationsOf = (resource: Resource) =>
		resource.operations.map((operation) => [
			operation.option.value,
			async function (this: IExecuteFunctions) {
				return [await runNode(new InputItems(this, api, operation), resource, operation)];
			},
		]);
	return Object.fromEntries(
		api.resources.map((resource) => [resource.value, Object.fromEntries(operationsOf(resource))]),
	) as CustomOperations;
}

type Pagination = (this: IExecutePaginationFunctions) => Promise<INodeExecutionData[]>;

/**
 * Runs the item when n8n insists on its RoutingNode, as it does for an AI tool. The request that n8n has built is
 * ignored. n8n also calls this when the resource or the operation is an expression: it drops the “=”, so what is left
 * is in no list.
 *
 * @returns the function for `requestOperations.pagination`, which n8n calls because `send.paginate` is true
 */
export function paginationOf(api: Api): Pagination {
	return async function (this) {
		const resourceValue = this.getNodeParameter('resource', '');
		const operationValue = this.getNodeParameter('operation', '');
		const resource = api.resources.find(({ value }) => value === resourceValue);
		const operation = resource?.operations.find(({ option }) => option.value === operationValue);
		if (resource !== undefined && operation !== undefined)
			return await runNode(new InputItems(this, api, operation), resource, operation);
		const [field, value] =
			resource === undefined ? ['Resource', resourceValue] : ['Operation', operationValue];
		// n8n has dropped the “=” of an expression, and a model enters a plain text.
		const isExpression = String(value).includes('{{');
		const remedy = isExpression
			? 'n8n takes no expression here. Choose from the list; for several operations use one node for each, after a Switch node.'
			: `There is no such ${field.toLowerCase()}. Choose from the list.`;
		const error = new InputError(field, `cannot be “${String(value)}”`, remedy);
		throw toNodeError(this.getNode(), error, undefined, this.getItemIndex());
	};
}

/**
 * What runs had written when they were stopped, by workflow and node. n8n drops the output of such a run, so the next
 * run tells of it.
 */
const cancelledRuns = new Map<string, string>();

const placeOf = ({ context, node }: InputItems): string =>
	`${String(context.getWorkflow().id)} ${node.id}`;

/**
 * Runs one operation for all input items. Each merchant's items are a run of their own; the runs go on side by side.
 *
 * @returns the output in input order
 * @throws NodeApiError, NodeOperationError with the index of the item that failed
 */
async function runNode(
	inputs: InputItems,
	resource: Resource,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const results = new Results(inputs, resource, operation);
	const merchants = await itemsByMerchant(inputs, (index, error) => results.failed([index], error));
	const begun: Array<{ run: Run; itemRequests: Series<ItemRequest> }> = [];
	for (const merchant of merchants) {
		try {
			const run = startRun(inputs, resource, operation, merchant);
			const itemRequests = readItems(run, inputs, results);
			// A mistake in an item of any merchant is found before the first request goes out.
			const all = merchants.length > 1 ? await listed(itemRequests) : undefined;
			begun.push({ run, itemRequests: all ?? itemRequests });
		} catch (error) {
			results.failed(merchant.itemIndexes, error);
		}
	}
	const cancelledBefore = cancelledRuns.get(placeOf(inputs));
	if (cancelledBefore !== undefined && cancelledRuns.delete(placeOf(inputs)))
		begun[0]?.run.report.hint(`The run before this was stopped. ${cancelledBefore}`);
	if (!results.stopped)
		await Promise.all(
			begun.map(
				async ({ run, itemRequests }) => await runMerchant(run, itemRequests, inputs, results),
			),
		);
	const writing = begun.map(({ run }) => run).filter(({ isWrite }) => isWrite);
	// Merchants of one run share what is known of its items.
	const mayBeApplied = writing[0]?.writes.itemsMayBeApplied() ?? [];
	if (inputs.context.getExecutionCancelSignal?.()?.aborted === true && inputs.total > 1) {
		const progress = results.progressText(mayBeApplied);
		begun[0]?.run.report.cancelled(progress);
		if (writing.length > 0) cancelledRuns.set(placeOf(inputs), progress);
	}
	if (results.stopped) for (const { writes } of writing) writes.store();
	// n8n runs the node again if an item failed. If not, no try follows.
	else if (results.failedCount === 0 || inputs.node.retryOnFail !== true)
		for (const { writes, itemIndexes } of writing) writes.forget(itemIndexes);
	return results.output(mayBeApplied);
}

/** How many credentials n8n is asked for at once. Each one is a query of its database. */
const CREDENTIALS_AT_ONCE = 20;

/**
 * Groups the items of a run by merchant. A credential's fields can be expressions, which n8n resolves for each item. So
 * the items of one run may go to several shops.
 *
 * @param failed receives an item whose credential cannot be read
 * @returns groups in the order of their first items
 */
async function itemsByMerchant(
	inputs: InputItems,
	failed: (itemIndex: number, error: unknown) => void,
): Promise<MerchantItems[]> {
	const { first, total } = inputs;
	const itemIndexes = Array.from({ length: total }, (_, offset) => first + offset);
	const shared = total > 2 ? await sharedCredential(inputs) : undefined;
	if (shared !== undefined) return [{ credential: shared, itemIndexes }];
	const credentials = new Map<number, IDataObject>();
	await inParallel(itemIndexes, CREDENTIALS_AT_ONCE, async (itemIndex) => {
		try {
			credentials.set(itemIndex, await credentialOf(inputs, itemIndex));
		} catch (error) {
			failed(itemIndex, error);
		}
	});
	const merchants = new Map<string, MerchantItems>();
	for (const itemIndex of itemIndexes) {
		const credential = credentials.get(itemIndex);
		if (credential === undefined) continue;
		const merchantKey = keyOf(credential);
		const merchant = merchants.get(merchantKey) ?? { credential, itemIndexes: [] };
		merchant.itemIndexes.push(itemIndex);
		merchants.set(merchantKey, merchant);
	}
	return [...merchants.values()];
}

const keyOf = ({ baseUrl, apiKey }: IDataObject): string => JSON.stringify([baseUrl, apiKey]);

const credentialOf = async ({ context }: InputItems, itemIndex: number): Promise<IDataObject> =>
	await ('getItemIndex' in context
		? context.getCredentials<IDataObject>(CREDENTIAL)
		: context.getCredentials<IDataObject>(CREDENTIAL, itemIndex));

/**
 * The credential of all items, if it holds no expression, and n8n resolves it to what was entered.
 *
 * @returns undefined if it may differ between items, or cannot be read
 */
async function sharedCredential(inputs: InputItems): Promise<IDataObject | undefined> {
	const { context, node, first, total } = inputs;
	const entered = await rawCredentialOf(context, CREDENTIAL);
	if (!isObject(entered) || holdsExpression([entered, node.credentials])) return undefined;
	try {
		const credential = await credentialOf(inputs, first);
		const last = await credentialOf(inputs, first + total - 1);
		const isShared = [credential, last].every((each) => keyOf(each) === keyOf(entered));
		return isShared ? credential : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Sends what the items of one merchant ask for, by a schedule. Without Continue On Fail nothing further is started after
 * the first failure.
 */
async function runMerchant(
	run: Run,
	itemRequests: Series<ItemRequest>,
	inputs: InputItems,
	results: Results,
): Promise<void> {
	const { operation, report } = run;
	if (operation.kind === 'all') {
		await runAll(run, operation, itemRequests, results, inputs);
		report.end(operation.cheaperWay, operation.whichRowCounts);
	} else if (operation.kind === 'each' && comparesAll(operation, run.firstItemOptions)) {
		await runChanged(run, operation, itemRequests, results);
		// Only If Changed is the cheaper way already.
		report.end();
	} else {
		await runOneByOne(run, operation, itemRequests, results);
		report.end(operation.cheaperWay);
	}
}

/** Whether all items are compared with the platform's records before the first one is sent. */
const comparesAll = (
	operation: EachOperation,
	{ onlyIfChanged, dryRun }: IDataObject,
): operation is EachOperation & { changes: Changes<ReadItem> } =>
	operation.changes !== undefined &&
	(onlyIfChanged === true || (operation.changes.forPreview === true && dryRun === true));

/**
 * Compares all items with the platform's records before the first one is sent. Leaves out what would change nothing; a
 * dry run shows it.
 */
async function runChanged(
	run: Run,
	operation: EachOperation & { changes: Changes<ReadItem> },
	itemRequests: Series<ItemRequest>,
	results: Results,
): Promise<void> {
	const all = await listed(itemRequests);
	if (results.stopped) return;
	let found: ReadonlyMap<ReadItem, IDataObject>;
	try {
		found = await recordsToCompare(run, operation.changes, all);
	} catch (error) {
		const itemIndexes = all.map(({ item }) => item.itemIndex);
		return results.failed(itemIndexes, error);
	}
	await runOneByOne(run, operation, all, results, found);
}

/** The platform's records of the items that would change nothing, and of those that a dry run shows. */
async function recordsToCompare(
	run: Run,
	changes: NonNullable<EachOperation['changes']>,
	all: readonly ItemRequest[],
): Promise<ReadonlyMap<ReadItem, IDataObject>> {
	const compared = all.filter(({ dryRun, item }) => item.options.onlyIfChanged === true && !dryRun);
	const found = await findUnchanged<ReadItem>(run, changes, compared);
	const shown = all.filter(({ dryRun }) => dryRun && changes.forPreview);
	const named = await findRecords(run, changes.source, shown.map(changes.keyOf));
	for (const write of shown) {
		const [record, ...others] = named.get(changes.keyOf(write)) ?? [];
		if (record !== undefined && others.length === 0) found.set(write, record);
	}
	return found;
}

/**
 * Sends each item's request.
 *
 * @param found the records of the items that would change nothing, and of those that a dry run shows
 */
async function runOneByOne(
	run: Run,
	operation: EachOperation | ListOperation,
	itemRequests: Series<ItemRequest>,
	results: Results,
	found?: ReadonlyMap<ReadItem, IDataObject>,
): Promise<void> {
	const { isWrite, report, itemIndexes } = run;
	const total = itemIndexes.length;
	const tellProgress = () => {
		if (total > 1) report.progress(results.doneCount + results.failedCount, total, 'items');
	};
	const work = async (itemRequest: ItemRequest, hadToWait: boolean) => {
		const { itemIndex } = itemRequest.item;
		const output: INodeExecutionData[] = [];
		try {
			// While the item waited, others may have written another value than the one that was compared.
			const same = hadToWait ? undefined : found?.get(itemRequest);
			await runItem(run, operation, itemRequest, output, same);
			if (isWrite) run.writes.done(itemIndex, output);
			results.done(itemIndex, output);
		} catch (error) {
			results.failed([itemIndex], errorOf(run, itemIndex, error), output);
		}
		tellProgress();
	};
	await runSchedule(run, itemRequests, work, () => results.stopped);
}

/** All entries. */
async function listed<Entry>(entries: Series<Entry>): Promise<Entry[]> {
	const all: Entry[] = [];
	for await (const entry of entries) all.push(entry);
	return all;
}

/** How many items may wait for others with the same target while further ones go on. With more, the rest waits too. */
const MAX_WAITING = 1_000;

/**
 * Works on items, several at once, started in input order. Items that write to one target go one after the other.
 *
 * @param batching n8n's setting: a pause after each batch of items
 * @param entries in input order, each with what it writes to; made a bounded number ahead of their use
 * @param work does the work of an item; `hadToWait` says that others wrote to its target meanwhile; must not reject
 * @param stopped whether no further item is to be started
 * @throws CancelledError in the pause between two batches
 */
export async function runSchedule<Target extends { targets: readonly string[] }>(
	{ client, batching }: { client: PlatformClient; batching: { size: number; intervalMs: number } },
	entries: Series<Target>,
	work: (entry: Target, hadToWait: boolean) => Promise<void>,
	stopped: () => boolean,
): Promise<void> {
	const slots = new Pool(client.options.maxInFlight);
	const waiting = new Pool(MAX_WAITING);
	const aborted = untilAborted(client.signal);
	const running = new Set<Promise<void>>();
	const runLocked = async (entry: Target, lock?: ReturnType<typeof takeLocks>) => {
		const hasToWait = lock?.ready !== undefined;
		if (hasToWait) {
			await Promise.race([lock.ready, aborted]);
			waiting.release();
			await slots.acquire();
		}
		if (!stopped()) await work(entry, hasToWait);
		slots.release();
		lock?.release();
	};
	let started = 0;
	for await (const entry of madeAhead(entries)) {
		await nextTurn();
		if (batching.intervalMs > 0 && started > 0 && started % batching.size === 0) {
			await Promise.all(running);
			if (!stopped()) await pause(client.clock, batching.intervalMs, client.signal);
		}
		if (stopped()) break;
		started++;
		const lock = entry.targets.length > 0 ? takeLocks(entry.targets) : undefined;
		// An item that waits must not take a slot from items that could go on.
		await (lock?.ready === undefined ? slots : waiting).acquire();
		const done = runLocked(entry, lock);
		running.add(done);
		void done.then(() => running.delete(done));
	}
	await Promise.all(running);
}

/** Lets a number of things be under way at once. Others wait in order. */
class Pool {
	private readonly queue: Array<() => void> = [];

	/** @param free how many may be under way */
	constructor(private free: number) {}

	/** Waits for a slot. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	release(): void {
		const next = this.queue.shift();
		if (next === undefined) this.free++;
		else next();
	}
}

/**
 * How many items are read and checked ahead of the one that is sent. So a mistake in the last of a few thousand items
 * is found before the first one is written, and a million items need not all be held. A much smaller number costs time,
 * because reading and sending would take turns.
 */
const ITEMS_AHEAD = 10_000;

/** Makes entries a bounded number ahead of their use, and drops each one when it is used. */
async function* madeAhead<Entry>(entries: Series<Entry>): AsyncGenerator<Entry, void, void> {
	const entriesAhead: Entry[] = [];
	for await (const entry of entries) {
		entriesAhead.push(entry);
		if (entriesAhead.length > ITEMS_AHEAD) yield entriesAhead.shift() as Entry;
	}
	while (entriesAhead.length > 0) yield entriesAhead.shift() as Entry;
}
