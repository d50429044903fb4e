import {
	ExecutionCancelledError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import { createClient } from '../shared/api/client';
import { systemClock } from '../shared/api/clock';
import { CREDENTIAL } from '../shared/api/request';
import { PlatformError } from '../shared/errors/errors';
import { toNodeError, withNodeErrors } from '../shared/errors/nodeErrors';
import { withDecimals } from '../shared/values/money';
import { readParameters, type ChangesParameters } from './parameters';
import { PlatformSource } from './source';
import { loadState, settle, toStored, type ChangesState, type Ended } from './state';
import { advance } from './walk/advance';
import { changeKeyOf, type Change } from './walk/change';

/** The name under which n8n keeps the state in the node's static data. */
const STATE_KEY = 'changes';

/** n8n's own bound on a poll, in versions that do not name it. ms. */
const POLL_BUDGET_MS = 5 * 60_000;
/** The share of that time in which further pages are asked for. */
const WALK_SHARE = 0.7;
/** A user waits for a sample no longer. ms. */
const SAMPLE_WAIT_MS = 20_000;

/** Nodes remembered at most. The one that was used longest ago is forgotten first. */
const MAX_NODES = 500;

/** n8n reports a failed start within this time. What waits longer is an execution that is running. ms. */
const START_REPORTED_MS = 120_000;

/** What became of a handover, and when it was made by this process's stopwatch, ms. */
interface Handed {
	outcome: Ended;
	atMs: number;
}

/** What this process knows of one node, beyond what n8n keeps of it. */
interface PollerMemory {
	/** The state after the latest poll; with durable cursors that with which the first began, until n8n stores one. */
	state?: ChangesState;
	/** What this process handed over, by the emission's id. */
	handed: Map<number, Handed>;
	/** True while a poll is under way: n8n starts the next one all the same. */
	isPolling: boolean;
	/** Until when the user has been told that the day's budget is spent, Unix ms. */
	reportedUntilMs: number;
	/** False until a poll in this process has reached the platform. */
	hasPolled: boolean;
}

const memories = new Map<string, PollerMemory>();

/** This process's memory of a node, whose ID stays when it is renamed. */
function memoryOf(context: IPollFunctions): PollerMemory {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const unknown = { handed: new Map(), isPolling: false, reportedUntilMs: 0, hasPolled: false };
	const memory = memories.get(key) ?? unknown;
	memories.delete(key);
	memories.set(key, memory);
	const [oldest] = memories.keys();
	if (memories.size > MAX_NODES) memories.delete(oldest);
	return memory;
}

/**
 * One poll of the trigger. It hands over by itself what it found, so that it learns whether an execution came
 * of it; so it always returns null, but for a sample.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function pollChanges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const parameters = await withNodeErrors(context, undefined, async () => readParameters(context));
	return await withNodeErrors(context, parameters.watch.errors, async () => {
		if (context.getMode() === 'manual') return await sampleOf(context, parameters);
		const memory = memoryOf(context);
		if (memory.isPolling) return null;
		memory.isPolling = true;
		try {
			await pollOnce(context, parameters, memory);
			return null;
		} finally {
			memory.isPolling = false;
		}
	});
}

async function sampleOf(context: IPollFunctions, parameters: ChangesParameters) {
	const client = await createClient(context, { maxWaitMs: SAMPLE_WAIT_MS });
	const changes = await new PlatformSource(client, parameters).sample();
	return changes.length === 0 ? null : [toItems(changes, parameters)];
}

async function pollOnce(
	context: IPollFunctions,
	parameters: ChangesParameters,
	memory: PollerMemory,
): Promise<void> {
	const { name: watch, filters, keepDailyBudgetPercent, maxPages, overlapMs } = parameters;
	// Versions of n8n before 2.40 do not name it.
	const named = (context.getPollBudgetMs as (() => number) | undefined)?.call(context);
	const budgetMs = named ?? POLL_BUDGET_MS;
	const maxWaitMs = Math.min(120_000, budgetMs / 3);
	const client = await createClient(context, { keepDailyBudgetPercent, maxWaitMs });
	const source = new PlatformSource(client, parameters);
	const staticData = context.getWorkflowStaticData('node');
	// n8n stores what a node remembers together with the execution ("durable cursors"): then a poll works on a copy of
	// its own. Otherwise n8n watches the object for changes, by a mark that it bears.
	const isDurable = named !== undefined && !('__dataChanged' in staticData);
	const subject = {
		workflowId: String(context.getWorkflow().id ?? ''),
		credential: context.getNode().credentials?.[CREDENTIAL].id ?? '',
		watch,
		filters: JSON.stringify(filters),
	};
	const kept = staticData[STATE_KEY];
	// What n8n stores together with executions is all there is to know, and it stores nothing of a poll at publishing.
	if (isDurable && kept !== undefined) memory.state = undefined;
	const { state: known, refused } = loadState(kept, memory.state, subject);
	if (refused !== undefined) {
		const text = `The changes trigger found a state that it does not use, because ${refused}`;
		warn(context, `${text}. It begins anew, with what changes from now on or at Start From.`);
	}
	const others = parameters.afterRestart === 'goOn' ? 'done' : 'failed';
	const unknown = { subject, revision: 0, seen: new Map<string, number>(), emissions: [] };
	const begun: ChangesState = known
		? settleAll(context, known, memory, others)
		: { ...unknown, place: await source.firstPlace(parameters) };
	const endMs = systemClock.monotonic() + budgetMs * WALK_SHARE;
	const limits = { maxPages, overlapMs, hasTime: () => systemClock.monotonic() < endMs };
	const { state, changes, error, hasProgressed } = await advance(begun, source, limits, isDurable);
	memory.state = isDurable ? (kept === undefined ? begun : undefined) : state;
	staticData[STATE_KEY] = toStored(state);
	if (changes.length > 0) handOver(context, memory, state.revision, toItems(changes, parameters));
	if (error !== undefined) {
		if (isShown(error, memory, known !== undefined, hasProgressed)) throw error;
		const { message, description } = toNodeError(context.getNode(), error, parameters.watch.errors);
		const text = 'The changes trigger could not read to the end and goes on at the next poll';
		warn(context, `${text}: ${message}`, { description });
	}
	memory.hasPolled = true;
}

/** The state with what became of earlier emissions taken in. */
function settleAll(
	context: IPollFunctions,
	known: ChangesState,
	{ handed }: PollerMemory,
	others: Ended,
): ChangesState {
	const nowMs = systemClock.monotonic();
	const { state, repeated } = settle(known, ({ id }) => endedOf(handed.get(id), others, nowMs));
	const waiting = new Set(state.emissions.map(({ id }) => id));
	for (const id of handed.keys()) if (!waiting.has(id)) handed.delete(id);
	const message =
		'The changes trigger emits again what was handed over before, because no execution is known to have come of it';
	if (repeated > 0) warn(context, message, { emissions: repeated });
	return state;
}

/**
 * What became of an emission, as far as it can be known.
 *
 * @param handed undefined where another process handed it over, which alone could have learned how it ended
 * @param others what a handover of another process counts as
 * @param nowMs this process's stopwatch, ms
 */
export function endedOf(handed: Handed | undefined, others: Ended, nowMs: number): Ended {
	if (handed === undefined) return others;
	const { outcome, atMs } = handed;
	return outcome === 'pending' && nowMs - atMs > START_REPORTED_MS ? 'done' : outcome;
}

/**
 * Hands items to n8n, and notes how the start of the execution ends. What a poll returns would be handed over
 * the same way, but then nobody tells whether the execution came into being.
 */
function handOver(
	context: IPollFunctions,
	{ handed }: PollerMemory,
	id: number,
	items: INodeExecutionData[],
): void {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	const atMs = systemClock.monotonic();
	const note = (outcome: Ended) => handed.set(id, { outcome, atMs });
	// Until n8n has taken it.
	note('failed');
	void done.promise.then(
		// n8n gives no run where it has made no execution.
		(run) => note(run === undefined ? 'failed' : 'done'),
		(error: unknown) => note(hasBegun(error) ? 'done' : 'failed'),
	);
	context.__emit([items], undefined, done);
	note('pending');
}

/** Errors about an execution that came into being and has ended otherwise than by running through. */
const hasBegun = (error: unknown): boolean =>
	error instanceof ExecutionCancelledError ||
	(error instanceof Error && error.constructor.name === 'ExecutionNotFoundError');

/** Changes as items: as Get Many gives them, and with their keys where that is wanted. */
function toItems(
	changes: readonly Change[],
	{ simplify, decimals, addChangeKey }: ChangesParameters,
): INodeExecutionData[] {
	return changes.map((change) => {
		const json: IDataObject = withDecimals(simplify?.(change.record) ?? change.record, decimals);
		return { json: addChangeKey ? { ...json, changeKey: changeKeyOf(change) } : json };
	});
}

/**
 * What stops a poll is shown as a failed execution. Not so where that would do harm: n8n takes an error of the
 * first poll after its start for a failed publication, and the trigger would stay off for a platform that was
 * away for a minute. And what has been read in front of the error is worth more than the error, which comes
 * again at the next poll if it lasts. A spent day is shown once: until it is over, no poll sends anything.
 */
function isShown(
	error: unknown,
	memory: PollerMemory,
	isResumed: boolean,
	hasProgressed: boolean,
): boolean {
	if (hasProgressed) return false;
	if (!(error instanceof PlatformError)) return true;
	const { day, resumeAtMs = 0, status = 0 } = error.details;
	if (day) {
		const isReported = systemClock.now() < memory.reportedUntilMs;
		memory.reportedUntilMs = resumeAtMs;
		if (isReported) return false;
	}
	const isPassing = error.problem !== 'refused' || status >= 500 || status === 408;
	return !isResumed || memory.hasPolled || !isPassing;
}

const warn = (context: IPollFunctions, message: string, more: IDataObject = {}): void =>
	context.logger.warn(message, { node: context.getNode().name, ...more });
