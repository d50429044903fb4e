import {
	ExecutionCancelledError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
	NodeOperationError,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import type { PlatformClient } from '../shared/rest/client';
import { shopClient } from '../shared/shop/service';
import { systemClock } from '../shared/rest/clock';
import { CREDENTIAL } from '../shared/rest/request';
import { toNodeError, withNodeErrors } from '../shared/rest/nodeErrors';
import {
	emitWithOutcome,
	isStart,
	isUnknownExecution,
	isWatched,
	pollBudgetOf,
} from '../shared/n8n';
import { isSame } from '../shared/values/json';
import { keepLatest } from '../shared/values/latest';
import { withDecimals } from '../shared/values/money';
import { readPollParameters } from './parameters';
import {
	type Change,
	type ChangesState,
	type EmissionOutcome,
	loadState,
	type Place,
	readChange,
	settle,
	type Subject,
	toStored,
	wholeSecond,
} from './state';
import { advance } from './walk';
import { mayBeNotThere } from '../shared/rest/errorBody';
import { PlatformError } from '../shared/rest/errors';
import type { ChangesPage, ChangesSource, Query } from './walk';

/** What the user has set, read and checked. */
type ChangesParameters = ReturnType<typeof readPollParameters>;

/** The name under which n8n keeps the state in the node's static data. */
const STATE_KEY = 'changes';

/** How long a poll may run if n8n does not tell it. ms. */
const POLL_BUDGET_MS = 5 * 60_000;
/** In this share of that time the poll asks for further pages. */
const WALK_SHARE = 0.7;
/**
 * After this share of that time the poll ends itself, with its requests and waits. If n8n ended it, n8n would show
 * nothing.
 */
const POLL_SHARE = 0.9;
/** How long one request waits in all between its attempts. ms. */
const MAX_WAIT_MS = 120_000;
/** The same for a sample: a user is waiting. ms. */
const SAMPLE_WAIT_MS = 20_000;

/**
 * Runs one poll of the trigger. It emits the changes by itself, to learn whether n8n makes an execution of them. So it
 * returns items only for a sample, and otherwise null.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function pollChanges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const parameters = await withNodeErrors(context, undefined, async () =>
		readPollParameters(context),
	);
	return await withNodeErrors(context, parameters.watch.errors, async () => {
		if (context.getMode() === 'manual') return await sampleOf(context, parameters);
		await pollOnce(context, parameters);
		return null;
	});
}

/** @throws NodeOperationError if there is none, as n8n's own triggers do */
async function sampleOf(context: IPollFunctions, parameters: ChangesParameters) {
	const client = await shopClient(context, { maxWaitMs: SAMPLE_WAIT_MS });
	const changes = await new PlatformSource(client, parameters).sample();
	if (changes.length > 0) return [toItems(changes, parameters)];
	const { noun } = parameters.watch.errors;
	throw new NodeOperationError(context.getNode(), `Your shop has no ${noun} to show`, {
		description: 'Create one, or change the Filters, then fetch again.',
	});
}

/**
 * Runs a scheduled poll: reads the state, then the changes, keeps the new state and emits.
 *
 * @throws the error that n8n shows as a failed execution, if it stopped the poll before any change
 */
async function pollOnce(context: IPollFunctions, parameters: ChangesParameters): Promise<void> {
	const { watch } = parameters;
	const namedBudgetMs = pollBudgetOf(context);
	const budgetMs = namedBudgetMs ?? POLL_BUDGET_MS;
	const endMs = systemClock.monotonic() + budgetMs * WALK_SHARE;
	const client = await shopClient(context, {
		keepDailyBudgetPercent: parameters.keepDailyBudgetPercent,
		maxWaitMs: Math.min(MAX_WAIT_MS, budgetMs / 3),
		totalMs: budgetMs * POLL_SHARE,
	});
	const source = new PlatformSource(client, parameters);
	const staticData = context.getWorkflowStaticData('node');
	// With “durable cursors” n8n stores static data and the execution in one transaction.
	const isDurable = namedBudgetMs !== undefined && !isWatched(staticData);
	const subject = subjectOf(context, parameters, client);
	const memory = memoryOf(context, subject);
	if (memory.isPolling) return logWarning(context, STILL_POLLING);
	const isFirst = memory.isPolling === undefined;
	memory.isPolling = true;
	try {
		const stored = staticData[STATE_KEY];
		// With durable cursors, what n8n has stored since is the only state that counts.
		if (isDurable && !isSame(memory.storedBefore, stored)) memory.state = undefined;
		const startState =
			resumedState(context, memory, stored, subject, parameters.afterRestart) ??
			firstState(subject, await source.firstPlace(parameters));
		const hasTime = () => systemClock.monotonic() < endMs;
		const { maxPages, overlapMs } = parameters;
		const limits = { maxPages, overlapMs, hasTime, nowMs: systemClock.now() };
		const emissionId = newEmissionId();
		const step = await advance(startState, source, limits, { isDurable, emissionId });
		const hasFailed = step.error !== undefined && step.changes.length === 0;
		// n8n may lose what it keeps in static data, and keeps nothing of a failed poll, so this process remembers it too.
		if (!isDurable || hasFailed) memory.state = step.state;
		// With durable cursors n8n keeps nothing of a poll at publishing: the next one begins where this one began.
		else memory.state = stored === undefined ? startState : undefined;
		memory.storedBefore = memory.state && stored;
		staticData[STATE_KEY] = toStored(step.state);
		if (step.changes.length > 0)
			emit(context, memory.outcomes, emissionId, toItems(step.changes, parameters));
		if (hasFailed) throw step.error;
		if (step.error === undefined) return;
		// The changes that were read are worth more. An error that lasts comes again at the next poll.
		const { message, description } = toNodeError(context.getNode(), step.error, watch.errors);
		logWarning(context, `${STOPPED}: ${message}`, { description });
	} catch (error) {
		const errorContext = { ...watch.errors, timezone: context.getTimezone() };
		const nodeError = toNodeError(context.getNode(), error, errorContext);
		if (!isFirst || !isStart(context)) throw nodeError;
		context.__emitError(nodeError);
	} finally {
		memory.isPolling = false;
	}
}

const STILL_POLLING =
	"A poll of the changes trigger has read nothing, because the poll before it is still under way. Poll less often, or lower 'Max Pages per Poll'";

const STOPPED = 'The changes trigger could not read to the end and goes on at the next poll';

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

/**
 * The state to go on from, after the outcomes of earlier emissions are taken in.
 *
 * @returns undefined if the trigger begins anew
 */
function resumedState(
	context: IPollFunctions,
	memory: NodeMemory,
	stored: unknown,
	subject: Subject,
	afterRestart: ChangesParameters['afterRestart'],
): ChangesState | undefined {
	const { state, refused } = loadState(stored, memory.state, subject);
	if (refused !== undefined) {
		const text = `The changes trigger found a state that it does not use, because ${refused}`;
		logWarning(context, `${text}. It begins anew, with what changes from now on or at Start From.`);
	}
	if (state === undefined) return undefined;
	const { outcomes } = memory;
	const foreignOutcome: EmissionOutcome = afterRestart === 'goOn' ? 'done' : 'failed';
	const nowMs = systemClock.monotonic();
	const settled = settle(state, ({ id }) => emissionOutcome(id, outcomes, foreignOutcome, nowMs));
	const unsettledIds = new Set(settled.state.emissions.map(({ id }) => id));
	for (const id of outcomes.keys()) if (!unsettledIds.has(id)) outcomes.delete(id);
	const message =
		'The changes trigger emits again what was handed over before, because no execution is known to have come of it';
	if (settled.repeated > 0) logWarning(context, message, { emissions: settled.repeated });
	return settled.state;
}

const firstState = (subject: Subject, place: Place): ChangesState => ({
	subject,
	revision: 0,
	place,
	versions: new Map(),
	emissions: [],
});

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
	/**
	 * Without durable cursors: the state after the latest poll. With them: none, except after a first poll of which n8n
	 * has stored nothing; then the state with which that poll began. And except after a failed poll. It counts until n8n
	 * stores another one.
	 */
	state?: ChangesState;
	/** What n8n had stored when the latest poll began, if that poll has left a state here. */
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

/** If n8n could not start an execution, it says so within this time. After it, the execution counts as running. ms. */
const START_REPORTED_MS = 120_000;

/** What became of an emission, as far as n8n has reported. */
interface KnownOutcome {
	outcome: EmissionOutcome;
	emittedMs: number;
}

/** The emissions of this process, by their id. */
type KnownOutcomes = Map<string, KnownOutcome>;

/** Names this process in the ids of its emissions. */
const PROCESS = randomUUID();
let emissionCount = 0;

/** The id of a further emission. No other has it, of this process or of another. */
export const newEmissionId = (): string => `${PROCESS} ${++emissionCount}`;

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
	// Of its own emissions a process forgets only those of a node that has long not polled. Their executions have started.
	const byDefault = String(id).startsWith(PROCESS) ? 'done' : foreignOutcome;
	const { outcome, emittedMs } = knownOutcomes.get(id) ?? { outcome: byDefault, emittedMs: nowMs };
	return outcome === 'pending' && nowMs - emittedMs > START_REPORTED_MS ? 'done' : outcome;
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

/** Statuses that refuse the query itself, such as an unknown event. */
const REFUSED_QUERY = new Set([400, 404, 410, 422]);

const LOST_EVENT =
	"If the stream no longer holds the event “%”, set the filter 'After Event ID' to an event that it holds: the trigger then continues after it.";

/** Records that "Fetch Test Event" shows at most. */
const SAMPLE_SIZE = 5;

/** Fetches the pages of what is watched from the platform. */
export class PlatformSource implements ChangesSource {
	constructor(
		private readonly client: PlatformClient,
		private readonly watched: Pick<ChangesParameters, 'watch' | 'filters'>,
	) {}

	/**
	 * Fetches one page.
	 *
	 * @param newestFirst whether the records that changed last are wanted
	 * @throws PlatformError
	 */
	async fetch({ limit, cursor, ...asked }: Query, newestFirst?: boolean): Promise<ChangesPage> {
		const { client } = this;
		const { watch, filters } = this.watched;
		const { resource, kind, identity } = watch;
		const { path } = resource;
		const query = { ...filters, ...asked };
		const [field] = identity.idFields;
		const keyset = kind === 'stream' ? { field, query: 'after_event_id' } : undefined;
		const options = { limit, startCursor: cursor, newestFirst, keyset };
		const startedMs = client.clock.monotonic();
		const { records, response, nextCursor, hasMore } = await client
			.page({ method: 'GET', path, query }, options)
			.catch((error: unknown) => {
				throw this.withHint(error, query);
			});
		// The platform may have read the page as long before it answered as the request took, with all its attempts.
		const tookMs = client.clock.monotonic() - startedMs;
		const { serverTimeMs = client.clock.now() } = response;
		return {
			changes: records.map((record) => readChange(record, identity)),
			nextCursor: hasMore ? nextCursor : undefined,
			hasMore,
			askedMs: Math.floor(serverTimeMs - tookMs),
		};
	}

	endlessError(reason: string): PlatformError {
		const { path } = this.watched.watch.resource;
		const request = { method: 'GET', path, host: this.client.host };
		const hint = `The platform ${reason}, so the list would never end.`;
		return new PlatformError('bad-page', request, { hint });
	}

	/**
	 * Where the first poll begins: at the chosen time, or now, for what changes from now on. "Now" is the
	 * platform's clock. To learn it costs one small request, which also shows at publishing whether the key
	 * may read the list.
	 *
	 * @throws PlatformError
	 */
	async firstPlace({
		startFromMs,
		overlapMs,
	}: Pick<ChangesParameters, 'startFromMs' | 'overlapMs'>): Promise<Place> {
		const { kind } = this.watched.watch;
		if (kind === 'snapshot') return { kind, taken: false };
		if (kind === 'stream') {
			const { after_event_id: afterEventId } = this.watched.filters;
			if (typeof afterEventId === 'string') return { kind, afterEventId, read: 0 };
			return { kind, read: 0, fromMs: startFromMs ?? (await this.platformNow()) };
		}
		if (startFromMs !== undefined) return { kind, sinceMs: wholeSecond(startFromMs) };
		const fromMs = await this.platformNow();
		// The first walk begins earlier by the overlap and marks what it finds there as emitted. Later walks then see which
		// of these records have changed late.
		return { kind, sinceMs: wholeSecond(fromMs - overlapMs), fromMs };
	}

	/**
	 * The newest records, for building the workflow. Changes no state.
	 *
	 * @throws PlatformError
	 */
	async sample(): Promise<Change[]> {
		const isList = this.watched.watch.kind === 'list';
		const { changes } = await this.fetch({ limit: SAMPLE_SIZE }, isList);
		return changes;
	}

	private async platformNow(): Promise<number> {
		const { askedMs } = await this.fetch({ limit: 1 });
		return askedMs;
	}

	/**
	 * Adds what only the trigger knows. For example, a platform that does not offer what is watched may answer as if the
	 * path did not exist.
	 */
	private withHint(error: unknown, { after_event_id: eventId }: Query): unknown {
		if (!(error instanceof PlatformError)) return error;
		const { hint, status = 0 } = error.details;
		const isRefused = error.problem === 'refused';
		const isLost = eventId !== undefined && isRefused && REFUSED_QUERY.has(status);
		const hints = [
			hint,
			isLost && LOST_EVENT.replace('%', String(eventId)),
			isRefused && mayBeNotThere(error.details) && this.watched.watch.errors.permission,
		];
		const details = { ...error.details, hint: hints.filter(Boolean).join(' ') };
		return new PlatformError(error.problem, error.request, details);
	}
}
