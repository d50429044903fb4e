import type { INodeExecutionData } from 'n8n-workflow';

import {
	checkHeaderValue,
	expandPath,
	type PlatformRequest,
	type PlatformResponse,
} from '../../shared/rest/request';
import { InputError, PlatformError } from '../../shared/rest/errors';
import { isTool } from '../../shared/n8n';
import type { InputItems } from './inputItems';
import { digestOf, keyOf } from './keys';
import { ExecutionKeys } from './executionKeys';
import { Turns } from './turns';

/** What is known of an item's writes. */
interface ItemWrites {
	/** Its requests that were done, or may have been, by their step (see `send`). */
	sent?: Map<string, PlatformRequest>;
	/** Whether one may have been done although no answer says so. */
	mayBeApplied?: boolean;
	/** How often a write that held this item and others was refused. */
	refusals?: number;
	/** The output, once the item is done. */
	result?: INodeExecutionData[];
	/** Whether the platform refused a batch with this item, so that it is sent alone. */
	isSentAlone?: boolean;
}

/** What this process knows of the writes of an execution. All tries of a run share its index (Retry On Fail). */
interface Kept {
	keys: ExecutionKeys;
	runs: Map<number, Writes>;
}

/** By the object that n8n gives a node in each execution. */
const keptWrites = new WeakMap<object, Kept>();

/**
 * Finds the writes of a run, which all its tries share (Retry On Fail). Each call of an AI tool is a run of its own:
 * agents and MCP clients call a tool any number of times in one execution, or in none.
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
	const kept: Kept = keptWrites.get(execution) ?? { keys: new ExecutionKeys(), runs: new Map() };
	keptWrites.set(execution, kept);
	const runIndex = context.getWorkflowDataProxy(first).$runIndex as number;
	const newRun = () => new Writes(kept.keys, runIndex, operation, node.retryOnFail === true);
	if (isTool(node)) return newRun();
	const writes = kept.runs.get(runIndex) ?? newRun();
	kept.runs.set(runIndex, writes);
	return writes;
}

/** What became of the writes of a run. It gives each write its Idempotency-Key. */
class Writes {
	private readonly byItem = new Map<number, ItemWrites>();
	/** Writes of several items whose result is unknown, by their path and items. */
	private readonly together = new Map<string, PlatformRequest>();
	private readonly turns = new Turns();

	/**
	 * @param keys of the execution
	 * @param mayRunAgain whether n8n runs the node again if an item fails
	 */
	constructor(
		private readonly keys: ExecutionKeys,
		private readonly runIndex: number,
		private readonly operation: string,
		private readonly mayRunAgain: boolean,
	) {}

	/**
	 * The output of an item that an earlier try has done. When n8n runs the node again because another item failed (Retry
	 * On Fail), a write that is done is not repeated. It may not even be possible again: it may have changed the handle
	 * that names the record.
	 */
	outputOfEarlierTry(itemIndex: number): INodeExecutionData[] | undefined {
		return this.byItem.get(itemIndex)?.result;
	}

	/** Notes that an item is done, and keeps its output for another try (Retry On Fail). */
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
	 * @param targets what it writes to, as far as the later of two writes wins there
	 * @throws InputError if the item failed in an earlier try, and a later item has written to the same target since
	 */
	begin(itemIndex: number, targets: readonly string[]): void {
		const later = this.turns.overtakenBy(itemIndex, targets);
		if (later !== undefined) {
			const written = this.mayBeApplied(later) ? 'may have written' : 'has written';
			throw new InputError(
				`Row ${itemIndex + 1}`,
				`was overtaken: row ${later + 1} ${written} to the same record since`,
				'It failed in an earlier try and was not sent again, since that would undo the later row.',
			);
		}
		if (this.mayRunAgain) this.turns.begin(itemIndex, targets);
	}

	/**
	 * The item's own write from an earlier try that may have been applied. It is sent again unchanged, whatever the
	 * item's expressions and the platform's records say by now.
	 */
	earlierRequest(itemIndex: number): PlatformRequest | undefined {
		return this.mayBeApplied(itemIndex) ? this.byItem.get(itemIndex)?.sent?.get('') : undefined;
	}

