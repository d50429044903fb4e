import type { INodeExecutionData } from 'n8n-workflow';

import {
	checkHeaderValue,
	expandPath,
	type PlatformRequest,
	type PlatformResponse,
} from '../../shared/api/request';
import { InputError, PlatformError } from '../../shared/errors/errors';
import { isTool } from '../../shared/n8n';
import type { InputItems } from './inputItems';
import { digestOf, keyOf } from './keys';
import { NodeWrites } from './nodeWrites';
import { Turns } from './turns';

/** What is known of an item's writes. */
interface ItemWrites {
	/** Those that were done or may have been, by the step of their operation. */
	sent?: Map<string, PlatformRequest>;
	/** Whether one may have been done although no answer says so. */
	isUnclear?: boolean;
	/** How often a write of several items was refused. */
	refusals?: number;
	/** What they led to. */
	result?: INodeExecutionData[];
	/** Whether the platform refused it as a part of a batch, so that it goes by itself. */
	goesAlone?: boolean;
}

/** What an execution has written by a node, and by the index of each run, which all tries of it share (Retry On Fail). */
interface Kept {
	ofNode: NodeWrites;
	runs: Map<number, Writes>;
}

/** By execution: n8n shows it by one object for a node. */
const keptWrites = new WeakMap<object, Kept>();

/**
 * The writes of a run of a node, those of its earlier tries as well (Retry On Fail). Each call of an AI tool is a run of
 * its own: agents and MCP clients call a tool any number of times in one execution, or in none.
 *
 * @param operation e.g. `order.update`
 */
export function writesOf(
	{ context, node, first }: Pick<InputItems, 'context' | 'node' | 'first'>,
	operation: string,
): Writes {
	// Outside any execution n8n has no ID, whatever its type says.
	const executionId: string | undefined = context.getExecutionId();
	const execution = executionId === undefined ? {} : context.getContext('node');
	const kept: Kept = keptWrites.get(execution) ?? { ofNode: new NodeWrites(), runs: new Map() };
	keptWrites.set(execution, kept);
	const runIndex = context.getWorkflowDataProxy(first).$runIndex as number;
	const newRun = () => new Writes(kept.ofNode, runIndex, operation, node.retryOnFail === true);
	if (isTool(node)) return newRun();
	const writes = kept.runs.get(runIndex) ?? newRun();
	kept.runs.set(runIndex, writes);
	return writes;
}

/** Gives the writes of a run their Idempotency-Keys, and knows what became of them. */
class Writes {
	private readonly byItem = new Map<number, ItemWrites>();
	/** Writes of several items whose end is not known, by their items. */
	private readonly together = new Map<string, PlatformRequest>();
	private readonly turns = new Turns();

	/**
	 * @param ofNode what the execution has written by the node before
	 * @param mayRunAgain whether n8n runs the node again where an item fails
	 */
	constructor(
		private readonly ofNode: NodeWrites,
		private readonly runIndex: number,
		private readonly operation: string,
		private readonly mayRunAgain: boolean,
	) {}

	/**
	 * Where n8n runs the node again after another item failed (Retry On Fail), a write that is done is not asked
	 * for again: what it led to is known. It may not even be possible again, as with a record named by a handle
	 * that was changed.
	 */
	known(itemIndex: number): INodeExecutionData[] | undefined {
		return this.byItem.get(itemIndex)?.result;
	}

	/** An item's result is known, so its writes are not needed any more. */
	done(itemIndex: number, items: INodeExecutionData[]): void {
		if (!this.mayRunAgain) {
			this.byItem.delete(itemIndex);
			return;
		}
		this.turns.written([itemIndex]);
		this.byItem.set(itemIndex, { result: items });
	}

