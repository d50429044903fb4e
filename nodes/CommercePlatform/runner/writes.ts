import { createHash, randomUUID } from 'node:crypto';

import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { isTool } from '../../shared/n8n';
import {
	checkHeaderValue,
	expandPath,
	type PlatformRequest,
	type PlatformResponse,
} from '../../shared/rest/request';
import { CancelledError, InputError, PlatformError } from '../../shared/rest/errors';
import type { Item } from '../../shared/values/fields';

type Requests = Partial<Record<string, PlatformRequest>>;

/** What a write replaces, as far as the later of two writes wins there. */
export interface Overwrites {
	targets: readonly string[];
	/** Which fields of them; all of them if undefined. */
	fields?: readonly string[];
}

/** A name for each target, or each field of it, that a write replaces. */
const replacedNames = ({ targets, fields }: Overwrites): string[] =>
	targets.flatMap((target) => fields?.map((field) => `${target} ${field}`) ?? [target]);

/** What is known of an item's writes. It is JSON, since n8n stores it with a failed execution. */
interface ItemWrites {
	/** Its requests that were done, or may have been, by their step (see `send`). */
	sent?: Requests;
	/** Whether one may have been done although no answer says so. */
	mayBeApplied?: boolean;
	/** How often a write that held this item and others was refused. */
	refusals?: number;
	/** The output, once the item is done. */
	result?: INodeExecutionData[];
	/** What it is about to replace. */
	overwrites?: Overwrites;
	/** The first item of the request that may have been applied. Items of one request were in order. */
	together?: number;
}

/** The writes of a run: one call of the node, with all its tries. */
interface RunWrites {
	items: Partial<Record<number, ItemWrites>>;
	/** Writes of several items whose result is unknown, by their path and items. */
	batches: Requests;
}

/** The writes of a node in one execution. */
interface ExecutionWrites {
	/** Makes the keys of one execution differ from those of every other, even if n8n gives an execution ID twice. */
	seed: string;
	/**
	 * By operation, and the run's index in the execution, or a name of its own for a call of an AI tool. Before n8n's Retry
	 * the user may choose another operation, which has done nothing yet.
	 */
	runs: Partial<Record<string, RunWrites>>;
	/**
	 * Writes that may have been applied although no answer says so, by what they ask for. If the workflow leads the item
	 * into the node again, or n8n calls a tool again, the same write gets the same key.
	 */
	lost: Partial<Record<string, Array<{ key: string; run: string }>>>;
}

/** What this process knows of an execution. */
interface Memory {
	state: ExecutionWrites;
	/** By account and each of the user's own keys: the write that it was used for. */
	ownKeys: Map<string, { run: string; write: number | string; digest: string }>;
}

/** By the object that n8n gives a node in each execution. */
const memories = new WeakMap<object, Memory>();

/** The property of that object. n8n stores it with a failed execution, and loads it for the execution's retry. */
const STORED = 'writes';

/** The most that is stored of the outputs of items that are done, as JSON. Characters. */
const MAX_STORED = 4_000_000;

/** The input items of a run, as far as its writes depend on them. */
interface ItemsOfRun {
	context: IExecuteFunctions | IExecuteSingleFunctions;
	node: INode;
	/** Index of the first item. */
	first: number;
	item(itemIndex: number): Item;
}

/**
 * Finds the writes of a run, which all its tries share: those of Retry On Fail, and n8n's Retry of the failed execution.
 * Each call of an AI tool is a run of its own: agents and MCP clients call a tool any number of times in one execution,
 * or in none.
 *
 * @param operation e.g. `order.update`
 * @param account names the merchant that is written to
 */