	/**
	 * Sends an item's write with its key. If an earlier try of it may have been applied (Retry On Fail), that write is
	 * sent again, with the same key and body. After a definite refusal, the write is sent as it is now.
	 *
	 * @param step names the write, if an operation sends several; empty for the item's own
	 * @throws PlatformError, with `mayBeApplied` if this or an earlier attempt may have been applied
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
	 * Sends one write for several items. Its key depends on the body, and changes with each refusal of one of the items.
	 * If an earlier try may have been applied (Retry On Fail), that write is sent again, with the same key and body.
	 *
	 * @throws PlatformError, with `mayBeApplied` if this or an earlier attempt may have been applied
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
	 * Sends a write with its key, or again the one from an earlier try that may have been applied.
	 *
	 * @param remembered the writes from earlier tries
	 * @param place under which this write is remembered
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
		const { keys } = this;
		const {
			idempotencyKey = keys.takeKey(wish, this) ??
				keyOf(keys.seed, [this.runIndex, this.operation, ...parts]),
		} = before ?? request;
		const keyed = before ?? { ...request, idempotencyKey };
		// A write that may be done is sent again unchanged, however old its reading is by then.
		remembered.set(place, { ...keyed, readAtMs: undefined });
		const answer = await send(keyed).catch((reason: unknown) => {
			const error = this.afterFailure(itemIndexes, reason, before !== undefined);
			if (isRefusal(error)) {
				remembered.delete(place);
				keys.forgetKey(wish, idempotencyKey);
			} else if (request.idempotencyKey === undefined) keys.rememberKey(wish, idempotencyKey, this);
			throw error;
		});
		keys.forgetKey(wish, idempotencyKey);
		return answer;
	}

	/**
	 * Notes whether the write of some items may have been applied although it failed. Once an attempt may have been applied, a
	 * later refusal proves nothing, and the error says so. So does a 409 to a repeat.
	 *
	 * @returns the error to show
	 */
	afterFailure(itemIndexes: readonly number[], error: unknown, isRepeated = false): unknown {
		const details: PlatformError['details'] = error instanceof PlatformError ? error.details : {};
		if (details.mayBeApplied === true || (isRepeated && details.status === 409))
			this.noteMayBeApplied(itemIndexes);
		const mayBeApplied = itemIndexes.some((at) => this.mayBeApplied(at));
		if (details.mayBeApplied === true || !mayBeApplied) return error;
		if (error instanceof InputError) {
			const { field, message, description } = error;
			const now = `An earlier try may have done it, so look at the record. What is wrong now: ${message}. ${description}`;
			return new InputError(field, 'cannot be sent again', now);
		}
		if (!(error instanceof PlatformError)) return error;
		return new PlatformError(error.problem, error.request, { ...details, mayBeApplied: true });
	}

	/** Whether an item's write may or may not have been done. */
	mayBeApplied(itemIndex: number): boolean {
		return this.byItem.get(itemIndex)?.mayBeApplied === true;
	}

	/** Notes that these items' write may or may not have been done. */
	noteMayBeApplied(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) this.of(index).mayBeApplied = true;
		this.turns.written(itemIndexes);
	}

	/** The items whose write may have been done although no answer says so, in ascending order. */
	itemsMayBeApplied(): number[] {
		const indexes = [...this.byItem.keys()].filter((index) => this.mayBeApplied(index));
		return indexes.sort((a, b) => a - b);
	}

	/** Notes that the platform refused a batch with these items. From now on each is sent alone, also in a later try. */
	noteSentAlone(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) this.of(index).isSentAlone = true;
	}

	/** Whether an item is to be sent alone. */
	isSentAlone(itemIndex: number): boolean {
		return this.byItem.get(itemIndex)?.isSentAlone === true;
	}

	/**
	 * Takes the user's own key for an item. Two items of a run are two writes, even if they say the same. In another run
	 * of the execution (Loop Over Items) the key may come again for the same request.
	 *
	 * @param label of the field that it was entered in
	 * @throws InputError unless it is 1..255 printable ASCII characters, or if it stands for another write already
	 */
	ownKey(itemIndex: number, label: string, entered: string, request: PlatformRequest): string {
		const key = checkHeaderValue(label, entered);
		const { ownKeys } = this.keys;
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

	/** Notes that the platform did not do these items' write, as its answer says. */
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

/**
 * Whether the platform, or a check before sending, has refused a write for certain. After any other failure it may have
 * been done.
 */
const isRefusal = (error: unknown): boolean =>
	error instanceof InputError ||
	(error instanceof PlatformError && error.details.mayBeApplied !== true);
