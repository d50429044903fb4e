import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../shared/api/client';
import { systemClock } from '../shared/api/clock';
import { CREDENTIAL } from '../shared/api/request';
import { withNodeErrors } from '../shared/errors/nodeErrors';
import { isWatched, pollBudgetOf } from '../shared/n8n';
import { withDecimals } from '../shared/values/money';
import { endedOf, handOver, PROCESS } from './handover';
import { beginPoll, memoryOf, type NodeMemory } from './memory';
import { readParameters, type ChangesParameters } from './parameters';
import { report, warn } from './report';
import { PlatformSource } from './source';
import {
	loadState,
	settle,
	toStored,
	type ChangesState,
	type HandoverOutcome,
	type Subject,
} from './state';
import { advance } from './walk/advance';
import type { Change } from './walk/change';

/** The name under which n8n keeps the state in the node's static data. */
const STATE_KEY = 'changes';

/** n8n's own bound on a poll, in versions that do not name it. ms. */
const POLL_BUDGET_MS = 5 * 60_000;
/** The share of that time in which further pages are asked for. */
const WALK_SHARE = 0.7;
/** The share of that time after which a poll ends itself, requests and waits included: n8n shows nothing of its end. */
const POLL_SHARE = 0.9;
/** No request waits longer between its attempts. ms. */
const MAX_WAIT_MS = 120_000;
/** A user waits for a sample no longer. ms. */
const SAMPLE_WAIT_MS = 20_000;

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
		await pollOnce(context, parameters);
		return null;
	});
}

async function sampleOf(context: IPollFunctions, parameters: ChangesParameters) {
	const client = await createClient(context, { maxWaitMs: SAMPLE_WAIT_MS });
	const changes = await new PlatformSource(client, parameters).sample();
	return changes.length === 0 ? null : [toItems(changes, parameters)];
}

/** One scheduled poll: read where to go on, read the changes, keep the new state, hand over, say what went wrong. */
async function pollOnce(context: IPollFunctions, parameters: ChangesParameters): Promise<void> {
	const { budgetMs, isNamed } = budgetOf(context);
	const endMs = systemClock.monotonic() + budgetMs * WALK_SHARE;
	const client = await createClient(context, {
		keepDailyBudgetPercent: parameters.keepDailyBudgetPercent,
		maxWaitMs: Math.min(MAX_WAIT_MS, budgetMs / 3),
		totalMs: budgetMs * POLL_SHARE,
	});
	const source = new PlatformSource(client, parameters);
	const staticData = context.getWorkflowStaticData('node');
	// With “durable cursors” n8n stores what a node remembers together with the execution.
	const isDurable = isNamed && !isWatched(staticData);
	const subject = subjectOf(context, parameters, client);
	const memory = memoryOf(context);
	const poll = beginPoll(memory, { subject: JSON.stringify(subject), staticData, isDurable });
	try {
		const stored = staticData[STATE_KEY];
		// What n8n stores together with executions is all there is to know, and it stores nothing of a poll at publishing.
		if (isDurable && stored !== undefined) memory.state = undefined;
		const resumed = resumedState(context, memory, stored, subject, parameters.afterRestart);
		const before = resumed ?? (await firstState(source, subject, parameters));
		const hasTime = () => systemClock.monotonic() < endMs;
		const limits = { maxPages: parameters.maxPages, overlapMs: parameters.overlapMs, hasTime };
		const step = await advance(before, source, limits, { isDurable, process: PROCESS });
		if (memory.underWay !== poll) return warn(context, OVERTAKEN);
		memory.state = isDurable ? (stored === undefined ? before : undefined) : step.state;
		staticData[STATE_KEY] = toStored(step.state);
		if (step.changes.length > 0)
			handOver(context, memory.handovers, step.state.revision, toItems(step.changes, parameters));
		report(context, memory, parameters.watch.errors, step, resumed !== undefined);
	} finally {
		if (memory.underWay === poll) memory.underWay = undefined;
	}
}

const OVERTAKEN =
	'A poll of the changes trigger hands nothing over, because the workflow was published again meanwhile';

/** How long a poll may run, ms, and whether n8n names it. */
function budgetOf(context: IPollFunctions): { budgetMs: number; isNamed: boolean } {
	const namedMs = pollBudgetOf(context);
	return { budgetMs: namedMs ?? POLL_BUDGET_MS, isNamed: namedMs !== undefined };
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

/** The state to go on from, with what became of earlier emissions; undefined if the trigger begins anew. */
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
		warn(context, `${text}. It begins anew, with what changes from now on or at Start From.`);
	}
	if (state === undefined) {
		// The ids of emissions begin anew, and n8n may still tell of the earlier ones.
		memory.handovers = new Map();
		return undefined;
	}
	const { handovers } = memory;
	const others: HandoverOutcome = afterRestart === 'goOn' ? 'done' : 'failed';
	const nowMs = systemClock.monotonic();
	const settled = settle(state, (emission) => endedOf(emission, handovers, others, nowMs));
	const waiting = new Set(settled.state.emissions.map(({ id }) => id));
	for (const id of handovers.keys()) if (!waiting.has(id)) handovers.delete(id);
	const message =
		'The changes trigger emits again what was handed over before, because no execution is known to have come of it';
	if (settled.repeated > 0) warn(context, message, { emissions: settled.repeated });
	return settled.state;
}

async function firstState(
	source: PlatformSource,
	subject: Subject,
	parameters: ChangesParameters,
): Promise<ChangesState> {
	const place = await source.firstPlace(parameters);
	return { subject, revision: 0, place, versions: new Map(), emissions: [] };
}

/** Changes as items: as Get Many gives them. */
function toItems(
	changes: readonly Change[],
	{ simplify, decimals }: ChangesParameters,
): INodeExecutionData[] {
	return changes.map(({ record }) => ({
		json: withDecimals(simplify?.(record) ?? record, decimals),
	}));
}
