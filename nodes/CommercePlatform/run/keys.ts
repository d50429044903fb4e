import { createHash, randomUUID } from 'node:crypto';

import {
	checkHeaderValue,
	type PlatformRequest,
	type PlatformResponse,
} from '../../shared/api/request';
import { InputError, PlatformError, settled } from '../../shared/errors/errors';
import type { Inputs } from './inputs';
import type { Items } from './operation';

const digest = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** Tells two writes apart: the same for the same method, path and body, whatever the order of `pathParams`. */
function digestOf({ method, path, pathParams, body }: PlatformRequest): string {
	const ids = Object.entries(pathParams ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
	return digest([method, path, ids, body ?? null]);
}

/** What is known of an item's writes. */
interface ItemWrites {
	/** Those that were done or may have been, by the step of their operation. */
	sent?: Map<string, PlatformRequest>;
	/** Whether one may have been done although no answer says so. */
	isUnclear?: boolean;
	/** How often a write of several items was refused. */
	refusals?: number;
	/** What they led to. */
	result?: Items;
}

/**
 * By execution, which n8n shows by one object for a node, and by run. It outlives n8n's Retry On Fail, which runs the
 * node again; it is kept as long as the execution is in this process, and nothing of it is stored.
 */
const kept = new WeakMap<object, Map<number, Writes>>();

/**
 * The writes of a run of a node, those of its earlier tries as well (Retry On Fail). AI tools have no earlier tries:
 * agents and MCP clients call a tool any number of times in one execution and run, or in none, and each call means
 * something new.
 *
 * @param operation e.g. `order.update`
 */
export function writesOf(
	{ context, node, first }: Pick<Inputs, 'context' | 'node' | 'first'>,
	operation: string,
): Writes {
	// Outside any execution n8n has no ID, whatever its type says.
	const executionId: string | undefined = node.type.endsWith('Tool')
		? undefined
		: context.getExecutionId();
	const runIndex = context.getWorkflowDataProxy(first).$runIndex as number;
	const workflowId = context.getWorkflow().id ?? '';
	const identity = [workflowId, node.id, executionId ?? randomUUID(), runIndex];
	const made = () => new Writes(identity, operation, node.retryOnFail === true);
	if (executionId === undefined) return made();
	const execution = context.getContext('node');
	const runs = kept.get(execution) ?? new Map<number, Writes>();
	kept.set(execution, runs);
	const writes = runs.get(runIndex) ?? made();
	runs.set(runIndex, writes);
	return writes;
}

/** Gives the writes of a run their Idempotency-Keys, and knows what they led to. */
class Writes {
	private readonly byItem = new Map<number, ItemWrites>();
	/** The item that each of the user's own keys stands for. */
	private readonly ownKeys = new Map<string, number>();

	/**
	 * @param identity what all keys of the run are made of
	 * @param mayRunAgain whether n8n runs the node again where an item fails
	 */
	constructor(
		private readonly identity: readonly unknown[],
		private readonly operation: string,
		private readonly mayRunAgain: boolean,
	) {}

	/**
	 * Where n8n runs the node again after another item failed (Retry On Fail), a write that is done is not asked
	 * for again: what it led to is known. It may not even be possible again, as with a record named by a handle
	 * that was changed.
	 */
	known(itemIndex: number): Items | undefined {
		return this.byItem.get(itemIndex)?.result;
	}

	/** An item's result is known, so its writes are not needed any more. */
	done(itemIndex: number, items: Items): void {
		if (this.mayRunAgain) this.byItem.set(itemIndex, { result: items });
		else this.byItem.delete(itemIndex);
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
		const sent = (this.of(itemIndex).sent ??= new Map<string, PlatformRequest>());
		const before = sent.get(step);
		const { idempotencyKey = this.keyOf(itemIndex, step, digestOf(request)) } = request;
		const keyed = before ?? { ...request, idempotencyKey };
		sent.set(step, keyed);
		const answer = await settled(send(keyed));
		if (answer.status === 'fulfilled') return answer.value;
		const error = this.afterFailure([itemIndex], answer.reason, before !== undefined);
		const mayBeApplied = error instanceof PlatformError && error.details.mayBeApplied === true;
		// Of any other failure, as of a cancelled run, it is not known.
		if (!mayBeApplied && (error instanceof PlatformError || error instanceof InputError))
			sent.delete(step);
		throw error;
	}

	/**
	 * Sends a write of several items. Its key is another one for every body, and after each refusal of any of them.
	 *
	 * @throws PlatformError, with `mayBeApplied` where this or an earlier attempt may have been applied
	 */
	async sendFor(
		itemIndexes: readonly number[],
		request: PlatformRequest,
		send: (keyed: PlatformRequest) => Promise<PlatformResponse>,
	): Promise<PlatformResponse> {
		const refusals = itemIndexes.reduce((sum, at) => sum + (this.byItem.get(at)?.refusals ?? 0), 0);
		const step = `${itemIndexes.join(' ')} ${digestOf(request)}${refusals === 0 ? '' : ` ${refusals}`}`;
		const idempotencyKey = this.keyOf(itemIndexes[0], step);
		try {
			return await send({ ...request, idempotencyKey });
		} catch (error) {
			throw this.afterFailure(itemIndexes, error);
		}
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
	}

	/**
	 * Takes a key of the user's for an item: two items are two wishes, also where they say the same.
	 *
	 * @param label of the field that it was entered in
	 * @throws InputError unless it is 1..255 printable ASCII characters, or where another item has it
	 */
	ownKey(itemIndex: number, label: string, entered: string): string {
		const key = checkHeaderValue(label, entered);
		const other = this.ownKeys.get(key) ?? itemIndex;
		this.ownKeys.set(key, other);
		if (other === itemIndex) return key;
		throw new InputError(
			label,
			`“${key}” stands for two items of this run`,
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

	/**
	 * The Idempotency-Key of a write (API document, "Conventions"): the same for every attempt, also when n8n
	 * itself runs the node again (Retry On Fail keeps execution, run and item), and another for anything else. It
	 * covers the request as well, because execution ids repeat where a database is restored or copied.
	 *
	 * @returns 43 printable characters
	 */
	private keyOf(itemIndex: number, step: string, written = ''): string {
		return digest([...this.identity, itemIndex, this.operation, step, written]);
	}
}
