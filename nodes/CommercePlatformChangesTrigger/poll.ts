import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { normaliseBaseUrl } from '../shared/api/credential';
import { createClient, type PlatformClient } from '../shared/api/client';
import { withNodeErrors } from '../shared/errors/nodeErrors';
import { CREDENTIAL } from '../shared/api/request';
import { logError, reactionTo } from './failure';
import { firstPlace } from './firstPlace';
import { handOver } from './handOver';
import { loadState, STATE_KEY } from './loadState';
import { toItems } from './output';
import { readParameters, type ChangesParameters } from './parameters';
import { PlatformSource } from './platformSource';
import { fetchSample } from './sample';
import { memoryOf, PROCESS, type PollerMemory } from './state/pollerMemory';
import { settle } from './state/settle';
import type { ChangesState, Subject } from './state/state';
import { toStored } from './state/stored';
import { advance } from './walk/advance';
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
	budgetMs: number;
}

/**
 * One poll of the trigger. It hands over by itself what it found, so that it learns whether an execution came
 * of it; so it always returns null, but for a sample.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function pollChanges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await sampleOf(context);
	const memory = memoryOf(String(context.getWorkflow().id ?? ''), context.getNode().id);
	if (memory.isPolling) return null;
	memory.isPolling = true;
	try {
		const parameters = await parametersOf(context);
		const work = async () => await pollOnce(await prepare(context, parameters, memory));
		await withNodeErrors(context, parameters.watch.errors, work);
		return null;
	} finally {
		memory.isPolling = false;
	}
}

async function sampleOf(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const parameters = await parametersOf(context);
	return await withNodeErrors(context, parameters.watch.errors, async () => {
		const client = await createClient(context, { maxWaitMs: SAMPLE_WAIT_MS });
		const changes = await fetchSample(client, parameters);
		return changes.length === 0 ? null : [toItems(changes, parameters.watch, parameters.output)];
	});
}

async function parametersOf(context: IPollFunctions): Promise<ChangesParameters> {
	return await withNodeErrors(context, undefined, async () => readParameters(context));
}

async function prepare(
	context: IPollFunctions,
	parameters: ChangesParameters,
	memory: PollerMemory,
): Promise<Poll> {
	const { keepDailyBudgetPercent, filters, name } = parameters;
	// Versions of n8n before 2.40 do not name it.
	const budgetMs = (context.getPollBudgetMs as (() => number) | undefined)?.call(context);
	const knownMs = budgetMs ?? POLL_BUDGET_MS;
	const maxWaitMs = Math.min(120_000, knownMs / 3);
	const client = await createClient(context, { keepDailyBudgetPercent, maxWaitMs });
	const { baseUrl } = await context.getCredentials<IDataObject>(CREDENTIAL);
	const subject = {
		workflowId: String(context.getWorkflow().id ?? ''),
		account: normaliseBaseUrl(baseUrl),
		watch: name,
		filters: JSON.stringify(filters),
	};
	const staticData = context.getWorkflowStaticData('node');
	return { context, parameters, memory, client, subject, staticData, budgetMs: knownMs };
}

async function pollOnce(poll: Poll): Promise<void> {
	const { context, parameters, memory, client, staticData, subject } = poll;
	const loaded = loadState(staticData, memory, subject);
	if (loaded.refused !== undefined) reportRefused(poll, loaded.refused);
	try {
		const known = loaded.state ?? (await firstState(poll));
		const step = await advance(settled(poll, known), sourceOf(poll), limitsOf(poll), PROCESS);
		memory.state = step.state;
		staticData[STATE_KEY] = toStored(step.state);
		const hasEmitted = step.emissionId !== undefined;
		reportTimeless(poll, step.changes);
		if (step.emissionId !== undefined) {
			handOver(
				context,
				memory,
				step.emissionId,
				toItems(step.changes, parameters.watch, parameters.output),
			);
		}
		if (step.error !== undefined) throw new Stopped(step.error, hasEmitted);
		memory.hasPolled = true;
	} catch (error) {
		const { cause, hasEmitted } =
			error instanceof Stopped ? error : { cause: error, hasEmitted: false };
		const isResumed = loaded.state !== undefined;
		if (reactionTo(cause, memory, { isResumed, hasEmitted, nowMs: client.clock.now() }) === 'throw')
			throw cause;
		logError(context, cause, parameters);
		memory.hasPolled = true;
	}
}

/** Carries the error of a walk, and whether something was emitted in front of it. */
class Stopped extends Error {
	constructor(
		override readonly cause: unknown,
		readonly hasEmitted: boolean,
	) {
		super('The walk was stopped');
	}
}

async function firstState({ client, parameters, subject }: Poll): Promise<ChangesState> {
	const probe = new PlatformSource(client, parameters.watch, parameters.filters, 1);
	const place = await firstPlace(parameters, probe);
	return { subject, revision: 0, place, seen: new Map(), emissions: [] };
}

/** Takes in what became of earlier emissions. */
function settled({ context, memory, client }: Poll, state: ChangesState): ChangesState {
	const { outcomes } = memory;
	const outcomeOf = (id: number) => outcomes.get(id) ?? 'done';
	const { state: now, repeated } = settle(state, PROCESS, outcomeOf, client.clock.now());
	const waiting = new Set(now.emissions.map(({ id }) => id));
	for (const id of outcomes.keys()) if (!waiting.has(id)) outcomes.delete(id);
	if (repeated > 0) {
		context.logger.warn(
			'The changes trigger emits again what was handed over before, because no execution is known to have come of it',
			{ node: context.getNode().name, emissions: repeated },
		);
	}
	return now;
}

function sourceOf({ client, parameters }: Poll): PlatformSource {
	return new PlatformSource(client, parameters.watch, parameters.filters);
}

function limitsOf({ client, parameters, budgetMs }: Poll) {
	const { maxPages, overlapMs } = parameters;
	const endMs = client.clock.monotonic() + budgetMs * WALK_SHARE;
	return { maxPages, overlapMs, goOn: () => client.clock.monotonic() < endMs };
}

/** Says once where the records do not tell when they changed: the trigger then has less to go by. */
function reportTimeless({ context, parameters, memory }: Poll, changes: readonly Change[]): void {
	const tell = changes.some(({ updatedAt }) => updatedAt !== undefined);
	if (parameters.watch.kind !== 'list' || changes.length === 0 || tell || memory.saidTimeless)
		return;
	memory.saidTimeless = true;
	context.logger.warn(
		'The records carry no updated_at, so the changes trigger tells their versions by the content alone',
		{ node: context.getNode().name },
	);
}

function reportRefused({ context, parameters }: Poll, reason: string): void {
	const begin =
		parameters.startFromMs === undefined
			? 'with what changes from now on; to fetch what lies between, set Start From'
			: 'at Start From';
	context.logger.warn(
		`The changes trigger found a state that it does not use, because ${reason}. It begins anew ${begin}.`,
		{ node: context.getNode().name },
	);
}
