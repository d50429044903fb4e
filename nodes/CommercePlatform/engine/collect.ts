import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { ErrorContext } from '../../shared/errors/texts';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { PlatformError } from '../../shared/errors/errors';
import { failedItem } from './failedItem';
import { InputItem } from '../run/item';
import type { Items, Operation, Resource } from './operation';
import { shareTexts } from './shareTexts';

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
