import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CredentialError, PlatformError } from '../../shared/rest/errors';
import { errorJson, toNodeError } from '../../shared/rest/nodeErrors';
import type { Item } from '../../shared/values/fields';
import type { InputItems } from './inputItems';
import type { Operation, Resource } from './operation';

type NodeError = ReturnType<typeof toNodeError>;

/** Reasons that the error of a failed run names. */
const MAX_REASONS = 5;

/** Collects the results of a run: the output in input order, and what failed. */
export class Results {
	private readonly byItem: INodeExecutionData[][];
	private finished = 0;
	private failure?: { error: NodeError; itemIndex: number };
	/** The failed items by reason. */
	private readonly reasons = new Map<string, number[]>();

	constructor(
		private readonly inputs: InputItems,
		private readonly resource: Resource,
		private readonly operation: Operation,
	) {
		this.byItem = new Array<INodeExecutionData[]>(inputs.total);
	}

	/** Whether the run has failed, so that nothing further is to be started. */
	get stopped(): boolean {
		return this.failure !== undefined;
	}

	/** How many items are done. */
	get doneCount(): number {
		return this.finished;
	}

	/** Notes that an item is done. */
	done(itemIndex: number, items: INodeExecutionData[]): void {
		this.finished++;
		this.byItem[itemIndex - this.inputs.first] = items;
	}

	/**
	 * Notes that items failed. With Continue On Fail an error item takes the place of each in the output. After the
	 * execution was cancelled there are none, since nothing continues.
	 *
	 * @param itemIndexes all items that failed with one error, like those of one import job
	 * @param items what the first of them gave before the error
	 */
	failed(itemIndexes: readonly number[], error: unknown, items: INodeExecutionData[] = []): void {
		const { context, first } = this.inputs;
		const [itemIndex] = itemIndexes;
		const nodeError = this.nodeError(error, itemIndexes);
		if (context.continueOnFail() && context.getExecutionCancelSignal?.()?.aborted !== true) {
			for (const index of itemIndexes)
				this.byItem[index - first] = [this.errorItem(nodeError, index, error)];
			this.byItem[itemIndex - first].unshift(...items);
			return;
		}
		const { message } = nodeError;
		const failedIndexes = this.reasons.get(message) ?? [];
		this.reasons.set(message, failedIndexes);
		for (const index of itemIndexes) failedIndexes.push(index);
		if (this.failure === undefined || itemIndex < this.failure.itemIndex)
			this.failure = { error: nodeError, itemIndex };
	}

	/**
	 * The output of the run.
	 *
	 * @param mayBeApplied the items whose write may have been done although no answer says so
	 * @throws NodeApiError, NodeOperationError of the first item that failed
	 */
	output(mayBeApplied: readonly number[] = []): INodeExecutionData[] {
		if (this.failure !== undefined) throw this.withProgress(this.failure, mayBeApplied);
		return this.byItem.length === 1 ? this.byItem[0] : this.byItem.flat();
	}

	/** How an error names its item: the record as it was entered, and the item's number. */
	private about(itemIndex: number, itemIndexes: readonly number[] = [itemIndex]): string[] {
		if (itemIndexes.length > 1) return [itemsText(itemIndexes)];
		const keys = Object.entries(keysOf(this.operation, this.inputs.item(itemIndex)));
		const record = keys.map(([key, value]) => `${key.replaceAll('_', ' ')} “${String(value)}”`);
		return this.inputs.total > 1 ? [...record, `item ${itemIndex}`] : record;
	}

	private nodeError(error: unknown, itemIndexes: readonly number[] = []): NodeError {
		const [itemIndex] = itemIndexes as Array<number | undefined>;
		const { permission, inDevelopment, option } = this.operation;
		const { method, url } = option.routing.request;
		const timezone = this.inputs.context.getTimezone();
		const operationContext = { noun: this.resource.noun, permission, timezone };
		// An operation in development may send requests to other endpoints too, a look-up for example.
		const isOtherRequest =
			error instanceof PlatformError &&
			(error.request.path !== url || error.request.method !== method);
		// A credential error is not about an item, and an error item has further fields that name its record.
		const namesItems =
			itemIndex !== undefined &&
			!(error instanceof CredentialError) &&
			!this.inputs.context.continueOnFail();
		const about = namesItems ? this.about(itemIndex, itemIndexes) : undefined;
		const context = {
			...operationContext,
			about,
			inDevelopment: isOtherRequest ? undefined : inDevelopment,
		};
		return toNodeError(this.inputs.node, error, context, itemIndex);
	}

