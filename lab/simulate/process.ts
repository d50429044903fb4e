import type { Received } from './received';
import type { LoadedTrigger, Sources } from './sources';
import type { ProcessTime } from './timeline';

/** A process of n8n, from its start to its end. */
export class SimulatedProcess {
	readonly trigger: LoadedTrigger;
	/** Deliveries that it must recognise as seen. */
	readonly known = new Set<Received>();
	readonly inFlight = new Set<Received>();
	/** Called when the process ends. */
	readonly ends: Array<() => void> = [];
	isLeaving = false;
	/** Executions that run, and what lets the next one begin. */
	running = 0;
	readonly waiting: Array<() => void> = [];
	/** When it was killed. A restart does not count: it lets the process finish. */
	crashedMs = Infinity;
	/** Requests that ended here without being saved. */
	readonly unsaved: Received[] = [];
	/** The endpoints that a hook removed before it failed, so n8n stored nothing of it, and when, by its clock. */
	readonly removed = new Map<string, number>();

	constructor(
		readonly name: string,
		readonly time: ProcessTime,
		sources: Sources,
	) {
		this.trigger = sources.load();
	}

	/** Work that fails when this process ends. */
	async doing<T>(work: Promise<T>): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			this.ends.push(() => reject(new Error('the process ended')));
			work.then(resolve, reject);
		});
	}
}
