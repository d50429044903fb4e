import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { PlatformRequest } from '../../shared/api/request';
import { InputError, PlatformError } from '../../shared/errors/errors';
import { idempotencyKeyOf, requestDigest, type WriteIdentity } from './idempotencyKey';
import { executionIdOf, ItemMemory } from './itemMemory';
import type { Items } from './operation';

/** What tells a run's writes apart from any other run's. */
type RunIdentity = Omit<WriteIdentity, 'itemIndex' | 'step'>;

type Context = IExecuteFunctions | IExecuteSingleFunctions;

/** The writes of items whose result is not known yet, by the step of their operation. */
const open = new ItemMemory<Map<string, PlatformRequest>>();

/** What the writes of a node's earlier runs in the same execution led to. */
const results = new ItemMemory<Items>();

/** The items whose write of several items may have been done in a node's earlier runs in the same execution. */
const unclear = new ItemMemory<true>();

/** How often an item's write of several items was refused in a node's earlier runs in the same execution. */
const refusals = new ItemMemory<number>();

/** Gives the writes of a run their Idempotency-Keys, and knows what earlier runs of the node led to. */
export class Writes {
	/** What each of the user's own keys stands for in this run. */
	private readonly ownKeys = new Map<string, string>();
	/** How often an item's write was refused, by the item's index. */
	private readonly refusals = new Map<number, number>();
	/** Items whose write may have been done. */
	private readonly mayBeDone = new Set<number>();
	private readonly mayRunAgain: boolean;
	private readonly identity: RunIdentity;

	/**
	 * @param operation e.g. `order.update`
	 * @param firstIndex of the run's first item
	 */
	constructor(
		private readonly context: Context,
		operation: string,
		firstIndex: number,
	) {
		this.mayRunAgain = context.getNode().retryOnFail === true;
		this.identity = {
			workflowId: context.getWorkflow().id ?? '',
			nodeId: context.getNode().id,
			executionId: executionIdOf(context) ?? randomUUID(),
			runIndex: context.getWorkflowDataProxy(firstIndex).$runIndex as number,
			operation,
		};
	}

	/**
	 * Where n8n runs the node again after another item failed (Retry On Fail), a write that is done is not asked
	 * for again: what it led to is known. It may not even be possible again, as with a record named by a handle
	 * that was changed.
	 */
	known(itemIndex: number): Items | undefined {
		return this.mayRunAgain ? results.of(this.context, itemIndex).get() : undefined;
	}

	/** An item's result is known, so its writes are not needed any more. */
	done(itemIndex: number, items: Items): void {
		if (!this.mayRunAgain) return;
		results.of(this.context, itemIndex).set(items);
		open.of(this.context, itemIndex).delete();
	}

	/**
	 * A write with its key. Where n8n runs the node again (Retry On Fail), it is the same write as the first time,
	 * with the same key and body, whatever the item's expressions give now: what was sent may have been applied.
	 *
	 * @param step tells the writes of an operation apart where it sends several
	 */
	keyed(itemIndex: number, request: PlatformRequest, step = ''): PlatformRequest {
		const memory = this.mayRunAgain ? open.of(this.context, itemIndex) : undefined;
		const known = memory?.get() ?? new Map<string, PlatformRequest>();
		const first = known.get(step);
		if (first !== undefined) return first;
		const { idempotencyKey = this.keyOf(itemIndex, request, step) } = request;
		const keyed = { ...request, idempotencyKey };
		known.set(step, keyed);
		memory?.set(known);
		return keyed;
	}

	/**
	 * Checks that a key of the user's stands for one write only.
	 *
	 * @param moment requests are compared with others of the same moment: planned, or about to be sent
	 * @throws InputError
	 */
	checkOwnKey(key: string, request: PlatformRequest, moment: 'planned' | 'sent'): void {
		const digest = requestDigest(request);
		const place = `${moment} ${key}`;
		const known = this.ownKeys.get(place) ?? digest;
		this.ownKeys.set(place, known);
		if (known === digest) return;
		throw new InputError(
			'Idempotency Key',
			`“${key}” stands for two different writes of this run`,
			'The second was not sent. Use an expression that gives each item a key of its own.',
		);
	}

	/**
	 * The Idempotency-Key of a write of several items. It is another one after each refusal of any of them.
	 *
	 * @param content makes a key of its own for every body
	 */
	keyOfItems(itemIndexes: readonly number[], content: string): string {
		const refused = itemIndexes.reduce((sum, index) => sum + this.refusalsOf(index), 0);
		return idempotencyKeyOf({
			...this.identity,
			itemIndex: itemIndexes[0],
			step: `${itemIndexes.join(' ')} ${content}${refused === 0 ? '' : ` ${refused}`}`,
		});
	}

	/** The platform has answered that it did not do these items' write. */
	refused(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) {
			const times = this.refusalsOf(index) + 1;
			this.refusals.set(index, times);
			if (this.mayRunAgain) refusals.of(this.context, index).set(times);
		}
	}

	/** It is not known whether these items' write was done. */
	unclear(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) {
			this.mayBeDone.add(index);
			if (this.mayRunAgain) unclear.of(this.context, index).set(true);
		}
	}

	/** What a failure says of these items' write: after a lost answer every refusal may be of what was done. */
	afterFailure(itemIndexes: readonly number[], error: unknown): unknown {
		if (!(error instanceof PlatformError)) return error;
		if (error.details.mayBeApplied === true) this.unclear(itemIndexes);
		else if (itemIndexes.some((index) => this.isUnclear(index)))
			return new PlatformError(error.problem, error.request, {
				...error.details,
				mayBeApplied: true,
			});
		return error;
	}

	private isUnclear(itemIndex: number): boolean {
		const isKnown = this.mayBeDone.has(itemIndex);
		return isKnown || (this.mayRunAgain && unclear.of(this.context, itemIndex).get() === true);
	}

	private refusalsOf(itemIndex: number): number {
		const inThisRun = this.refusals.get(itemIndex);
		if (inThisRun !== undefined || !this.mayRunAgain) return inThisRun ?? 0;
		return refusals.of(this.context, itemIndex).get() ?? 0;
	}

	private keyOf(itemIndex: number, request: PlatformRequest, step: string): string {
		return idempotencyKeyOf({ ...this.identity, itemIndex, step }, request);
	}
}
