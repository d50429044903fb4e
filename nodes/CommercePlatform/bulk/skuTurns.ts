import type { HeldItem } from '../run/heldItem';
import { abortOf } from '../run/lock';
import type { BatchCall } from '../run/operation';
import { skuKey } from './products';

/** Runs that are to write a SKU, in the order in which they took their turns; the first one has it. */
type Queue = SkuTurns | SkuTurns[];

/** By host and SKU. Shared by all executions of this process. */
const queues = new Map<string, Map<string, Queue>>();

/**
 * The turns of all SKUs that a run writes, so that runs which write the same SKU do so one after the other. All are
 * taken at once, before the run sends anything, so two runs never wait for each other. A SKU costs an entry in two
 * maps; a promise is made only where there is something to wait for.
 */
export class SkuTurns {
	private readonly queues: Map<string, Queue>;
	private readonly held = new Set<string>();
	/** SKUs that the run writes several times. */
	private readonly repeated = new Set<string>();
	private readonly waiting = new Map<string, Array<() => void>>();
	private aborted?: Promise<void>;

	constructor(
		private readonly host: string,
		private readonly signal?: AbortSignal,
	) {
		this.queues = queues.get(host) ?? new Map<string, Queue>();
		queues.set(host, this.queues);
	}

	/** Takes the turn of a SKU. To be called for all SKUs of a run without anything between. */
	take(sku: string): void {
		const key = skuKey(sku);
		if (this.held.has(key)) {
			this.repeated.add(key);
			return;
		}
		this.held.add(key);
		const queue = this.queues.get(key);
		if (queue === undefined) this.queues.set(key, this);
		else if (Array.isArray(queue)) queue.push(this);
		else this.queues.set(key, [queue, this]);
	}

	/**
	 * Waits until every earlier run has ended its turns of these SKUs, or the execution is cancelled.
	 *
	 * @param skus all of the run where they are left out
	 */
	async come(skus?: readonly string[]): Promise<void> {
		for (const key of skus?.map(skuKey) ?? this.held) {
			if (!this.held.has(key) || this.hasTurn(key) || this.signal?.aborted === true) continue;
			this.aborted ??= abortOf(this.signal);
			const comes = this.waitFor(key);
			await (this.aborted === undefined ? comes : Promise.race([comes, this.aborted]));
		}
	}

	/** Ends the turn of a SKU, unless the run writes it several times. */
	end(sku: string): void {
		const key = skuKey(sku);
		if (!this.repeated.has(key)) this.leave(key);
	}

	/** Ends all turns that are left. */
	endAll(): void {
		for (const key of this.held) this.leave(key);
		if (this.queues.size === 0) queues.delete(this.host);
	}

	private hasTurn(key: string): boolean {
		const queue = this.queues.get(key);
		return (Array.isArray(queue) ? queue[0] : queue) === this;
	}

	private async waitFor(key: string): Promise<void> {
		await new Promise<void>((resolve) => {
			const waiting = this.waiting.get(key) ?? [];
			this.waiting.set(key, [...waiting, resolve]);
		});
	}

	private leave(key: string): void {
		if (!this.held.delete(key)) return;
		const queue = this.queues.get(key);
		if (!Array.isArray(queue)) {
			this.queues.delete(key);
			return;
		}
		const place = queue.indexOf(this);
		queue.splice(place, 1);
		if (queue.length === 1) this.queues.set(key, queue[0]);
		if (place === 0) queue[0].waiting.get(key)?.forEach((resolve) => resolve());
	}
}

/**
 * Does a run's work in the turns of its SKUs, each of which ends with the result of its item.
 *
 * @param items that have no result yet
 * @param work is given the run with its writes held back until their SKUs' turns have come
 */
export async function withSkuTurns(
	call: BatchCall,
	items: readonly HeldItem[],
	work: (inTurn: BatchCall, turns: SkuTurns) => Promise<void>,
): Promise<void> {
	const turns = new SkuTurns(call.client.credentialId, call.client.signal);
	for (const { sku } of items) turns.take(sku);
	const end = (ended: readonly HeldItem[]) => {
		for (const { sku } of ended) turns.end(sku);
	};
	try {
		await work(
			{
				...call,
				send: async (request, sent) => {
					await turns.come(sent.map(({ sku }) => sku));
					return await call.send(request, sent);
				},
				done: (ended, record) => {
					call.done(ended, record);
					end(ended);
				},
				failed: (ended, error) => {
					call.failed(ended, error);
					end(ended);
				},
			},
			turns,
		);
	} finally {
		turns.endAll();
	}
}
