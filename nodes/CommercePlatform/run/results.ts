import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { PlatformError } from '../../shared/errors/errors';
import { errorJson, toNodeError } from '../../shared/errors/nodeErrors';
import type { ErrorContext } from '../../shared/errors/texts';
import type { Item } from '../fields/field';
import type { Inputs } from './inputs';
import type { Items, Operation, Resource } from './operation';
import { isDirectMode } from './plan';

type NodeError = NodeApiError | NodeOperationError;

/** What is known of an item that failed, beside its error. */
interface MoreOfFailed {
	/** What came before the error. */
	items?: Items;
	/** All items that failed with it, as those of one import job; the item itself first. */
	together?: readonly number[];
}

/** Reasons that the error of a failed run names. */
const MAX_REASONS = 5;

/** Where the results of a run come together: output in input order, and what failed. */
export class Results {
	/** The one item that an input item led to, which is the rule, needs no list around it. */
	private readonly byItem: Array<Items | INodeExecutionData>;
	private finished = 0;
	private failure?: { error: NodeError; itemIndex: number };
	/** How many items failed for each reason, and the first of them. */
	private readonly reasons = new Map<string, { items: number; first: number }>();

	constructor(
		private readonly inputs: Inputs,
		private readonly resource: Resource,
		private readonly operation: Operation,
	) {
		this.byItem = new Array<Items | INodeExecutionData>(inputs.total);
	}

	/** Whether the run has failed, so that nothing further is to be started. */
	get stopped(): boolean {
		return this.failure !== undefined;
	}

	/** An item is done. */
	done(itemIndex: number, items: Items): void {
		this.finished++;
		this.byItem[itemIndex - this.inputs.first] = items;
		if (items.length !== 1 || this.inputs.total === 1) return;
		const [item] = items;
		// Of many items, input and output are held together until the workflow ends.
		shareTexts(item.json, this.inputs.json(itemIndex));
		this.byItem[itemIndex] = item;
	}

	/**
	 * An item failed. With Continue On Fail an error item takes its place in the output, after what came before the
	 * error; not once the execution was cancelled, since then there is nothing to continue.
	 */
	failed(
		itemIndex: number,
		error: unknown,
		{ items = [], together = [itemIndex] }: MoreOfFailed = {},
	): void {
		const { context, first } = this.inputs;
		const nodeError = this.nodeError(error, itemIndex);
		if (context.continueOnFail() && context.getExecutionCancelSignal?.()?.aborted !== true) {
			items.push(this.errorItem(nodeError, together, error));
			for (const index of together) this.byItem[index - first] = [];
			this.byItem[itemIndex - first] = items;
			return;
		}
		const { message } = nodeError;
		const known = this.reasons.get(message) ?? { items: 0, first: itemIndex };
		this.reasons.set(message, {
			items: known.items + together.length,
			first: Math.min(known.first, itemIndex),
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
	allFailed(error: unknown): Items {
		const { context, total, first } = this.inputs;
		const nodeError = this.nodeError(error);
		if (!context.continueOnFail()) throw nodeError;
		return Array.from({ length: total }, (_, at) => this.errorItem(nodeError, [first + at]));
	}

	/**
	 * The output of the run.
	 *
	 * @throws NodeApiError, NodeOperationError of the first item that failed
	 */
	output(): Items {
		if (this.failure !== undefined) throw this.withProgress(this.failure.error);
		const [first] = this.byItem;
		if (this.byItem.length === 1 && Array.isArray(first)) return first;
		const output: Items = [];
		// One by one: a spread into push() overflows the stack at about 120,000 items.
		for (const result of this.byItem) {
			if (!Array.isArray(result)) output.push(result);
			else for (const item of result) output.push(item);
		}
		return output;
	}

	private nodeError(error: unknown, itemIndex?: number): NodeError {
		const context = errorContextOf(this.resource, this.operation, error);
		return toNodeError(this.inputs.node, error, context, itemIndex);
	}

	/**
	 * What Continue On Fail gives in place of a failed item's result, for the regular or the error output: the error,
	 * the item's index, and what the item is about.
	 */
	private errorItem(
		error: NodeError,
		together: readonly number[],
		cause?: unknown,
	): INodeExecutionData {
		const [itemIndex] = together;
		// The key of one item would say nothing of the others.
		const about =
			together.length > 1
				? { itemIndexes: [...together] }
				: keysOf(this.operation, this.inputs.item(itemIndex));
		const json = { ...errorJson(error), ...progressOf(cause), itemIndex, ...about };
		const item: INodeExecutionData = { json, pairedItem: pairedWith(together) };
		if (this.inputs.node.onError === 'continueErrorOutput') {
			// n8n sorts items with an error to the error output and copies them. Were the property enumerable, it
			// would be copied too, and n8n would then cut the JSON down to the message.
			Object.defineProperty(item, 'error', { value: error, enumerable: false });
		}
		return item;
	}

	/** The user learns what was done before, since those requests cannot be taken back. */
	private withProgress(error: NodeError): NodeError {
		const { total } = this.inputs;
		if (total === 1) return error;
		const parts = [
			error.description ?? '',
			// Where all items are sent together, one reason says little.
			this.operation.kind === 'all' ? this.reasonsText() : '',
			`${this.finished} of ${total} items were done before it stopped.`,
		];
		error.description = parts.filter((part) => part !== '').join(' ');
		return error;
	}

	/** How many items failed, and the first reasons, each told once; empty where it is one item. */
	private reasonsText(): string {
		const reasons = [...this.reasons];
		const failed = reasons.reduce((sum, [, { items }]) => sum + items, 0);
		if (failed === 1) return '';
		if (reasons.length === 1 && failed === this.inputs.total)
			return `All ${failed} items failed: ${reasons[0][0]}.`;
		const told = reasons.slice(0, MAX_REASONS).map(([reason, { items, first }]) => {
			// As people count; n8n's own `[item 3]` counts from 0.
			const row = `row ${first + 1}`;
			const where = items === 1 ? row : `${items} items, the first of them ${row}`;
			return reasons.length === 1 ? reason : `${reason} (${where})`;
		});
		const more = reasons.length > MAX_REASONS ? '; …' : '';
		return `${failed} items failed: ${told.join('; ')}${more}.`;
	}
}

/** What error messages may know of an operation, and of the request that failed. */
export function errorContextOf(
	{ noun }: Resource,
	{ permission, inDevelopment: meanwhile, option }: Operation,
	error?: unknown,
): ErrorContext {
	const context = { noun, permission };
	// An operation in development may send requests to other endpoints too, a look-up for example.
	const { method, url } = option.routing.request;
	const isOther =
		error instanceof PlatformError &&
		(error.request.path !== url || error.request.method !== method);
	return isOther ? context : { ...context, inDevelopment: meanwhile !== undefined, meanwhile };
}

/** Fields that say which record an item is about, e.g. `orderId`; their names in the API document are `order_id`. */
const KEY = /^(?:sku|[a-z]+Id)$/;

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
		if (KEY.test(name)) enter(keyNamed(name, item.locatorMode(name)), () => item.resourceId(name));
	}
	if (keyOf !== undefined) enter(keyOf.name, () => keyOf.read(item));
	return keys;
}

/** What is not named by its ID has the name of its locator's mode, e.g. `order_number`. */
const keyNamed = (name: string, mode: unknown): string =>
	name.replace(/Id$/, `_${isDirectMode(mode) ? 'id' : String(mode)}`);

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
