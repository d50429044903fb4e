import { randomUUID } from 'node:crypto';

import {
	ExecutionCancelledError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import { createClient, type PlatformClient } from '../shared/api/client';
import { normaliseBaseUrl } from '../shared/api/credential';
import { CREDENTIAL } from '../shared/api/request';
import { PlatformError, settled } from '../shared/errors/errors';
import { toNodeError, withNodeErrors } from '../shared/errors/nodeErrors';
import { readParameters, toItems, type ChangesParameters } from './parameters';
import { fetchSample, firstPlace, PlatformSource } from './source';
import {
	loadState,
	settle,
	toStored,
	type ChangesState,
	type Emission,
	type Outcome,
	type Subject,
} from './state';
import { advance, type Advanced } from './walk/advance';

/** The name under which n8n keeps the state in the node's static data. */
const STATE_KEY = 'changes';

/** n8n's own bound on a poll, in versions that do not name it. ms. */
const POLL_BUDGET_MS = 5 * 60_000;
/** The share of that time in which further pages are asked for. */
const WALK_SHARE = 0.7;
/** A user waits for a sample no longer. ms. */
const SAMPLE_WAIT_MS = 20_000;

/** Names this process. What another process has handed over, only that one could confirm. */
export const PROCESS = randomUUID();

/** Nodes remembered at most. The one that was used longest ago is forgotten first. */
const MAX_NODES = 500;

/** n8n reports a failed start within this time. What waits longer is an execution that is running. ms. */
const START_REPORTED_MS = 120_000;

/** What this process knows of one node, beyond what n8n keeps of it. */
interface PollerMemory {
	/** The state after the latest poll; with durable cursors that with which the first began, until n8n stores one. */
	state?: ChangesState;
	/** What became of what this process handed over, and when by its stopwatch, ms. */
	handed: Map<number, { outcome: Outcome; atMs: number }>;
	/** True while a poll is under way: n8n starts the next one all the same. */
	isPolling: boolean;
	/** Until when the user has been told that the day's budget is spent, Unix ms. */
	reportedUntilMs?: number;
	/** False until a poll in this process has reached the platform. */
	hasPolled: boolean;
}

const memories = new Map<string, PollerMemory>();

/** This process's memory of a node, whose ID stays when it is renamed. */
function memoryOf(context: IPollFunctions): PollerMemory {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const memory = memories.get(key) ?? { handed: new Map(), isPolling: false, hasPolled: false };
	memories.delete(key);
	memories.set(key, memory);
	const [oldest] = memories.keys();
	if (memories.size > MAX_NODES) memories.delete(oldest);
	return memory;
}

/** What one poll works with. */
interface Poll {
	context: IPollFunctions;
	parameters: ChangesParameters;
	memory: PollerMemory;
	client: PlatformClient;
}

/**
 * One poll of the trigger. It hands over by itself what it found, so that it learns whether an execution came
 * of it; so it always returns null, but for a sample.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function pollChanges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const parameters = await withNodeErrors(context, undefined, async () => readParameters(context));
	const { errors } = parameters.watch;
	if (context.getMode() === 'manual') {
		return await withNodeErrors(context, errors, async () => await sampleOf(context, parameters));
	}
	const memory = memoryOf(context);
	if (memory.isPolling) return null;
	memory.isPolling = true;
	try {
		await withNodeErrors(context, errors, async () => await pollOnce(context, parameters, memory));
		return null;
	} finally {
		memory.isPolling = false;
	}
}

async function sampleOf(context: IPollFunctions, parameters: ChangesParameters) {
	const client = await createClient(context, { maxWaitMs: SAMPLE_WAIT_MS });
	const changes = await fetchSample(client, parameters);
	return changes.length === 0 ? null : [toItems(changes, parameters)];
}

async function pollOnce(
	context: IPollFunctions,
	parameters: ChangesParameters,
	memory: PollerMemory,
): Promise<void> {
	const { keepDailyBudgetPercent, maxPages, overlapMs } = parameters;
	// Versions of n8n before 2.40 do not name it.
	const named = (context.getPollBudgetMs as (() => number) | undefined)?.call(context);
	const budgetMs = named ?? POLL_BUDGET_MS;
	const maxWaitMs = Math.min(120_000, budgetMs / 3);
	const client = await createClient(context, { keepDailyBudgetPercent, maxWaitMs });
	const poll = { context, parameters, memory, client };
	const staticData = context.getWorkflowStaticData('node');
	const isDurable = storesTogether(context, staticData);
	const subject = await subjectOf(context, parameters);
	const kept = staticData[STATE_KEY];
	// What n8n stores together with executions is all there is to know, and it stores nothing of a poll at publishing.
	if (isDurable && kept !== undefined) memory.state = undefined;
	const { state: known, refused } = loadState(kept, memory.state, subject);
	if (refused !== undefined) reportRefused(poll, refused);
	const begun = await settled(begin(poll, known, subject));
	const endMs = client.clock.monotonic() + budgetMs * WALK_SHARE;
	const limits = { maxPages, overlapMs, hasTime: () => client.clock.monotonic() < endMs };
	const source = new PlatformSource(client, parameters);
	const process = isDurable ? undefined : PROCESS;
	const step: Partial<Advanced> =
		begun.status === 'rejected'
			? { error: begun.reason }
			: await advance(begun.value, source, limits, process);
	const { state, changes = [], error, hasProgressed = false } = step;
	if (state !== undefined) {
		const isFirst = kept === undefined && begun.status === 'fulfilled';
		memory.state = isDurable ? (isFirst ? begun.value : undefined) : state;
		staticData[STATE_KEY] = toStored(state);
		if (changes.length > 0) handOver(poll, state.revision, toItems(changes, parameters));
	}
	if (error !== undefined) {
		if (isShown(error, poll, known !== undefined, hasProgressed)) throw error;
		logError(poll, error);
	}
	memory.hasPolled = true;
}

/**
 * Whether n8n stores what a node remembers together with the execution, in one transaction ("durable cursors").
 * A poll then works on a copy of its own; otherwise n8n watches the object for changes, by a mark that it bears.
 */
const storesTogether = (context: IPollFunctions, staticData: IDataObject): boolean =>
	typeof context.getPollBudgetMs === 'function' && !('__dataChanged' in staticData);

async function subjectOf(
	context: IPollFunctions,
	{ name, filters }: ChangesParameters,
): Promise<Subject> {
	return {
		workflowId: String(context.getWorkflow().id ?? ''),
		credential: await credentialOf(context),
		watch: name,
		filters: JSON.stringify(filters),
	};
}

/** The credential's ID: a key can be rotated, and an address be that of many merchants. */
async function credentialOf(context: IPollFunctions): Promise<string> {
	const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	if (id) return id;
	const { baseUrl } = await context.getCredentials<IDataObject>(CREDENTIAL);
	return normaliseBaseUrl(baseUrl);
}

/** The state from which to go on: what became of earlier emissions is taken in. */
async function begin(
	poll: Poll,
	known: ChangesState | undefined,
	subject: Subject,
): Promise<ChangesState> {
	const { memory, client, parameters } = poll;
	if (known === undefined) {
		const place = await firstPlace(client, parameters);
		return { subject, revision: 0, place, seen: new Map(), emissions: [] };
	}
	const others = parameters.afterRestart === 'goOn' ? 'done' : 'failed';
	const nowMs = client.clock.monotonic();
	const { state, repeated } = settle(known, (one) => outcomeOf(one, memory, others, nowMs));
	const waiting = new Set(state.emissions.map(({ id }) => id));
	for (const id of memory.handed.keys()) if (!waiting.has(id)) memory.handed.delete(id);
	const message =
		'The changes trigger emits again what was handed over before, because no execution is known to have come of it';
	if (repeated > 0) warn(poll, message, { emissions: repeated });
	return state;
}

/**
 * What became of an emission, as far as it can be known.
 *
 * @param others what a handover of another process counts as
 * @param nowMs this process's stopwatch, ms
 */
export function outcomeOf(
	{ id, process }: Pick<Emission, 'id' | 'process'>,
	{ handed }: Pick<PollerMemory, 'handed'>,
	others: Outcome,
	nowMs: number,
): Outcome {
	if (process !== PROCESS) return others;
	const { outcome = 'done', atMs = 0 } = handed.get(id) ?? {};
	return outcome === 'pending' && nowMs - atMs > START_REPORTED_MS ? 'done' : outcome;
}

/**
 * Hands items to n8n, and notes how the start of the execution ends. What a poll returns would be handed over
 * the same way, but then nobody tells whether the execution came into being.
 */
function handOver({ context, memory, client }: Poll, id: number, items: INodeExecutionData[]) {
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	const atMs = client.clock.monotonic();
	const note = (outcome: Outcome) => memory.handed.set(id, { outcome, atMs });
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
function hasBegun(error: unknown): boolean {
	return (
		error instanceof ExecutionCancelledError ||
		(error instanceof Error && error.constructor.name === 'ExecutionNotFoundError')
	);
}

/**
 * What stops a poll is shown as a failed execution. Not so where that would do harm: n8n takes an error of the
 * first poll after its start for a failed publication, and the trigger would stay off for a platform that was
 * away for a minute. And what has been read in front of the error is worth more than the error, which comes
 * again at the next poll if it lasts. A spent day is shown once.
 */
function isShown(
	error: unknown,
	{ memory, client }: Poll,
	isResumed: boolean,
	hasProgressed: boolean,
): boolean {
	if (hasProgressed || isReported(error, memory, client.clock.now())) return false;
	return !isResumed || memory.hasPolled || !isPassing(error);
}

/**
 * Whether a day's budget is meant of which an earlier poll has said until when it is spent. Until then no poll
 * sends anything, and none has to say so again.
 */
function isReported(error: unknown, memory: PollerMemory, nowMs: number): boolean {
	if (!(error instanceof PlatformError) || !error.details.day) return false;
	const reported = nowMs < (memory.reportedUntilMs ?? 0);
	memory.reportedUntilMs = error.details.resumeAtMs;
	return reported;
}

function isPassing(error: unknown): boolean {
	if (!(error instanceof PlatformError)) return false;
	const { status = 0 } = error.details;
	return error.problem !== 'refused' || status >= 500 || status === 408;
}

/** Logs an error in the words in which n8n would show it. */
function logError(poll: Poll, error: unknown): void {
	const { context, parameters } = poll;
	const { message, description } = toNodeError(context.getNode(), error, parameters.watch.errors);
	const text = `The changes trigger could not read to the end and goes on at the next poll: ${message}`;
	warn(poll, text, { description });
}

function reportRefused(poll: Poll, why: string): void {
	const begin =
		poll.parameters.startFromMs === undefined
			? 'with what changes from now on; to fetch what lies between, set Start From'
			: 'at Start From';
	const text = `The changes trigger found a state that it does not use, because ${why}. It begins anew ${begin}.`;
	warn(poll, text);
}

const warn = ({ context }: Poll, message: string, more: IDataObject = {}): void =>
	context.logger.warn(message, { node: context.getNode().name, ...more });
