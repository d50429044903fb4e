import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { ErrorContext } from '../../shared/api/errorContext';
import { errorJson, toNodeError } from '../../shared/api/nodeErrors';
import type { Items } from './operation';

export type NodeError = NodeApiError | NodeOperationError;

/** Where the results of a run come together: output in input order, and what failed. */
export class Collector {
	private readonly results: Items[];
	private done = 0;
	private failure?: { error: NodeError; itemIndex: number };

	/** @param total input items */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly errorContext: ErrorContext,
		private readonly total: number,
	) {
		this.results = new Array<Items>(total);
	}

	/** Whether the run has failed, so that nothing further is to be started. */
	get stopped(): boolean {
		return this.failure !== undefined;
	}

	/** An item is done. */
	add(itemIndex: number, items: Items): void {
		this.results[itemIndex] = items;
		this.done++;
	}

	/**
	 * An item failed. With Continue On Fail an error item takes its place in the output.
	 *
	 * @param cancelled then there is nothing to continue
	 */
	fail(itemIndex: number, error: unknown, cancelled = false): void {
		const node = this.context.getNode();
		const nodeError = toNodeError(node, error, this.errorContext, itemIndex);
		if (this.context.continueOnFail() && !cancelled) {
			this.results[itemIndex] = [failedItem(node, nodeError, itemIndex)];
		} else if (this.failure === undefined || itemIndex < this.failure.itemIndex) {
			this.failure = { error: nodeError, itemIndex };
		}
	}

	/**
	 * The run could not begin.
	 *
	 * @returns an error item for each input item, with Continue On Fail
	 * @throws NodeApiError, NodeOperationError
	 */
	failAll(error: unknown): Items {
		const node = this.context.getNode();
		const nodeError = toNodeError(node, error, this.errorContext);
		if (!this.context.continueOnFail()) throw nodeError;
		return Array.from({ length: this.total }, (_, at) => failedItem(node, nodeError, at));
	}

	/**
	 * The output of the run.
	 *
	 * @throws NodeApiError, NodeOperationError of the first item that failed
	 */
	output(): Items {
		if (this.failure !== undefined) throw this.withProgress(this.failure.error);
		if (this.results.length === 1) return this.results[0];
		const output: Items = [];
		// One by one: a spread into push() overflows the stack at about 120,000 items.
		for (const items of this.results) for (const item of items) output.push(item);
		return output;
	}

	/** The user learns what was done before, since those requests cannot be taken back. */
	private withProgress(error: NodeError): NodeError {
		if (this.total > 1) {
			const progress = `${this.done} of ${this.total} items were done before it stopped.`;
			error.description = error.description ? `${error.description} ${progress}` : progress;
		}
		return error;
	}
}

/** What Continue On Fail gives in place of a failed item's result, for the regular or the error output. */
export function failedItem(node: INode, error: NodeError, itemIndex: number): INodeExecutionData {
	const item: INodeExecutionData = { json: errorJson(error), pairedItem: { item: itemIndex } };
	if (node.onError === 'continueErrorOutput') {
		// n8n sorts items with an error to the error output and copies them. Were the property enumerable, it
		// would be copied too, and n8n would then cut the JSON down to the message.
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}
