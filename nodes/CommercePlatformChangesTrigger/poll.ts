import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { isStart, isWatched, pollBudgetOf } from '../shared/n8n';
import { PERSON_WAITS, type PlatformClient } from '../shared/rest/client';
import { systemClock } from '../shared/rest/clock';
import { toNodeError, withNodeErrors } from '../shared/rest/nodeErrors';
import { CREDENTIAL } from '../shared/rest/request';
import { shopClient } from '../shared/shop/service';
import { withDecimals } from '../shared/values/money';
import { DURABLE, emissionOutcome, emit, memoryOf, REMEMBERED } from './keeping';
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
