import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../shared/api/client';
import { normaliseBaseUrl } from '../shared/api/credential';
import { CREDENTIAL } from '../shared/api/request';
import { PlatformError, settled } from '../shared/errors/errors';
import { toNodeError, withNodeErrors } from '../shared/errors/nodeErrors';
import { fetchSample, firstPlace, PlatformSource } from './platformSource';
import { readParameters, toItems, type ChangesParameters } from './parameters';
import { handOver, isDurable, memoryOf, outcomeOf, PROCESS, type PollerMemory } from './poller';
import { settle, type ChangesState, type Subject } from './state';
import { fromStored, newerState, STATE_KEY, toStored } from './stored';
import { advance, type Advanced } from './walk/advance';
import type { Change } from './walk/change';

/** n8n's own bound on a poll, in versions that do not name it. ms. */
const POLL_BUDGET_MS = 5 * 60_000;
/** A user waits for a sample no longer. ms. */
const SAMPLE_WAIT_MS = 20_000;
/** The share of that time in which further pages are asked for. */
const WALK_SHARE = 0.7;

/** What one poll works with. */
interface Poll {
	context: IPollFunctions;
	parameters: ChangesParameters;
	memory: PollerMemory;
	client: PlatformClient;
	subject: Subject;
	staticData: IDataObject;
	isDurable: boolean;
	budgetMs: number;
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
	const memory = memoryOf(String(context.getWorkflow().id ?? ''), context.getNode().id);
	if (memory.isPolling) return null;
	memory.isPolling = true;
	try {
		const work = async () => await pollOnce(await prepare(context, parameters, memory));
		await withNodeErrors(context, errors, work);
		return null;
	} finally {
		memory.isPolling = false;
	}
}

async function sampleOf(
	context: IPollFunctions,
	parameters: ChangesParameters,
): Promise<INodeExecutionData[][] | null> {
	const client = await createClient(context, { maxWaitMs: SAMPLE_WAIT_MS });
	const changes = await fetchSample(client, parameters);
	return changes.length === 0 ? null : [toItems(changes, parameters.watch, parameters.output)];
}

async function prepare(
	context: IPollFunctions,
	parameters: ChangesParameters,
	memory: PollerMemory,
): Promise<Poll> {
	const { keepDailyBudgetPercent, filters, name } = parameters;
	// Versions of n8n before 2.40 do not name it.
	const named = (context.getPollBudgetMs as (() => number) | undefined)?.call(context);
	const budgetMs = named ?? POLL_BUDGET_MS;
	const maxWaitMs = Math.min(120_000, budgetMs / 3);
	const client = await createClient(context, { keepDailyBudgetPercent, maxWaitMs });
	const staticData = context.getWorkflowStaticData('node');
	const subject = {
		workflowId: String(context.getWorkflow().id ?? ''),
		credential: await credentialOf(context),
		watch: name,
		filters: JSON.stringify(filters),
	};
	const base = { context, parameters, memory, client, subject, staticData, budgetMs };
	return { ...base, isDurable: isDurable(context, staticData) };
}

/** The credential's ID: a key can be rotated, and an address be that of many merchants. */
async function credentialOf(context: IPollFunctions): Promise<string> {
	const { id } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	if (id) return id;
	const { baseUrl } = await context.getCredentials<IDataObject>(CREDENTIAL);
	return normaliseBaseUrl(baseUrl);
}

async function pollOnce(poll: Poll): Promise<void> {
	const { context, parameters, memory, client, staticData } = poll;
	const loaded = load(poll);
	const step = await walk(poll, loaded);
	if (step.state !== undefined) {
		memory.state = step.state;
		staticData[STATE_KEY] = toStored(step.state);
	}
	if (step.emissionId !== undefined && step.changes !== undefined) {
		const items = toItems(step.changes, parameters.watch, parameters.output);
		handOver(context, memory, step.emissionId, items, client.clock.monotonic());
		reportTimeless(poll, step.changes);
	}
	const { error } = step;
	if (error !== undefined) {
		if (isShown(error, poll, loaded !== undefined, step.hasProgressed)) throw error;
		logError(poll, error);
	}
	memory.hasPolled = true;
}

/** The state from which to go on, or undefined to begin anew. */
function load(poll: Poll): ChangesState | undefined {
	const { memory, staticData, subject } = poll;
	const kept = staticData[STATE_KEY];
	// What n8n stores together with executions is all there is to know.
	const { state, refused } = poll.isDurable
		? fromStored(kept, subject)
		: newerState(kept, memory.state, subject);
	if (refused !== undefined) reportRefused(poll, refused);
	return state;
}

async function walk(poll: Poll, known: ChangesState | undefined): Promise<Partial<Advanced>> {
	const { client, parameters, budgetMs } = poll;
	const { watch, filters, maxPages, overlapMs } = parameters;
	const begun = await settled(begin(poll, known));
	if (begun.status === 'rejected') return { error: begun.reason };
	const source = new PlatformSource(client, watch, filters);
	const endMs = client.clock.monotonic() + budgetMs * WALK_SHARE;
	const limits = { maxPages, overlapMs, goOn: () => client.clock.monotonic() < endMs };
	return await advance(begun.value, source, limits, {
		process: PROCESS,
		isDurable: poll.isDurable,
	});
}

async function begin(poll: Poll, known: ChangesState | undefined): Promise<ChangesState> {
	if (known !== undefined) return settledState(poll, known);
	const place = await firstPlace(poll.client, poll.parameters);
	return { subject: poll.subject, revision: 0, place, seen: new Map(), emissions: [] };
}

/** Takes in what became of earlier emissions. */
function settledState(poll: Poll, known: ChangesState): ChangesState {
	const { memory, client, parameters } = poll;
	const others = parameters.afterRestart === 'goOn' ? 'done' : 'failed';
	const nowMs = client.clock.monotonic();
	const { state, repeated } = settle(known, (one) => outcomeOf(one, memory, others, nowMs));
	const waiting = new Set(state.emissions.map(({ id }) => id));
	for (const id of memory.handed.keys()) if (!waiting.has(id)) memory.handed.delete(id);
	if (repeated > 0) {
		warn(
			poll,
			'The changes trigger emits again what was handed over before, because no execution is known to have come of it',
			{ emissions: repeated },
		);
	}
	return state;
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
	hasProgressed = false,
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
	warn(
		poll,
		`The changes trigger could not read to the end and goes on at the next poll: ${message}`,
		{ description },
	);
}

/** Says once where the records do not tell when they changed: the trigger then has less to go by. */
function reportTimeless(poll: Poll, changes: readonly Change[]): void {
	const { parameters, memory } = poll;
	const tell = changes.some(({ updatedAt }) => updatedAt !== undefined);
	if (parameters.watch.kind !== 'list' || tell || memory.saidTimeless) return;
	memory.saidTimeless = true;
	warn(
		poll,
		'The records carry no updated_at, so the changes trigger tells their versions by the content alone',
	);
}

function reportRefused(poll: Poll, why: string): void {
	const begin =
		poll.parameters.startFromMs === undefined
			? 'with what changes from now on; to fetch what lies between, set Start From'
			: 'at Start From';
	warn(
		poll,
		`The changes trigger found a state that it does not use, because ${why}. It begins anew ${begin}.`,
	);
}

const warn = ({ context }: Poll, message: string, more: IDataObject = {}): void =>
	context.logger.warn(message, { node: context.getNode().name, ...more });