	/**
	 * Begins an item's writes.
	 *
	 * @param targets what it writes to, where of two writes the later one counts
	 * @throws InputError where it failed in an earlier try, and a later item has written to the same target since
	 */
	begin(itemIndex: number, targets: readonly string[]): void {
		const later = this.turns.overtakenBy(itemIndex, targets);
		if (later !== undefined) {
			const written = this.isUnclear(later) ? 'may have written' : 'has written';
			throw new InputError(
				`Row ${itemIndex + 1}`,
				`was overtaken: row ${later + 1} ${written} to the same record since`,
				'It failed in an earlier try and was not sent again, since that would undo the later row.',
			);
		}
		if (this.mayRunAgain) this.turns.begin(itemIndex, targets);
	}

	/**
	 * An item's own write of an earlier try that may have been applied: it is sent again as it was, whatever the
	 * item's expressions and the platform's records give now.
	 */
	unsettled(itemIndex: number): PlatformRequest | undefined {
		return this.isUnclear(itemIndex) ? this.byItem.get(itemIndex)?.sent?.get('') : undefined;
	}

	/**
	 * Sends an item's write with its key. Where an earlier try of it may have been applied (Retry On Fail), it is the
	 * same write again, with the same key and body; after a definite refusal it is the write as it is given now.
	 *
	 * @param step tells the writes of an operation apart where it sends several; empty for the item's own
	 * @throws PlatformError, with `mayBeApplied` where this or an earlier attempt may have been applied
	 */
	async send(
		itemIndex: number,
		request: PlatformRequest,
		step: string,
		send: (keyed: PlatformRequest) => Promise<PlatformResponse>,
	): Promise<PlatformResponse> {
		const remembered = (this.of(itemIndex).sent ??= new Map<string, PlatformRequest>());
		return await this.sendKeyed([itemIndex], request, send, { remembered, place: step, step });
	}

	/**
	 * Sends a write of several items. Its key is another one for every body, and after each refusal of any of them. Where
	 * an earlier try of it may have been applied (Retry On Fail), it is the same write again, with the same key and body.
	 *
	 * @throws PlatformError, with `mayBeApplied` where this or an earlier attempt may have been applied
	 */
	async sendFor(
		itemIndexes: readonly number[],
		request: PlatformRequest,
		send: (keyed: PlatformRequest) => Promise<PlatformResponse>,
	): Promise<PlatformResponse> {
		const { method, path, pathParams } = request;
		const place = `${method} ${expandPath(path, pathParams)} ${itemIndexes.join(' ')}`;
		const remembered = this.together;
		const answer = await this.sendKeyed(itemIndexes, request, send, {
			remembered,
			place,
			step: '',
		});
		remembered.delete(place);
		return answer;
	}

	/**
	 * Sends a write with its key, or that of an earlier try again which may have been applied.
	 *
	 * @param remembered by place: the writes of earlier tries
	 */
	private async sendKeyed(
		itemIndexes: readonly number[],
		request: PlatformRequest,
		send: (keyed: PlatformRequest) => Promise<PlatformResponse>,
		{
			remembered,
			place,
			step,
		}: { remembered: Map<string, PlatformRequest>; place: string; step: string },
	): Promise<PlatformResponse> {
		const before = remembered.get(place);
		const digest = digestOf(before ?? request);
		const wish = `${this.operation} ${step} ${digest}`;
		const refusals = itemIndexes.reduce((sum, at) => sum + (this.byItem.get(at)?.refusals ?? 0), 0);
		const parts = [itemIndexes.join(' '), step, digest, refusals];
		const { ofNode } = this;
		const {
			idempotencyKey = ofNode.takeLost(wish, this) ??
				keyOf(ofNode.seed, [this.runIndex, this.operation, ...parts]),
		} = before ?? request;
		const keyed = before ?? { ...request, idempotencyKey };
		// What may be done is sent again as it was, however old the reading is by then.
		remembered.set(place, { ...keyed, readAtMs: undefined });
		const answer = await send(keyed).catch((reason: unknown) => {
			const error = this.afterFailure(itemIndexes, reason, before !== undefined);
			if (isRefusal(error)) {
				remembered.delete(place);
				ofNode.forgetLost(wish, idempotencyKey);
			} else if (request.idempotencyKey === undefined)
				ofNode.rememberLost(wish, idempotencyKey, this);
			throw error;
		});
		ofNode.forgetLost(wish, idempotencyKey);
		return answer;
	}

