import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { PlatformError } from '../../shared/errors/errors';
import { errorJson, toNodeError } from '../../shared/errors/nodeErrors';
import type { ErrorContext } from '../../shared/errors/texts';
import { isDirectMode } from './plan';
import type { Item } from '../fields/field';
import { InputItem } from './read';
import type { Items, Operation, Resource } from './operation';

export type NodeError = NodeApiError | NodeOperationError;

/** What is known of an item that failed, beside its error. */
export interface MoreOfFailed {
	/** Whether the execution was cancelled, so that there is nothing to continue. */
	cancelled?: boolean;
	/** What came before the error. */
	items?: Items;
	/** All items that failed with it, as those of one import job. */
	together?: readonly number[];
}

/** Reasons that the error of a failed run names. */
const MAX_REASONS = 5;

/** Where the results of a run come together: output in input order, and what failed. */
export class Collector {
	/** The one item that an input item led to, which is the rule, needs no list around it. */
	private readonly results: Array<Items | INodeExecutionData>;
	private done = 0;
	private failure?: { error: NodeError; itemIndex: number };
	/** How many items failed for each reason, and the first of them. */
	private readonly reasons = new Map<string, { items: number; first: number }>();
	private failed = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly resource: Resource,
		private readonly operation: Operation,
		private readonly inputs: readonly INodeExecutionData[],
	) {
		this.results = new Array<Items | INodeExecutionData>(inputs.length);
	}

	private get total(): number {
		return this.inputs.length;
	}

	/** Whether the run has failed, so that nothing further is to be started. */
	get stopped(): boolean {
		return this.failure !== undefined;
	}

	/** An item is done. */
	add(itemIndex: number, items: Items): void {
		this.done++;
		this.results[itemIndex] = items;
		if (items.length !== 1) return;
		const [item] = items;
		// Of many items, input and output are held together until the workflow ends.
		shareTexts(item.json, this.inputs[itemIndex].json);
		this.results[itemIndex] = item;
	}

	/**
	 * An item failed. With Continue On Fail an error item takes its place in the output, after what came before the
	 * error.
	 */
	fail(
		itemIndex: number,
		error: unknown,
		{ cancelled = false, items = [], together = [itemIndex] }: MoreOfFailed = {},
	): void {
		const node = this.context.getNode();
		const errorContext = errorContextOf(this.resource, this.operation, error);
		const nodeError = toNodeError(node, error, errorContext, itemIndex);
		if (this.context.continueOnFail() && !cancelled) {
			items.push(this.failedItem(nodeError, together, error));
			for (const index of together) this.results[index] = [];
			this.results[itemIndex] = items;
			return;
		}
		this.failed += together.length;
		const { items: before = 0, first = itemIndex } = this.reasons.get(nodeError.message) ?? {};
		this.reasons.set(nodeError.message, {
			items: before + together.length,
			first: Math.min(first, itemIndex),
		});
		if (this.failure === undefined || itemIndex < this.failure.itemIndex)
			this.failure = { error: nodeError, itemIndex };
	}

	/**
	 * The run could not begin.
	 *
	 * @returns an error item for each input item, with Continue On Fail
	 * @throws NodeApiError, NodeOperationError
	 */
	failAll(error: unknown): Items {
		const node = this.context.getNode();
		const errorContext = errorContextOf(this.resource, this.operation, error);
		const nodeError = toNodeError(node, error, errorContext);
		if (!this.context.continueOnFail()) throw nodeError;
		return Array.from({ length: this.total }, (_, at) => this.failedItem(nodeError, [at]));
	}

	private failedItem(
		error: NodeError,
		together: readonly number[],
		cause?: unknown,
	): Items[number] {
		const { context, operation } = this;
		const node = context.getNode();
		const item = InputItem.ofAll(context, together[0], node);
		return failedItem(node, error, { item, together, operation, cause });
	}

	/**
	 * The output of the run.
	 *
	 * @throws NodeApiError, NodeOperationError of the first item that failed
	 */
	output(): Items {
		if (this.failure !== undefined) throw this.withProgress(this.failure.error);
		const [first] = this.results;
		if (this.total === 1 && Array.isArray(first)) return first;
		const output: Items = [];
		// One by one: a spread into push() overflows the stack at about 120,000 items.
		for (const result of this.results) {
			if (!Array.isArray(result)) output.push(result);
			else for (const item of result) output.push(item);
		}
		return output;
	}

	/** The user learns what was done before, since those requests cannot be taken back. */
	private withProgress(error: NodeError): NodeError {
		if (this.total === 1) return error;
		const parts = [
			error.description ?? '',
			// Where all items are sent together, one reason says little.
			this.operation.kind === 'all' && this.failed > 1 ? this.reasonsText() : '',
			`${this.done} of ${this.total} items were done before it stopped.`,
		];
		error.description = parts.filter((part) => part !== '').join(' ');
		return error;
	}

	/** How many items failed, and the first reasons, each told once. */
	private reasonsText(): string {
		const reasons = [...this.reasons];
		const { failed, total } = this;
		if (reasons.length === 1 && failed === total)
			return `All ${failed} items failed: ${reasons[0][0]}.`;
		const told = reasons.slice(0, MAX_REASONS).map(([reason, { items, first }]) => {
			const where =
				items === 1 ? `item ${first}` : `${items} items, the first of them item ${first}`;
			return reasons.length === 1 ? reason : `${reason} (${where})`;
		});
		const more = reasons.length > MAX_REASONS ? '; …' : '';
		return `${failed} items failed: ${told.join('; ')}${more}.`;
	}
}

