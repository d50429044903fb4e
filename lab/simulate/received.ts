import type { Sending } from './platform';
import type { SimulatedProcess } from './process';
import type { Saved, SimulatedWorkflow } from './workflow';

const WINDOW_MS = 300_000;

/** One sending as n8n meets it. */
export interface Received extends Sending {
	workflow: SimulatedWorkflow;
	sentMs: number;
	process: number;
	at: SimulatedProcess;
	nodeName: string;
	loadedMs?: number;
	/** What the clock of its process showed then. Unix ms. */
	loadedAtClock?: number;
	loaded?: Saved;
	/** What was loaded held a record of the endpoint, under the name that the node had then. */
	hasRecord?: boolean;
	/** When the trigger last changed static data for n8n to save it. */
	changedMs?: number;
	/** The events that were selected then. */
	events?: readonly string[];
	/** When the node took it for a new delivery. */
	admittedMs?: number;
	answeredMs?: number;
	/** n8n was done with it, with an answer or an error, saved or not. */
	endedMs?: number;
	/** The connection that n8n answered over was open. */
	wasOpen?: boolean;
	status?: number;
	reason?: string;
	/** The status that the sender heard. */
	heard?: number;
	/** The trigger was being published when it was admitted. */
	isEarly?: boolean;
	/** Its execution is stored. */
	isExecuted?: true;
	/** n8n answered 200 without an execution, which it documents. */
	isFalse?: true;
	/** What the clock of its process showed when it was answered. Unix ms. */
	answeredAtClock?: number;
	/** n8n before 2.8 answered 200 and could not create the execution. */
	isLost?: true;
	/** Everything that was saved with its mark. */
	saves: Saved[];
}

/** Whether its endpoint had been replaced when n8n loaded the workflow, and its secret was no longer accepted. */
export function isReplaced({ delivery, loadedMs, loadedAtClock }: Received): boolean {
	const { replaced } = delivery.to;
	if (replaced === undefined) return false;
	return replaced.atMs <= loadedMs! && replaced.untilClock <= loadedAtClock!;
}

/**
 * This processor has loaded what was published or unpublished by a later clock than the workflow was published by since,
 * and what it loaded was not there any more then.
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

/** Whether it was outside the window when n8n called the node, which is when the node checks it. */
export function isStale({ headers, loadedAtClock }: Received): boolean {
	const seconds = [headers['x-shop-timestamp'], headers['x-ecom-timestamp']].map(Number);
	return !seconds.some((one) => Math.abs(one * 1000 - loadedAtClock!) <= WINDOW_MS);
}

export const isDone = (status: number): boolean => status >= 200 && status < 300;
export const isHeard = ({ heard }: Received): boolean => heard !== undefined && isDone(heard);

/** How long deliveries and replaced secrets are remembered, as docs/trigger.md says. */
export const REMEMBERED_HOURS = 27;

/** Whether the second is a repeat of the first, as docs/trigger.md says. */
export function isRepeat(two: Received, one: Received): boolean {
	if (one.workflow !== two.workflow) return false;
	const isSameBody = one.delivery.body === two.delivery.body;
	if (two.id === undefined) return isSameBody;
	if (two.id === one.id) return true;
	const isPrecise = /:\d{2}\.\d*[1-9]/.test(two.delivery.body);
	return isSameBody && isPrecise;
}

export const nameOf = ({ delivery, by, id }: Received): string => {
	const under = id === delivery.id ? '' : ` as ${id ?? 'without id'}`;
	return `delivery ${delivery.no}${under}${by === 'platform' ? '' : ` (${by})`}`;
};