	/**
	 * What a failure says of some items' write: after a lost answer every refusal may be of what was done, and so may
	 * a 409 under a key that was used before.
	 */
	afterFailure(itemIndexes: readonly number[], error: unknown, isRepeated = false): unknown {
		const details: PlatformError['details'] = error instanceof PlatformError ? error.details : {};
		if (details.mayBeApplied === true || (isRepeated && details.status === 409))
			this.unclear(itemIndexes);
		const isUnclear = itemIndexes.some((at) => this.isUnclear(at));
		if (details.mayBeApplied === true || !isUnclear) return error;
		if (error instanceof InputError) {
			const { field, message, description } = error;
			const now = `An earlier try may have done it: look at the record. Now: ${message}. ${description}`;
			return new InputError(field, 'cannot be sent again', now);
		}
		if (!(error instanceof PlatformError)) return error;
		return new PlatformError(error.problem, error.request, { ...details, mayBeApplied: true });
	}

	/** Whether it is not known whether an item's write was done. */
	isUnclear(itemIndex: number): boolean {
		return this.byItem.get(itemIndex)?.isUnclear === true;
	}

	/** It is not known whether these items' write was done. */
	unclear(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) this.of(index).isUnclear = true;
		this.turns.written(itemIndexes);
	}

	/** The items whose write may have been done although no answer says so, in ascending order. */
	unclearItems(): number[] {
		const indexes = [...this.byItem.keys()].filter((index) => this.isUnclear(index));
		return indexes.sort((a, b) => a - b);
	}

	/** The platform has refused these items as a part of a batch, so they go by themselves from now on, in later tries too. */
	goAlone(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) this.of(index).goesAlone = true;
	}

	/** Whether that is so of an item. */
	goesAlone(itemIndex: number): boolean {
		return this.byItem.get(itemIndex)?.goesAlone === true;
	}

	/**
	 * Takes a key of the user's for an item. Two items of a run are two wishes, also where they say the same; in another
	 * run of the execution (Loop Over Items) the key may come again for the same request.
	 *
	 * @param label of the field that it was entered in
	 * @throws InputError unless it is 1..255 printable ASCII characters, or where it stands for something else already
	 */
	ownKey(itemIndex: number, label: string, entered: string, request: PlatformRequest): string {
		const key = checkHeaderValue(label, entered);
		const { ownKeys } = this.ofNode;
		const digest = digestOf(request);
		const holder = ownKeys.get(key) ?? { by: this, itemIndex, digest };
		ownKeys.set(key, holder);
		const isOfThisRun = holder.by === this;
		if (isOfThisRun ? holder.itemIndex === itemIndex : holder.digest === digest) return key;
		throw new InputError(
			label,
			`“${key}” stands for two ${isOfThisRun ? 'items of this run' : 'different requests of this execution'}`,
			'The second was not sent. Use an expression that gives each item a key of its own.',
		);
	}

	/** The platform has answered that it did not do these items' write. */
	refused(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) {
			const item = this.of(index);
			item.refusals = (item.refusals ?? 0) + 1;
		}
	}

	private of(itemIndex: number): ItemWrites {
		const item = this.byItem.get(itemIndex) ?? {};
		this.byItem.set(itemIndex, item);
		return item;
	}
}

/** Whether the platform or a check has refused a write for certain. Of any other failure it is not known. */
const isRefusal = (error: unknown): boolean =>
	error instanceof InputError ||
	(error instanceof PlatformError && error.details.mayBeApplied !== true);
