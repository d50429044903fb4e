import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { rawCredentialOf } from '../../shared/n8n';
import { createClient, inParallel } from '../../shared/rest/client';
import { nextTurn } from '../../shared/rest/clock';
import { InputError } from '../../shared/rest/errors';
import { toNodeError } from '../../shared/rest/nodeErrors';
import { CREDENTIAL, proxyOf, type SendOptions } from '../../shared/rest/request';
import type { Field } from '../../shared/values/fields';
import { isObject } from '../../shared/values/json';
import { wholeNumber } from '../../shared/values/readers';
import { runAll } from './all';
import { errorOf, runOneByOne } from './each';
import {
	holdsExpression,
	InputItems,
	itemReader,
	type ItemRequest,
	itemRequestOf,
	optionsIn,
	overwritesOf,
	ownOptions,
	readChoices,
} from './items';
import { joinRows } from './joined';
import type { Api, Operation, Resource, Run } from './operation';
import { Report } from './report';
import { Results } from './results';
import { listed, type Series } from './schedule';
import { type Writes, writesOf } from './writes';

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
			// Nothing is read before the schedule, or `listed`, asks for it.
			const read = itemRequestsOf(run, inputs, results);
			const itemRequests =
				operation.kind === 'each' && operation.madeOfRows !== undefined
					? joinRows(run, operation, read, inputs, results)
					: read;
			// A mistake in an item of any merchant is found before anything is written.
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
			begun.map(async ({ run, itemRequests }) => {
				if (operation.kind !== 'all')
					return await runOneByOne(run, operation, itemRequests, results);
				await runAll(run, operation, itemRequests, results, inputs);
				run.report.end(operation.cheaperWay);
			}),
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

/** Items of a run whose credential has the same address and key. They go to one merchant. */
interface MerchantItems {
	/** The credential as n8n has resolved it for these items. */
	credential: IDataObject;
	/** In input order. */
	itemIndexes: number[];
}

/**
 * Prepares a run over the items of a merchant. Options that count for the whole run are those of its first item.
 *
 * @throws CredentialError, InputError
 */
function startRun(
	inputs: InputItems,
	resource: Resource,
	operation: Operation,
	{ credential, itemIndexes }: MerchantItems,
): Run {
	const { api, context, node } = inputs;
	const item = inputs.item(itemIndexes[0]);
	const { requestOptions, service } = api;
	const chosen = item.parameter(requestOptions.name, {}) as IDataObject;
	const client = createClient(service, context, credential, sendOptionsOf(requestOptions, chosen));
	const { kind, option } = operation;
	let writes: Writes | undefined;
	const sendsSeveral = kind === 'each' && operation.requests !== undefined;
	return {
		api,
		operation,
		itemIndexes,
		sharedOptions: inputs.isSame('options')
			? []
			: ownOptions(operation).filter(
					({ name }) => kind === 'all' || ['dryRun', 'onlyIfChanged'].includes(name),
				),
		firstItemOptions: item.parameter('options', {}) as IDataObject,
		batching: batchingOf(chosen),
		client,
		isWrite: kind === 'all' || sendsSeveral || option.routing.request.method !== 'GET',
		get writes() {
			return (writes ??= writesOf(
				inputs,
				`${resource.value}.${option.value}`,
				client.credentialId,
			));
		},
		report: new Report(context, client),
		read: itemReader(api, operation, node),
	};
}

/**
 * How requests are sent, as the first item chooses it for the whole run. Undefined values are left out, since they would
 * replace the defaults.
 *
 * @param chosen what was entered under Request Options: n8n's own options, and ours
 * @throws InputError
 */
function sendOptionsOf(requestOptions: Field, chosen: IDataObject): Partial<SendOptions> {
	// The other options are read for each item.
	const choice = (wanted: string): unknown =>
		readChoices(
			optionsIn(requestOptions).filter(({ name }) => name === wanted),
			chosen,
		)[wanted];
	const maxRetryWait = choice('maxRetryWait');
	const options = {
		maxInFlight: choice('maxRequestsAtOnce'),
		maxWaitMs: maxRetryWait === undefined ? undefined : Number(maxRetryWait) * 1000,
		keepDailyBudgetPercent: choice('keepDailyBudget'),
		keepMinuteBudgetPercent: choice('keepMinuteBudget'),
		retryWrites: choice('retryWrites'),
		timeoutMs: chosen.timeout ? wholeNumber('Timeout', chosen.timeout, 1) : undefined,
		skipSslCertificateValidation: chosen.allowUnauthorizedCerts === true || undefined,
		proxy: (chosen.proxy ?? '') === '' ? undefined : proxyOf(chosen.proxy),
	};
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** n8n's own batching setting: how many items start together, and the pause between two such batches in ms. */
function batchingOf({ batching }: IDataObject) {
	const { batch = {} } = (batching ?? {}) as { batch?: IDataObject };
	const size = Number(batch.batchSize ?? 0);
	const intervalMs = Number(batch.batchInterval ?? 0);
	return { size: size > 0 ? size : 1, intervalMs: intervalMs > 0 ? intervalMs : 0 };
}

/**
 * Yields the items' requests in input order, each made when it is asked for. Items that cannot be read fail here. Those
 * that an earlier try has done are done, whatever their expressions say now. A long reading lets n8n go on now and then.
 */
async function* itemRequestsOf(
	run: Run,
	inputs: InputItems,
	results: Results,
): AsyncGenerator<ItemRequest, void, void> {
	const sendsEach = run.isWrite && run.operation.kind !== 'all';
	for (const itemIndex of run.itemIndexes) {
		await nextTurn();
		const doneBefore = sendsEach ? run.writes.outputOfEarlierTry(itemIndex) : undefined;
		if (doneBefore !== undefined) {
			results.done(itemIndex, doneBefore);
			continue;
		}
		let itemRequest: ItemRequest;
		try {
			itemRequest = await completed(run, itemRequestOf(run, inputs.item(itemIndex)));
		} catch (error) {
			results.failed([itemIndex], errorOf(run, [itemIndex], error));
			continue;
		}
		const { item, request, targets, fields, addsUp } = itemRequest;
		for (const target of addsUp ? [] : overwritesOf(request, targets).targets)
			run.report.writesTo(target, { row: item.row, fields });
		yield itemRequest;
	}
}

/**
 * Completes an item's request, for operations that do so. It may read the platform.
 *
 * @throws InputError, PlatformError, CancelledError
 */
async function completed(
	{ operation, client }: Run,
	itemRequest: ItemRequest,
): Promise<ItemRequest> {
	if (operation.complete === undefined) return itemRequest;
	const fields = await operation.complete(itemRequest, client);
	const { request } = itemRequest;
	const body = request.body === undefined ? undefined : fields;
	return { ...itemRequest, fields, request: { ...request, body } };
}
