import {
	ExecutionCancelledError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
	NodeOperationError,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import {
	emitWithOutcome,
	isStart,
	isUnknownExecution,
	isWatched,
	pollBudgetOf,
} from '../shared/n8n';
import { PERSON_WAITS, type PlatformClient } from '../shared/rest/client';
import { systemClock } from '../shared/rest/clock';
import { toNodeError, withNodeErrors } from '../shared/rest/nodeErrors';
import { CREDENTIAL } from '../shared/rest/request';
import { shopClient } from '../shared/shop/service';
import { isSame } from '../shared/values/json';
import { keepLatest } from '../shared/values/maps';
import { withDecimals } from '../shared/values/money';
import { type ChangesParameters, readPollParameters } from './parameters';
import { PlatformSource } from './source';
import {
	type Change,
	type ChangesState,
	type EmissionOutcome,
	loadState,
	settle,
	type Subject,
	toStored,
} from './state';
import { advance } from './walk';

/**
 * Runs one poll of the trigger. It emits the changes by itself, to learn whether n8n makes an execution of them. So it
 * returns items only for a test event, and otherwise null.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function pollChanges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const parameters = await withNodeErrors(context, undefined, async () =>
		readPollParameters(context),
	);
	return await withNodeErrors(context, parameters.watch.errors, async () => {
		if (context.getMode() === 'manual') return await testEvent(context, parameters);
		await scheduledPoll(context, parameters);
		return null;
	});
}

/**
 * “Fetch Test Event”: the newest records, for building the workflow. Changes no state.
 *
 * @throws NodeOperationError if there is none, as n8n's own triggers do
 */
async function testEvent(context: IPollFunctions, parameters: ChangesParameters) {
	const client = await shopClient(context, PERSON_WAITS);
	const changes = await new PlatformSource(client, parameters).newest();
	if (changes.length > 0) return [toItems(changes, parameters)];
	const { noun } = parameters.watch.errors;
	throw new NodeOperationError(context.getNode(), `Your shop has no ${noun} to show`, {
		description: 'Create one, or change the Filters, then fetch again.',
	});
}

/** How long a poll may run if n8n does not tell it. ms. */
const POLL_BUDGET_MS = 5 * 60_000;
/** In this share of that time the poll asks for further pages. */
const WALK_SHARE = 0.7;
/**
 * After this share of that time the poll ends itself, with its requests and waits. If n8n ended it, n8n would show
 * nothing.
 */
const POLL_SHARE = 0.9;

/** The name under which n8n keeps the state in the node's static data. */
const STATIC_DATA_FIELD = 'changes';

/**
 * Reads what has changed, emits it, and keeps the state for the next poll. Where it reads from: {@link stateToGoOn}, in
 * the first poll {@link firstState}.
 *
 * @throws the error that n8n shows as a failed execution, if it stopped the poll before any change
 */
async function scheduledPoll(context: IPollFunctions, parameters: ChangesParameters) {
	const poll = await openPoll(context, parameters);
	const { memory } = poll;
	if (memory.isPolling) return logWarning(context, STILL_POLLING);
	const isFirst = memory.isPolling === undefined;
	memory.isPolling = true;
	try {
		const startState = stateToGoOn(poll) ?? (await firstState(poll));
		await readAndEmit(poll, startState);
	} catch (error) {
		const errorContext = { ...parameters.watch.errors, timezone: context.getTimezone() };
		const nodeError = toNodeError(context.getNode(), error, errorContext);
		if (!isFirst || !isStart(context)) throw nodeError;
		context.__emitError(nodeError);
	} finally {
		memory.isPolling = false;
	}
}

const STILL_POLLING =
	"A poll of the changes trigger has read nothing, because the poll before it is still under way. Poll less often, or lower 'Max Pages per Poll'";

/** What a scheduled poll works with. */
type Poll = Awaited<ReturnType<typeof openPoll>>;

async function openPoll(context: IPollFunctions, parameters: ChangesParameters) {
	const namedBudgetMs = pollBudgetOf(context);
	const budgetMs = namedBudgetMs ?? POLL_BUDGET_MS;
	const endMs = systemClock.monotonic() + budgetMs * WALK_SHARE;
	const { keepDailyBudgetPercent } = parameters;
	const totalMs = budgetMs * POLL_SHARE;
	const client = await shopClient(context, { keepDailyBudgetPercent, totalMs });
	const subject = subjectOf(context, parameters, client);
	const staticData = context.getWorkflowStaticData('node');
	return {
		context,
		parameters,
		source: new PlatformSource(client, parameters),
		subject,
		memory: memoryOf(context, subject),
		staticData,
		keeping: namedBudgetMs !== undefined && !isWatched(staticData) ? DURABLE : REMEMBERED,
		/** False when the time for further pages is over. */
		hasTime: () => systemClock.monotonic() < endMs,
	};
}

const subjectOf = (
	context: IPollFunctions,
	{ name: watch, filters }: ChangesParameters,
	{ baseUrl: address }: PlatformClient,
): Subject => ({
	workflowId: String(context.getWorkflow().id ?? ''),
	credential: context.getNode().credentials?.[CREDENTIAL].id ?? '',
	address,
	watch,
	filters: JSON.stringify(filters),
});

/** The state with which the trigger begins. */
const firstState = async ({ subject, source, parameters }: Poll): Promise<ChangesState> => ({
	subject,
	revision: 0,
	place: await source.firstPlace(parameters),
	versions: new Map(),
	emissions: [],
});

/**
 * The state to go on from: the newer one of what n8n has stored and what this process remembers, after what became of
 * earlier emissions is taken in.
 *
 * @returns undefined if the trigger begins anew
 */
function stateToGoOn(poll: Poll): ChangesState | undefined {
	const { context, memory, subject, staticData, keeping, parameters } = poll;
	const stored = staticData[STATIC_DATA_FIELD];
	const { state, refused } = loadState(stored, keeping.remembered(memory, stored), subject);
	if (refused !== undefined) {
		const text = `The changes trigger found a state that it does not use, because ${refused}`;
		logWarning(context, `${text}. It begins anew, with what changes from now on or at Start From.`);
	}
	if (state === undefined) return undefined;
	const { outcomes } = memory;
	const foreignOutcome: EmissionOutcome = parameters.afterRestart === 'goOn' ? 'done' : 'failed';
	const nowMs = systemClock.monotonic();
	const settled = settle(state, ({ id }) => emissionOutcome(id, outcomes, foreignOutcome, nowMs));
	const unsettledIds = new Set(settled.state.emissions.map(({ id }) => id));
	for (const id of outcomes.keys()) if (!unsettledIds.has(id)) outcomes.delete(id);
	if (settled.repeated > 0) logWarning(context, EMITS_AGAIN, { emissions: settled.repeated });
	return settled.state;
}

const EMITS_AGAIN =
	'The changes trigger emits again what was handed over before, because no execution is known to have come of it';

/** Reads on from a state, keeps the new one and emits. @throws the error that stopped the poll before any change */
async function readAndEmit(poll: Poll, startState: ChangesState): Promise<void> {
	const { context, parameters, source, subject, memory, staticData, keeping, hasTime } = poll;
	const { maxPages, overlapMs, watch } = parameters;
	const limits = { maxPages, overlapMs, hasTime, nowMs: systemClock.now() };
	const emissionId = keeping.emissionId();
	const { state, changes, error } = await advance(startState, source, limits, emissionId);
	const hasFailed = error !== undefined && changes.length === 0;
	const stored = staticData[STATIC_DATA_FIELD];
	memory.next = keeping.next({ startState, endState: state, hasFailed, stored, subject });
	memory.storedBefore = stored;
	staticData[STATIC_DATA_FIELD] = toStored(state);
	if (changes.length > 0) emit(context, memory.outcomes, emissionId, toItems(changes, parameters));
	if (hasFailed) throw error;
	if (error === undefined) return;
	// The changes that were read are worth more. An error that lasts comes again at the next poll.
	const { message, description } = toNodeError(context.getNode(), error, watch.errors);
	logWarning(context, `${STOPPED}: ${message}`, { description });
}

const STOPPED = 'The changes trigger could not read to the end and goes on at the next poll';

/** Makes items of changes, like those of Get Many. */
function toItems(
	changes: readonly Change[],
	{ simplify, decimals }: ChangesParameters,
): INodeExecutionData[] {
	return changes.map(({ record }) => ({
		json: withDecimals(simplify?.(record) ?? record, decimals),
	}));
}

/** Writes a warning into n8n's log. */
const logWarning = (context: IPollFunctions, message: string, details: IDataObject = {}): void =>
	context.logger.warn(message, { node: context.getNode().name, ...details });

/** Nodes remembered at most, far more than one n8n runs. The one that polled longest ago is forgotten first. */
const MAX_NODES = 10_000;

/** What this process knows of one node, beyond what n8n stores. */
interface NodeMemory {
	/** See {@link Keeping.next}. */
	next?: ChangesState;
	/** What n8n had stored when the last poll began. */
	storedBefore?: unknown;
	readonly outcomes: KnownOutcomes;
	/** n8n may start a poll before the last one has ended. Undefined before the first one. */
	isPolling?: boolean;
}

const nodeMemories = new Map<string, NodeMemory>();

/**
 * This process's memory of a node and what it watches. A node keeps its ID when it is renamed. If it is published again
 * for something else, a poll that is still under way does not disturb the new ones.
 */
export function memoryOf(context: IPollFunctions, subject: Subject): NodeMemory {
	const key = JSON.stringify([context.getNode().id, { ...subject, filters: '' }]);
	const memory = nodeMemories.get(key) ?? { outcomes: new Map() };
	return keepLatest(nodeMemories, key, memory, MAX_NODES);
}

/** The id of every emission with durable cursors. */
const DONE_IF_STORED = 'done if stored';

/** Names this process in the ids of its other emissions. */
const PROCESS = randomUUID();
let emissionCount = 0;

/** The id of a further emission. No other has it, of this process or of another. */
export const newEmissionId = (): string => `${PROCESS} ${++emissionCount}`;

/** A poll that has read. */
interface ReadPoll {
	startState: ChangesState;
	endState: ChangesState;
	/** Whether an error stopped it before any change. Of such a poll n8n stores nothing. */
	hasFailed: boolean;
	/** What n8n had stored when it began. */
	stored: unknown;
	subject: Subject;
}

/** What this process adds to what n8n stores. That depends on how n8n stores it: one form each below. */
interface Keeping {
	/** The state that this process remembers of the poll before, if it still counts. @param stored by n8n, by now */
	remembered(memory: NodeMemory, stored: unknown): ChangesState | undefined;
	/** The id of what a poll emits. See {@link emissionOutcome}. */
	emissionId(): string;
	/** The state to remember for the next poll. */
	next(poll: ReadPoll): ChangesState | undefined;
}

/**
 * n8n stores static data and creates the execution independently of each other, and may lose what is in static data. So
 * every state is remembered, and n8n's word is awaited for every emission.
 */
const REMEMBERED: Keeping = {
	remembered: ({ next }) => next,
	emissionId: newEmissionId,
	next: ({ endState }) => endState,
};

/**
 * With “durable cursors” n8n stores static data and the execution in one transaction. So an emission is done if the state
 * that holds it is stored, and once n8n has stored anything, only that counts.
 */
const DURABLE: Keeping = {
	remembered: ({ next, storedBefore }, stored) => (isSame(storedBefore, stored) ? next : undefined),
	emissionId: () => DONE_IF_STORED,
	next({ startState, endState, hasFailed, stored, subject }) {
		if (hasFailed) return endState;
		// n8n stores all else, but a quiet poll at publishing. Then the next poll begins where this one began: at what was
		// stored before, if that can be used.
		return loadState(stored, undefined, subject).state === undefined ? startState : undefined;
	},
};

/** If n8n could not start an execution, it says so within this time. After it, the execution counts as running. ms. */
const START_REPORTED_MS = 120_000;

/** What became of the emissions of this process, by their id, as far as n8n has reported. */
type KnownOutcomes = Map<string, { outcome: EmissionOutcome; emittedMs: number }>;

/**
 * Tells what became of an emission, as far as it can be known.
 *
 * @param knownOutcomes the emissions that this process remembers
 * @param foreignOutcome what an emission of another process counts as: only that process could learn its outcome
 * @param nowMs this process's stopwatch, ms
 */
export function emissionOutcome(
	id: string,
	knownOutcomes: KnownOutcomes,
	foreignOutcome: EmissionOutcome,
	nowMs: number,
): EmissionOutcome {
	if (id === DONE_IF_STORED) return 'done';
	const known = knownOutcomes.get(id);
	// Of its own emissions a process forgets only those of a node that has long not polled. Their executions have started.
	if (known === undefined) return id.startsWith(PROCESS) ? 'done' : foreignOutcome;
	const isOverdue = nowMs - known.emittedMs > START_REPORTED_MS;
	return known.outcome === 'pending' && isOverdue ? 'done' : known.outcome;
}

/**
 * Emits items: hands them to n8n, and notes whether n8n starts an execution. If a poll returned the items, it would
 * never learn that.
 */
function emit(
	context: IPollFunctions,
	knownOutcomes: KnownOutcomes,
	id: string,
	items: INodeExecutionData[],
): void {
	const ended = context.helpers.createDeferredPromise<IRun | undefined>();
	const emittedMs = systemClock.monotonic();
	const note = (outcome: EmissionOutcome) => knownOutcomes.set(id, { outcome, emittedMs });
	// This stays if the next call throws.
	note('failed');
	void ended.promise.then(
		// n8n gives no run if it has made no execution.
		(run) => note(run === undefined ? 'failed' : 'done'),
		(error: unknown) => note(provesExecution(error) ? 'done' : 'failed'),
	);
	emitWithOutcome(context, items, ended);
	note('pending');
}

/** Whether an error proves that n8n had made an execution: it was cancelled, or n8n no longer knows it. */
const provesExecution = (error: unknown): boolean =>
	error instanceof ExecutionCancelledError || isUnknownExecution(error);
