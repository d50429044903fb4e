import type { EndpointTruth } from './platform';
import { REMEMBERED_HOURS } from './received';
import { EPOCH_MS, type Timeline } from './timeline';
import type { Saved, SimulatedWorkflow } from './workflow';

const HOUR_MS = 3_600_000;

/** Knows which endpoints' secrets a trigger must accept, may accept, and must not accept. */
export class Secrets {
	/**
	 * @param known every endpoint that ever existed
	 * @param offset how far n8n's clock is ahead of the platform's, ms
	 * @param back is called when a replaced secret becomes valid again
	 */
	constructor(
		private readonly known: readonly EndpointTruth[],
		private readonly timeline: Timeline,
		private readonly offset: () => number,
		private readonly back: () => void,
	) {}

	/** The endpoint is about to be removed: decides whether its secret is kept. */
	removing(workflow: SimulatedWorkflow): void {
		this.drop(workflow);
		const current = workflow.recordIn(workflow.row.text)?.endpoint?.id;
		for (const truth of this.knownAt(workflow)) {
			// The publishing process may know better than a state that an import or a slower request saved.
			const isCurrent = truth.endpoint.id === current && !workflow.row.isOlder;
			const isFirst = isCurrent && truth.keptUntilClock === undefined;
			if (!acceptsPrevious(workflow)) truth.keptUntilClock = 0;
			else if (isFirst) truth.keptUntilClock = this.clock + REMEMBERED_HOURS * HOUR_MS;
		}
	}

	/** The trigger may have lost what it knew of earlier endpoints. */
	forgotten(workflow: SimulatedWorkflow): void {
		for (const truth of this.knownAt(workflow))
			if (truth.keptUntilClock !== undefined) truth.keptUntilClock = 0;
	}

	/** Static data is saved, with or without an endpoint. */
	saved(workflow: SimulatedWorkflow, { text, own }: Saved): void {
		const { endpoint } = workflow.recordIn(text) ?? {};
		const truth = this.knownAt(workflow).find((one) => one.endpoint.id === endpoint?.id);
		if (truth === undefined) return;
		truth.sealed = endpoint?.secret;
		// A slower request has saved it, so the next publishing replaces it again.
		if (own !== undefined && truth.replaced !== undefined) truth.isBack = true;
	}

	/**
	 * An export was imported over the workflow, with the secrets of its time. What was forgotten before stays forgotten.
	 */
	imported(workflow: SimulatedWorkflow, before: Saved): void {
		const [held, known] = [workflow.row, before].map(({ text }) => {
			const { endpoint = null, previous = [] } = workflow.recordIn(text) ?? {};
			return [endpoint, ...previous].map((one) => one?.secret);
		});
		for (const truth of this.knownAt(workflow)) {
			if (truth.sealed === undefined) continue;
			truth.isBack = held.includes(truth.sealed);
			if (!known.includes(truth.sealed)) truth.keptUntilClock ??= 0;
		}
	}

	/** A hook has changed the endpoint and saved the result. */
	replaced(workflow: SimulatedWorkflow): void {
		this.drop(workflow);
		const { endpoint = null, previous = [] } = workflow.recordIn(workflow.row.text) ?? {};
		const keptMs = acceptsPrevious(workflow) ? REMEMBERED_HOURS * HOUR_MS : -Infinity;
		const untilClock = this.clock + keptMs;
		const atMs = this.timeline.nowMs;
		for (const truth of this.knownAt(workflow)) {
			if (truth.endpoint.id === endpoint?.id) continue;
			const { replaced, sealed, isBack, keptUntilClock } = truth;
			if (keptMs < 0) truth.keptUntilClock = 0;
			// The clock may have been set back while the endpoint was replaced.
			else if (replaced === undefined && keptUntilClock !== undefined)
				truth.keptUntilClock = Math.min(keptUntilClock, untilClock);
			const again = isBack ? previous.find(({ secret }) => secret === sealed) : undefined;
			if (replaced !== undefined && again !== undefined) {
				this.back();
				truth.replaced = { atMs, untilClock: Math.min(again.untilMs, untilClock) };
			} else if (replaced === undefined || (untilClock < replaced.untilClock && keptMs < 0))
				truth.replaced = { atMs, untilClock };
			truth.isBack = false;
		}
	}

	/** Publishing drops secrets that have expired; setting the clock back later does not restore them. */
	private drop(workflow: SimulatedWorkflow): void {
		for (const truth of this.knownAt(workflow))
			if ((truth.keptUntilClock ?? Infinity) <= this.clock) truth.keptUntilClock = 0;
	}

	/** The time on n8n's clock, Unix ms. */
	private get clock(): number {
		return EPOCH_MS + this.timeline.nowMs + this.offset();
	}

	private knownAt({ address }: SimulatedWorkflow): EndpointTruth[] {
		return this.known.filter(({ endpoint: { url } }) => url === address);
	}
}

const acceptsPrevious = ({ parameters: { options } }: SimulatedWorkflow): boolean =>
	options.acceptPreviousSecret !== false;
