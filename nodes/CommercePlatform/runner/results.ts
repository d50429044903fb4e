import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { markAsErrorItem } from '../../shared/n8n';
import { CredentialError, PlatformError } from '../../shared/rest/errors';
import { errorDetails, toNodeError } from '../../shared/rest/nodeErrors';
import type { Item } from '../../shared/values/fields';
import type { InputItems } from './items';
import type { Api, Operation, Resource } from './operation';
import { isSame } from '../../shared/values/json';
import { saysNothing } from '../../shared/values/readers';
import { counted } from './report';

/** Of more items that failed together, nobody looks whether they are about one record. */
const MAX_ROWS_LOOKED_AT = 50;

type FailedItemError = ReturnType<typeof toNodeError>;

/** Collects the results of a run: the output in input order, and what failed. */
export class Results {
	/** How many items are done. */
	doneCount = 0;
	private readonly byItem: INodeExecutionData[][];
	private readonly failedIndexes = new Set<number>();
	private failure?: { error: FailedItemError; itemIndex: number };

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

	/** How many items failed. */
	get failedCount(): number {
		return this.failedIndexes.size;
	}

	/** Notes that an item is done. */
	done(itemIndex: number, items: INodeExecutionData[]): void {
		this.doneCount++;
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
		for (const index of itemIndexes) this.failedIndexes.add(index);
		if (context.continueOnFail() && context.getExecutionCancelSignal?.()?.aborted !== true) {
			for (const index of itemIndexes)
				this.byItem[index - first] = [this.errorItem(nodeError, index, error)];
			this.byItem[itemIndex - first].unshift(...items);
		} else if (this.failure === undefined || itemIndex < this.failure.itemIndex)
			this.failure = { error: nodeError, itemIndex };
	}

	/**
	 * The output of the run.
	 *
	 * @param mayBeApplied the items whose write may have been done although no answer says so, in ascending order
	 * @throws NodeApiError, NodeOperationError of the first item that failed
	 */
	output(mayBeApplied: readonly number[] = []): INodeExecutionData[] {
		if (this.failure !== undefined) throw this.withProgress(this.failure, mayBeApplied);
		this.tellOfFailed();
		return this.byItem.length === 1 ? this.byItem[0] : this.byItem.flat();
	}

	/** Tells how many items failed, where their error items stand among the others. */
	private tellOfFailed(): void {
		const { context, node, total } = this.inputs;
		const isApart = node.onError === 'continueErrorOutput' || !('addExecutionHints' in context);
		if (isApart || total === 1 || this.failedCount === 0) return;
		const rows = this.rowsOf([...this.failedIndexes].sort((a, b) => a - b));
		const message = `${counted(this.doneCount)} done, ${counted(this.failedCount)} failed: ${numbersText('row', rows)}.`;
		context.addExecutionHints({ message, type: 'warning' });
	}

	/** How an error names its item: the record as it was entered, and the item's number. */
	private naming([itemIndex, ...others]: readonly number[]) {
		const about = numbersText('item', [itemIndex, ...others]);
		if (others.length > MAX_ROWS_LOOKED_AT) return { about: [about] };
		const [record, ...ofOthers] = [itemIndex, ...others].map((index) =>
			Object.entries(keysOf(this.inputs.api, this.operation, this.inputs.item(index))).map(
				([key, value]) => `${key.replaceAll('_', ' ')} “${String(value)}”`,
			),
		);
		const isOneRecord = ofOthers.every((other) => isSame(other, record));
		return { ...(isOneRecord && { record }), about: this.inputs.total > 1 ? [about] : [] };
	}

	private nodeError(error: unknown, itemIndexes: readonly number[]): FailedItemError {
		const { context, node } = this.inputs;
		const { permission, inDevelopment, option } = this.operation;
		const { method, url } = option.routing.request;
		// An operation in development may send requests to other endpoints too, a look-up for example.
		const isOtherRequest =
			error instanceof PlatformError &&
			(error.request.path !== url || error.request.method !== method);
		// A credential error is not about an item, and an error item has further fields that name its record.
		const namesItems = !(error instanceof CredentialError) && !context.continueOnFail();
		const errorContext = {
			noun: this.resource.noun,
			permission,
			timezone: context.getTimezone(),
			inDevelopment: isOtherRequest ? undefined : inDevelopment,
			...(namesItems && this.naming(itemIndexes)),
		};
		return toNodeError(node, error, errorContext, itemIndexes[0]);
	}

