import type { IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../shared/rest/clock';
import { InputError } from '../shared/rest/errors';
import type { KnownOutcomes } from './emit';
import type { ChangesState } from './state';

/** Nodes remembered at most, far more than one n8n runs. The one that polled longest ago is forgotten first. */
const MAX_NODES = 10_000;

/** What the next poll has to know of a poll that has not ended. */
interface PollUnderWay {
	/** What it watches, as text. */
	subject: string;
	/** n8n's static data of the node: another object after the workflow was published again. */
	staticData: object;
	isDurable: boolean;
	/** By this process's stopwatch, ms. */
	startedMs: number;
}

/** What this process knows of one node, beyond what n8n stores. */
export interface NodeMemory {
	/**
	 * Without durable cursors: the state after the latest poll. With them: none, except after a first poll of which n8n
	 * has stored nothing; then the state with which that poll began.
	 */
	state?: ChangesState;
	outcomes: KnownOutcomes;
	/** n8n may start a poll before the last one has ended. */
	underWay?: PollUnderWay;
	/** Until this time the user is not told again that the day's budget is spent. Unix ms. */
	budgetToldUntilMs: number;
	/** Whether a poll of this process has ended without an error. */
	hasPolled: boolean;
}

const memories = new Map<string, NodeMemory>();

/** This process's memory of a node. A node keeps its ID when it is renamed. */
export function memoryOf(context: IPollFunctions): NodeMemory {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const memory = memories.get(key) ?? {
		outcomes: new Map(),
		budgetToldUntilMs: 0,
		hasPolled: false,
	};
	memories.delete(key);
	memories.set(key, memory);
	const [oldest] = memories.keys();
	if (memories.size > MAX_NODES) memories.delete(oldest);
	return memory;
}

/**
 * Begins a poll. If the workflow was published again, the poll overtakes the one under way, which then emits nothing. A
 * publication shows by other settings or, without durable cursors, by another object of static data.
 *
 * @throws InputError if the poll before has not ended
 */
export function beginPoll(memory: NodeMemory, poll: Omit<PollUnderWay, 'startedMs'>): PollUnderWay {
	const { underWay } = memory;
	const nowMs = systemClock.monotonic();
	if (underWay !== undefined && !overtakes(poll, underWay)) {
		const seconds = Math.round((nowMs - underWay.startedMs) / 1000);
		throw new InputError(
			'Poll Times',
			`come faster than the platform answers: the poll before has been under way for ${seconds} s`,
			'This poll has read nothing; the one under way goes on, and nothing is lost. Poll less often, or lower “Max Pages per Poll”.',
		);
	}
	memory.underWay = { ...poll, startedMs: nowMs };
	return memory.underWay;
}

/** Whether a poll belongs to another publication than the one under way. */
function overtakes(poll: Omit<PollUnderWay, 'startedMs'>, underWay: PollUnderWay): boolean {
	if (poll.subject !== underWay.subject) return true;
	// With durable cursors, each poll has static data of its own.
	return !poll.isDurable && poll.staticData !== underWay.staticData;
}
