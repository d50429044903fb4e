import type { Sending } from './platform';
import type { SimulatedProcess } from './process';
import type { Saved, SimulatedWorkflow } from './workflow';

const WINDOW_MS = 300_000;

/** One sending, and what n8n did with it. */
export interface Received extends Sending {
	workflow: SimulatedWorkflow;
	sentMs: number;
	process: number;
	at: SimulatedProcess;
	nodeName: string;
	loadedMs?: number;
	/** The clock of its process at that time, Unix ms. */
	loadedAtClock?: number;
	loaded?: Saved;
	/** The loaded static data had a record of the endpoint, under the node's name at the time. */
	hasRecord?: boolean;
	/** When the trigger last changed static data so that n8n saves it. */
	changedMs?: number;
	/** The events that were selected at the time. */
	events?: readonly string[];
	/** When the node accepted it as a new delivery. */
	admittedMs?: number;
	answeredMs?: number;
	/** When n8n finished it, with an answer or an error, saved or not. */
	endedMs?: number;
	status?: number;
	reason?: string;
	/** The status that the sender heard. */
	heard?: number;
	/** The trigger was being published when it was admitted. */
	isEarly?: boolean;
	/** The trigger was not published when n8n answered it. */
	isUnpublished?: boolean;
	/** Its execution is stored. */
	isExecuted?: true;
	/** n8n answered 200 without an execution, as n8n documents. */
	isFalse?: true;
	/** The clock of its process when it was answered, Unix ms. */
	answeredAtClock?: number;
	/** n8n before 2.8 answered 200 and could not create the execution. */
	isLost?: true;
	/** All saves that include its mark. */
	saves: Saved[];
}

/** Whether its endpoint had been replaced when n8n loaded the workflow, and its secret was no longer accepted. */
export function isReplaced({ delivery, loadedMs, loadedAtClock }: Received): boolean {
	const { replaced } = delivery.to;
	if (replaced === undefined) return false;
	return replaced.atMs <= loadedMs! && replaced.untilClock <= loadedAtClock!;
}

/**
 * Whether this processor trusts an outdated state because of the clock: it once loaded a state that was published or
 * unpublished when the clock showed more than at the last publishing, and the database had replaced that state by then.
 */
export function isAhead(
	at: SimulatedProcess,
	workflow: SimulatedWorkflow,
	received: readonly Received[],
): boolean {
	const published = workflow.rows.findLast(({ isPublishing }) => isPublishing);
	if (at.name === 'main' || !workflow.isBroken || published === undefined) return false;
	return received.some(
		(one) =>
			one.at === at &&
			one.workflow === workflow &&
			one.loadedMs! < published.landedMs! &&
			workflow.rows.some(
				({ own, by, landedMs = 0, atClock = 0 }) =>
					own === undefined &&
					by !== undefined &&
					landedMs <= one.loadedMs! &&
					atClock > published.atClock!,
			),
	);
}

/**
 * Whether publishing removed its endpoint and failed then. n8n stored nothing of it, but this process knows it, and
 * accepts the secret for 27 hours at most.
 *
 * @param slackMs how exactly the end of these hours is known
 */
export function isRemoved(
	{ at, delivery, workflow, loadedAtClock }: Received,
	slackMs: number,
): boolean {
	const removedAtClock = at.removed.get(delivery.to.endpoint.id);
	if (removedAtClock === undefined) return false;
	const isOver = loadedAtClock! > removedAtClock + REMEMBERED_HOURS * 3_600_000 - slackMs;
	return isOver || workflow.parameters.options.acceptPreviousSecret === false;
}

/** Whether its timestamp was outside the window when n8n called the node, which checks it then. */
export function isStale({ headers, loadedAtClock }: Received): boolean {
	const seconds = [headers['x-shop-timestamp'], headers['x-ecom-timestamp']].map(Number);
	return !seconds.some((one) => Math.abs(one * 1000 - loadedAtClock!) <= WINDOW_MS);
}

export const isDone = (status: number): boolean => status >= 200 && status < 300;
export const isHeard = ({ heard }: Received): boolean => heard !== undefined && isDone(heard);

/**
 * Whether a delivery that was admitted counts as executed: n8n has answered 2xx, or is still to answer. What n8n
 * answered otherwise is sent again.
 */
export const mayBeExecuted = ({ status, isExecuted, at }: Received): boolean =>
	status === undefined ? isExecuted === true || at.time.isAlive : isDone(status);

/** How long the trigger remembers replaced secrets (docs/trigger.md). */
export const REMEMBERED_HOURS = 27;

/** Whether the second sending is a repeat of the first (docs/trigger.md). */
export function isRepeat(later: Received, earlier: Received): boolean {
	if (earlier.workflow !== later.workflow) return false;
	const isSameBody = earlier.delivery.body === later.delivery.body;
	if (later.id === undefined) return isSameBody;
	if (later.id === earlier.id) return true;
	const isPrecise = /:\d{2}\.\d*[1-9]/.test(later.delivery.body);
	return isSameBody && isPrecise;
}

export const nameOf = ({ delivery, by, id }: Received): string => {
	const under = id === delivery.id ? '' : ` as ${id ?? 'without id'}`;
	return `delivery ${delivery.no}${under}${by === 'platform' ? '' : ` (${by})`}`;
};