/** What error messages may know of an operation, and of the request that failed. */
export function errorContextOf(
	{ noun }: Resource,
	{ permission, inDevelopment, meanwhile, scope, option }: Operation,
	error?: unknown,
): ErrorContext {
	const context = { noun, scope, permission };
	// An operation in development may send requests to other endpoints too, a look-up for example.
	const { method, url } = option.routing.request;
	const isOther =
		error instanceof PlatformError &&
		(error.request.path !== url || error.request.method !== method);
	return isOther ? context : { ...context, inDevelopment, meanwhile };
}

/** Fields that say which record an item is about, and their names in the API document. */
const KEYS: Readonly<Record<string, string>> = {
	customerId: 'customer_id',
	locationId: 'location_id',
	orderId: 'order_id',
	productId: 'product_id',
	sku: 'sku',
	webhookId: 'webhook_id',
};

/** An item that failed. */
interface FailedItem {
	item: Item;
	/** All items that failed with it, itself first; it alone where undefined. */
	together?: readonly number[];
	operation: Operation;
	/** What was thrown. */
	cause?: unknown;
}

/**
 * What Continue On Fail gives in place of a failed item's result, for the regular or the error output: the error,
 * the item's index, and what the item is about.
 */
export function failedItem(
	node: INode,
	error: NodeApiError | NodeOperationError,
	{ item: scope, together = [scope.itemIndex], operation, cause }: FailedItem,
): INodeExecutionData {
	const { itemIndex } = scope;
	// The key of one item would say nothing of the others.
	const about = together.length > 1 ? { itemIndexes: [...together] } : keysOf(operation, scope);
	const json = { ...errorJson(error), ...progressOf(cause), itemIndex, ...about };
	const item: INodeExecutionData = { json, pairedItem: pairedWith(together) };
	if (node.onError === 'continueErrorOutput') {
		// n8n sorts items with an error to the error output and copies them. Were the property enumerable, it
		// would be copied too, and n8n would then cut the JSON down to the message.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

/** Left out is what is empty, or cannot be read: that is then what the error says. */
function keysOf({ fields, keyOf }: Operation, item: Item): IDataObject {
	const keys: IDataObject = {};
	const enter = (key: string, read: () => unknown) => {
		try {
			const value = read();
			if (typeof value === 'number' || (typeof value === 'string' && value !== ''))
				keys[key] = value;
		} catch {
			return;
		}
	};
	for (const { name } of fields) {
		if (name in KEYS)
			enter(namedBy(KEYS[name], item.locatorMode(name)), () => item.resourceId(name));
	}
	if (keyOf !== undefined) enter(keyOf.name, () => keyOf.read(item));
	return keys;
}

/** What is not named by its ID has the name of its locator's mode, e.g. `order_number`. */
const namedBy = (key: string, mode: unknown): string =>
	isDirectMode(mode) ? key : key.replace(/_id$/, `_${String(mode)}`);

/** How far a list had come, so that a workflow can go on from there. */
function progressOf(cause: unknown): { fetched?: number; cursor?: string; sort?: string } {
	if (!(cause instanceof PlatformError) || cause.details.cursor === undefined) return {};
	const { fetched, cursor, sort } = cause.details;
	return sort === undefined ? { fetched, cursor } : { fetched, cursor, sort };
}

/** The link of an output item to the input items that led to it. */
export function pairedWith(itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] {
	const [first] = itemIndexes;
	return itemIndexes.length === 1 ? { item: first } : itemIndexes.map((item) => ({ item }));
}

/**
 * Lets a record hold the input's own texts where it says the same in the same place, as a record does that was just
 * written: memory then holds them once. Nothing changes that anyone could see.
 *
 * @param record as the platform gave it
 * @param input what it may repeat
 */
export function shareTexts(record: object, input: object): void {
	// A list of what is left, since a record that is nested deeply must not overflow the stack after it was written.
	const open = [{ record: record as Container, input: input as Container }];
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		for (const [name, value] of Object.entries(at.record)) {
			const given = at.input[name];
			if (typeof value === 'string') {
				if (given === value) at.record[name] = given;
			} else if (isContainer(value) && isContainer(given))
				open.push({ record: value, input: given });
		}
	}
}

type Container = Record<string, unknown>;

const isContainer = (value: unknown): value is Container =>
	typeof value === 'object' && value !== null;