	/**
	 * Makes the item that Continue On Fail outputs for a failed item: the input item with two fields of ours, so that its
	 * other columns stay as they are and the item can be sent again. `error` is a text, as n8n's own nodes have it.
	 */
	private errorItem(error: FailedItemError, itemIndex: number, cause: unknown): INodeExecutionData {
		const { inputs } = this;
		const details = {
			...errorDetails(error, cause),
			itemIndex,
			...this.placeOf(itemIndex),
			...progressOf(cause),
		};
		const json = { ...inputs.item(itemIndex).json, error: error.message, errorDetails: details };
		const item = { json, pairedItem: { item: itemIndex } };
		return inputs.node.onError === 'continueErrorOutput' ? markAsErrorItem(item, error) : item;
	}

	/** The row of an item, and what names its record. */
	private placeOf(itemIndex: number) {
		const item = this.inputs.item(itemIndex);
		const record = keysOf(this.inputs.api, this.operation, item);
		return { row: item.row, ...(Object.keys(record).length > 0 && { record }) };
	}

	private rowsOf(itemIndexes: readonly number[]): number[] {
		return itemIndexes.map((index) => this.inputs.item(index).row);
	}

	/** Adds to an error what the run did before it, since those requests cannot be taken back. */
	private withProgress(
		{ error, itemIndex }: NonNullable<Results['failure']>,
		mayBeApplied: readonly number[],
	): FailedItemError {
		const { total } = this.inputs;
		// An error workflow reads data more easily than sentences.
		Object.assign(error.context, {
			...this.placeOf(itemIndex),
			done: this.rowsOf(this.doneIndexes()),
			mayBeApplied: this.rowsOf(mayBeApplied),
		});
		if (total === 1) return error;
		const parts = [
			error.description ?? '',
			this.progressText(),
			this.failedCount > 1 ? `${counted(this.failedCount)} failed; this is the first.` : '',
			mayBeAppliedText(mayBeApplied.filter((index) => index !== itemIndex)),
		];
		error.description = parts.filter((part) => part !== '').join(' ');
		return error;
	}

	/**
	 * How many items were done, and which, e.g. `12 of 40 items were done: 0 to 11.`
	 *
	 * @param mayBeApplied the items that may have been done as well
	 */
	progressText(mayBeApplied: readonly number[] = []): string {
		const done = runsText(this.doneIndexes());
		const which = done === '' ? '' : `: ${done}`;
		const counts = `${counted(this.doneCount)} of ${counted(this.inputs.total)} items were done${which}.`;
		return `${counts} ${mayBeAppliedText(mayBeApplied)}`.trim();
	}

	private doneIndexes(): number[] {
		return [...this.byItem.entries()].flatMap(([index, items]) =>
			items === undefined ? [] : [this.inputs.first + index],
		);
	}
}

/** A sentence that names the items that may have been done although no answer says so; empty if there are none. */
function mayBeAppliedText(indexes: readonly number[]): string {
	if (indexes.length === 0) return '';
	const [items, answers] =
		indexes.length === 1 ? ['Item', 'its answer was'] : ['Items', 'their answers were'];
	return `${items} ${runsText(indexes)} may have been done as well: ${answers} lost.`;
}

/** Runs of items that a sentence names. */
const MAX_RUNS = 5;

/** Numbers with their noun, e.g. `items 0 to 2, 5`. */
const numbersText = (noun: string, numbers: readonly number[]): string =>
	`${noun}${numbers.length === 1 ? '' : 's'} ${runsText(numbers)}`;

/**
 * Numbers, e.g. `0 to 2, 5`.
 *
 * @param numbers in ascending order
 */
function runsText(numbers: readonly number[]): string {
	const runs: number[][] = [];
	for (const number of numbers) {
		const run = runs.at(-1);
		if (run !== undefined && number === run[1] + 1) run[1] = number;
		else runs.push([number, number]);
	}
	const texts = runs.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
	return `${texts.slice(0, MAX_RUNS).join(', ')}${texts.length > MAX_RUNS ? ', …' : ''}`;
}

/**
 * The fields that name an item's record. Empty ones, and those that cannot be read, are left out: the error itself
 * names them.
 */
function keysOf({ service }: Api, { fields, keyOf }: Operation, item: Item): IDataObject {
	const keys: IDataObject = {};
	const enter = (key: string, read: () => unknown) => {
		try {
			const value = read();
			if (['number', 'string'].includes(typeof value) && !saysNothing(value))
				keys[key] = value as number | string;
		} catch {
			return;
		}
	};
	for (const { name } of fields.filter((field) => service.isKey(field.name))) {
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