export function writesOf(inputs: ItemsOfRun, operation: string, account: string): Writes {
	const { context, node, first } = inputs;
	// Outside any execution n8n has no ID, whatever its type says.
	const executionId: string | undefined = context.getExecutionId();
	const execution = executionId === undefined ? {} : context.getContext('node');
	const stored = execution[STORED] as ExecutionWrites | undefined;
	const memory: Memory = memories.get(execution) ?? {
		state: stored ?? { seed: randomUUID(), runs: {}, lost: {} },
		ownKeys: new Map(),
	};
	memories.set(execution, memory);
	const run = isTool(node) ? randomUUID() : String(context.getWorkflowDataProxy(first).$runIndex);
	const rowOf = (itemIndex: number) => inputs.item(itemIndex).row;
	return new Writes(execution, memory, { run, operation, account }, rowOf);
}

/** What became of the writes of a run to one account. It gives each write its Idempotency-Key. */
export class Writes {
	/** The same object in all tries of the run in this process. */
	private readonly runWrites: RunWrites;
	private readonly runName: string;
	/** By what writes replace: the latest item that had written it, or may have, before this try. */
	private readonly latestWriters = new Map<string, number>();

	constructor(
		private readonly execution: Record<string, unknown>,
		private readonly memory: Memory,
		private readonly of: { run: string; operation: string; account: string },
		private readonly rowOf: (itemIndex: number) => number,
	) {
		const { runs } = memory.state;
		this.runName = `${of.operation} ${of.run}`;
		this.runWrites = runs[this.runName] ??= { items: {}, batches: {} };
		for (const [index, { overwrites, result, mayBeApplied }] of this.entries())
			if (overwrites !== undefined && (result !== undefined || mayBeApplied))
				for (const name of replacedNames(overwrites)) this.latestWriters.set(name, index);
	}

	/** In ascending order. */
	private entries(): Array<[itemIndex: number, ItemWrites]> {
		return Object.entries(this.runWrites.items).map(([index, item = {}]) => [Number(index), item]);
	}

	/**
	 * The output of an item that an earlier try has done. A write that is done is not repeated. It may not even be
	 * possible again: it may have changed the name by which its record is found.
	 */
	outputOfEarlierTry(itemIndex: number): INodeExecutionData[] | undefined {
		return this.runWrites.items[itemIndex]?.result;
	}

	/** Notes that an item is done, and keeps its output for another try. */
	done(itemIndex: number, result: INodeExecutionData[]): void {
		const { overwrites } = this.item(itemIndex);
		this.runWrites.items[itemIndex] = { result, overwrites };
	}

	/**
	 * Begins the write of an item, or of all rows of one.
	 *
	 * @param addsUp whether it only adds to what is there, as all items of the run do then, so that none undoes another;
	 *   what may have been applied is sent again as it was, and may undo another all the same
	 * @throws InputError if it failed in an earlier try, and a later item has replaced the same since
	 */
	begin(itemIndexes: readonly number[], overwrites: Overwrites, addsUp = false): void {
		const [itemIndex] = itemIndexes;
		const item = this.item(itemIndex);
		for (const name of this.latestWriters.size === 0 ? [] : replacedNames(overwrites)) {
			const later = this.latestWriters.get(name);
			if (later === undefined || later <= itemIndex || itemIndexes.includes(later)) continue;
			const { mayBeApplied, together } = this.item(later);
			// Items of one request were in order, and go out together again.
			if (mayBeApplied && together === item.together && together !== undefined) continue;
			if (addsUp && !mayBeApplied && !item.mayBeApplied) continue;
			throw new InputError(
				`Row ${this.rowOf(itemIndex)}`,
				`was overtaken: row ${this.rowOf(later)} ${mayBeApplied ? 'may have written' : 'has written'} to the same record since`,
				'It failed in an earlier try and was not sent again, since that would undo the later row.',
			);
		}
		if (overwrites.targets.length > 0) item.overwrites = overwrites;
	}

	/**
	 * The item's own write from an earlier try that may have been applied. It is sent again unchanged, whatever the
	 * item's expressions and the platform's records say by now.
	 */
	earlierRequest(itemIndex: number): PlatformRequest | undefined {
		return this.mayBeApplied(itemIndex) ? this.item(itemIndex).sent?.[''] : undefined;
	}