	/**
	 * Makes the item that Continue On Fail outputs for a failed item: the input item with one more field, `error`, so
	 * that its own columns stay as they are and the item can be sent again. The error output gets that field alone: n8n
	 * itself lays it over the input item, and recognises an error item by it.
	 */
	private errorItem(error: NodeError, itemIndex: number, cause?: unknown): INodeExecutionData {
		const { inputs, operation } = this;
		const record = keysOf(operation, inputs.item(itemIndex));
		const position = { itemIndex, row: itemIndex + 1 };
		const about = Object.keys(record).length === 0 ? position : { ...position, record };
		const json = { error: { ...errorJson(error), ...about, ...progressOf(cause) } };
		const hasOwnOutput = inputs.node.onError === 'continueErrorOutput';
		const columns = hasOwnOutput ? {} : inputs.item(itemIndex).json;
		return { json: { ...columns, ...json }, pairedItem: { item: itemIndex } };
	}

	/** Adds to an error what the run did before it, since those requests cannot be taken back. */
	private withProgress(
		{ error, itemIndex }: NonNullable<Results['failure']>,
		mayBeApplied: readonly number[],
	): NodeError {
		const { total } = this.inputs;
		if (total === 1) return error;
		const parts = [
			error.description ?? '',
			// If all items are sent together, one reason says little.
			this.operation.kind === 'all' ? this.reasonsText() : '',
			`${this.finished} of ${total} items were done before it stopped${this.doneItems()}.`,
			mayBeAppliedText(mayBeApplied.filter((index) => index !== itemIndex)),
		];
		error.description = parts.filter((part) => part !== '').join(' ');
		return error;
	}

	/** Which items were done, as n8n counts them, e.g. `: items 0 to 2`; empty if none were. */
	private doneItems(): string {
		const doneIndexes: number[] = [];
		for (const [index, items] of this.byItem.entries())
			if (items !== undefined) doneIndexes.push(this.inputs.first + index);
		return doneIndexes.length === 0 ? '' : `: ${itemsText(doneIndexes)}`;
	}

	/** How many items failed, and the first reasons, each once; empty if one item failed. */
	private reasonsText(): string {
		const reasons = [...this.reasons];
		const failedCount = reasons.flatMap(([, items]) => items).length;
		if (failedCount === 1) return '';
		if (reasons.length === 1 && failedCount === this.inputs.total)
			return `All ${failedCount} items failed: ${reasons[0][0].replace(/\.$/, '')}.`;
		const firstReasons = reasons.slice(0, MAX_REASONS).map(([reason, items]) => {
			// As people count; n8n's own `[item 3]` counts from 0.
			const row = `row ${items.reduce((least, index) => Math.min(least, index)) + 1}`;
			const where = items.length === 1 ? row : `${items.length} items, the first of them ${row}`;
			return reasons.length === 1 ? reason : `${reason} (${where})`;
		});
		const ellipsis = reasons.length > MAX_REASONS ? '; …' : '';
		return `${failedCount} items failed: ${firstReasons.join('; ')}${ellipsis}.`;
	}
}

/** A sentence that names the items that may have been done although no answer says so; empty if there are none. */
function mayBeAppliedText(indexes: readonly number[]): string {
	if (indexes.length === 0) return '';
	const [items, answers] =
		indexes.length === 1 ? ['Item', 'its answer was'] : ['Items', 'their answers were'];
	const which = itemsText(indexes).replace(/^items? /, '');
	return `${items} ${which} may have been done as well: ${answers} lost.`;
}

/** Runs of items that a sentence names. */
const MAX_RUNS = 5;

/**
 * Items as n8n counts them, e.g. `items 0 to 2, 5`.
 *
 * @param indexes in ascending order
 */
function itemsText(indexes: readonly number[]): string {
	const runs: number[][] = [];
	for (const index of indexes) {
		const run = runs.at(-1);
		if (run !== undefined && index === run[1] + 1) run[1] = index;
		else runs.push([index, index]);
	}
	const texts = runs.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
	const firstRuns = texts.slice(0, MAX_RUNS).join(', ');
	const noun = indexes.length === 1 ? 'item' : 'items';
	return `${noun} ${firstRuns}${texts.length > MAX_RUNS ? ', …' : ''}`;
}

/** Fields that name the record of an item, e.g. `orderId`; in the API document `order_id`. */
const KEY = /^(?:sku|[a-z]+Id)$/;

/**
 * The fields that name an item's record. Empty ones, and those that cannot be read, are left out: the error itself
 * names them.
 */
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
	for (const { name } of fields.filter((field) => KEY.test(field.name))) {
		// A record that is not named by its ID gets the name of its locator's mode, e.g. `order_number`.
		const key = name.replace(/Id$/, `_${item.lookUpMode(name) ?? 'id'}`);
		enter(key, () => item.resourceId(name));
	}
	if (keyOf !== undefined) enter(keyOf.name, () => keyOf.read(item));
	return keys;
}

/** How far a list was read, so that a workflow can continue from there. */
function progressOf(cause: unknown): IDataObject {
	const { fetched, cursor, sort } = cause instanceof PlatformError ? cause.details : {};
	return cursor === undefined ? {} : { fetched, cursor, ...(sort !== undefined && { sort }) };
}

/** Links an output item to the input items that led to it. */
export function pairedWith(itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] {
	return itemIndexes.length > 1 ? itemIndexes.map((item) => ({ item })) : { item: itemIndexes[0] };
}