	/**
	 * Sends an item's write with its key. If an earlier try of it may have been applied, that write is sent again, with
	 * the same key and body. After a definite refusal, the write is sent as it is now.
	 *
	 * @param itemIndexes the item, or all rows of the write
	 * @param step names the write, if an operation sends several; empty for the item's own
	 * @throws PlatformError, with `mayBeApplied` if this or an earlier attempt may have been applied
	 */
	async send(
		itemIndexes: readonly number[],
		request: PlatformRequest,
		step: string,
		transport: (keyed: PlatformRequest) => Promise<PlatformResponse>,
	): Promise<PlatformResponse> {
		const sent = (this.item(itemIndexes[0]).sent ??= {});
		return await this.sendKeyed(itemIndexes, request, transport, { sent, place: step, step });
	}

	/**
	 * Sends one write for several items. Its key depends on the body, and changes with each refusal of one of the items.
	 * If an earlier try may have been applied, that write is sent again, with the same key and body.
	 *
	 * @throws PlatformError, with `mayBeApplied` if this or an earlier attempt may have been applied
	 */
	async sendFor(
		itemIndexes: readonly number[],
		request: PlatformRequest,
		step: string,
		transport: (keyed: PlatformRequest) => Promise<PlatformResponse>,
	): Promise<PlatformResponse> {
		const { method, path, pathParams } = request;
		const place = `${step}${method} ${expandPath(path, pathParams)} ${itemIndexes.join(' ')}`;
		const sent = this.runWrites.batches;
		const answer = await this.sendKeyed(itemIndexes, request, transport, { sent, place, step });
		delete sent[place];
		return answer;
	}

	/**
	 * Sends a write with its key, or again the one from an earlier try that may have been applied.
	 *
	 * @param sent the writes from earlier tries
	 * @param place under which this write is kept there
	 */
	private async sendKeyed(
		itemIndexes: readonly number[],
		request: PlatformRequest,
		transport: (keyed: PlatformRequest) => Promise<PlatformResponse>,
		{ sent, place, step }: { sent: Requests; place: string; step: string },
	): Promise<PlatformResponse> {
		const { run, operation, account } = this.of;
		const before = sent[place];
		const toSend = before ?? request;
		const digest = digestOf(toSend);
		const wish = digestOfAll([account, operation, step, digest]);
		const idempotencyKey =
			toSend.idempotencyKey ?? this.lostKey(wish) ?? this.newKey(itemIndexes, step, digest);
		const keyed = before ?? { ...request, idempotencyKey };
		sent[place] = keyed;
		this.forgetLost(wish, idempotencyKey);
		return await transport(keyed).catch((reason: unknown) => {
			// The execution was stopped while the write was under way.
			if (reason instanceof CancelledError) this.noteMayBeApplied(itemIndexes);
			const error = this.afterFailure(itemIndexes, reason, before !== undefined);
			if (isRefusal(error)) delete sent[place];
			else if (request.idempotencyKey === undefined)
				(this.memory.state.lost[wish] ??= []).push({ key: idempotencyKey, run });
			throw error;
		});
	}

	/** A key for a write of some items. It changes with what is sent, and with each refusal of one of the items. */
	private newKey(itemIndexes: readonly number[], step: string, digest: string): string {
		const { run, operation } = this.of;
		const { seed } = this.memory.state;
		const refusals = itemIndexes.reduce((sum, at) => sum + (this.item(at).refusals ?? 0), 0);
		const items = itemIndexes.join(' ');
		return digestOfAll([seed, run, operation, items, step, digest, refusals]);
	}

	/** The key of the same write, if it may have been applied in another run. Two items of one run are two writes. */
	private lostKey(wish: string): string | undefined {
		return this.memory.state.lost[wish]?.find(({ run }) => run !== this.of.run)?.key;
	}

	private forgetLost(wish: string, idempotencyKey: string): void {
		const { lost } = this.memory.state;
		const others = lost[wish]?.filter(({ key }) => key !== idempotencyKey) ?? [];
		if (others.length > 0) lost[wish] = others;
		else delete lost[wish];
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
		return this.runWrites.items[itemIndex]?.mayBeApplied === true;
	}

	/** Notes that these items' write, which was one request, may or may not have been done. */
	noteMayBeApplied(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) {
			const item = this.item(index);
			item.mayBeApplied = true;
			item.together ??= itemIndexes[0];
		}
	}

	/** Those of some items whose write may have been done although no answer says so, in ascending order. */
	itemsMayBeApplied(): number[] {
		return this.entries().flatMap(([index, { mayBeApplied }]) => (mayBeApplied ? [index] : []));
	}

	/**
	 * Takes the user's own key for an item. Two items of a run are two writes, even if they say the same. In another run
	 * of the execution (Loop Over Items) the key may come again for the same request. A key belongs to the account.
	 *
	 * @param write the item's index, or the name of the write that it is a row of
	 * @param label of the field that it was entered in
	 * @throws InputError unless it is 1..255 printable ASCII characters, or if it stands for another write already
	 */
	ownKey(write: number | string, label: string, entered: string, request: PlatformRequest): string {
		const key = checkHeaderValue(label, entered);
		const { ownKeys } = this.memory;
		const { run, account } = this.of;
		const digest = digestOf(request);
		const holder = ownKeys.get(`${account} ${key}`) ?? { run, write, digest };
		ownKeys.set(`${account} ${key}`, holder);
		const isOfThisRun = holder.run === run;
		if (isOfThisRun ? holder.write === write : holder.digest === digest) return key;
		throw new InputError(
			label,
			`“${key}” is used for two ${isOfThisRun ? 'items of this run' : 'different requests of this execution'}`,
			'The second was not sent. Use an expression that returns another key for each item.',
		);
	}

	/** The first item of the request with an item's write, if it may have been applied in an earlier try. */
	togetherBefore(itemIndex: number): number | undefined {
		return this.runWrites.items[itemIndex]?.together;
	}

	/** Notes that the platform did not do these items' write, as its answer says. */
	refused(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) {
			const item = this.item(index);
			item.refusals = (item.refusals ?? 0) + 1;
		}
	}

	/** Hands what is known to n8n, which stores it with the failed execution. Its retry goes on from there. */
	store(): void {
		const { state } = this.memory;
		if (JSON.stringify(state).length > MAX_STORED)
			for (const run of Object.values(state.runs)) if (run !== undefined) shorten(run);
		this.execution[STORED] = state;
	}

	/** Forgets some items of a run that has succeeded: no try follows. */
	forget(itemIndexes: readonly number[]): void {
		for (const index of itemIndexes) delete this.runWrites.items[index];
		if (Object.keys(this.runWrites.items).length === 0) delete this.memory.state.runs[this.runName];
		delete this.execution[STORED];
	}

	private item(itemIndex: number): ItemWrites {
		return (this.runWrites.items[itemIndex] ??= {});
	}
}

/** Keeps which items are done, but of their outputs only the ID. */
function shorten(run: RunWrites): void {
	run.batches = {};
	for (const item of Object.values(run.items))
		if (item?.result !== undefined)
			item.result = item.result.map(({ json: { id }, pairedItem }) => ({
				json: { success: true, id },
				pairedItem,
			}));
}

/**
 * Whether the platform, or a check before sending, has refused a write for certain. After any other failure it may have
 * been done.
 */
const isRefusal = (error: unknown): boolean =>
	error instanceof InputError ||
	(error instanceof PlatformError && error.details.mayBeApplied !== true);

/** The same for the same method, path and body, whatever the order of `pathParams`. */
function digestOf({ method, path, pathParams, body }: PlatformRequest): string {
	return digestOfAll([method, path, Object.entries(pathParams ?? {}).sort(), body ?? null]);
}

/** An Idempotency-Key (API document, "Conventions"), or the name of a request. 43 printable characters. */
const digestOfAll = (parts: readonly unknown[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
