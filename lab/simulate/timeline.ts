import type { Clock } from '../../nodes/shared/rest/clock';

interface Appointment {
	atMs: number;
	/** The latest time of a look, if nothing happens before. */
	latestMs?: number;
	act: () => void;
}

/** A pause of at most this length is a look at something that only another event can change, ms. */
const LONGEST_LOOK_MS = 20;

/** While nothing else happens, one look in this time is enough, ms. */
const LOOK_AT_LEAST_EVERY_MS = 200;

/** 2026-11-21 12:00 UTC. */
export const EPOCH_MS = Date.UTC(2026, 10, 21, 12);

/** The time of one schedule. Events happen in order, and time stands still between them. */
export class Timeline {
	nowMs = 0;
	private readonly events: Appointment[] = [];
	/** Appointments that only look whether something has changed. */
	private readonly looks: Appointment[] = [];

	at(atMs: number, act: () => void): void {
		insert(this.events, { atMs: Math.max(Math.ceil(atMs), this.nowMs), act });
	}

	after(ms: number, act: () => void): void {
		this.at(this.nowMs + ms, act);
	}

	/** A look after a short pause. Looks between which nothing happens are skipped. */
	look(ms: number, act: () => void): void {
		const latestMs = ms === 0 ? this.nowMs : this.nowMs + LOOK_AT_LEAST_EVERY_MS;
		insert(this.looks, { atMs: this.nowMs + Math.ceil(ms), latestMs, act });
	}

	/** Whether nothing more will happen by itself. */
	get isQuiet(): boolean {
		return this.events.length + this.looks.length === 0;
	}

	/** Runs all events up to this time. */
	async runTo(endMs: number): Promise<void> {
		await this.settle();
		for (;;) {
			const [event, look] = [this.events.at(-1), this.looks.at(-1)];
			const isLook = event === undefined || (look !== undefined && look.atMs < event.atMs);
			const next = isLook ? look : event;
			if (next === undefined || next.atMs > endMs) break;
			(isLook ? this.looks : this.events).pop();
			const { latestMs = 0 } = next;
			const lateMs = Math.min(latestMs, (event?.atMs ?? latestMs) - 1, endMs);
			if (lateMs > next.atMs) {
				insert(this.looks, { atMs: lateMs, act: next.act });
				continue;
			}
			this.nowMs = next.atMs;
			next.act();
			await this.settle();
		}
		this.nowMs = endMs;
	}

	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve));
	}

	/**
	 * Waits for one turn of the event loop. Then all promises have settled: nothing here waits for a disk or a network.
	 */
	protected async settle(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}

/**
 * Sorted with the latest first, so that the next one is at the end. At equal times, the one made first comes first.
 */
function insert(list: Appointment[], appointment: Appointment): void {
	let index = list.length;
	while (index > 0 && list[index - 1].atMs <= appointment.atMs) index--;
	list.splice(index, 0, appointment);
}

/** One error for all: to make one costs more than the rest of a simulated request. */
const TIMED_OUT = new DOMException('The operation timed out', 'TimeoutError');

/** The event loop of one process: it can stall, and its work ends with it. */
export class ProcessTime implements Clock {
	isAlive = true;
	stalledUntilMs = 0;

	/** @param offset how far the machine's clock is ahead of the platform's, ms */
	constructor(
		private readonly timeline: Timeline,
		private readonly offset: { ms: number },
		readonly random: () => number,
	) {}

	now = () => EPOCH_MS + this.timeline.nowMs + this.offset.ms;

	monotonic = () => this.timeline.nowMs;

	sleep = async (ms: number) =>
		await new Promise<void>((resolve) => {
			const wake = () => this.run(resolve);
			if (ms <= LONGEST_LOOK_MS) this.timeline.look(ms, wake);
			else this.timeline.after(ms, wake);
		});

	timeout = (ms: number) => {
		const controller = new AbortController();
		this.after(ms, () => controller.abort(TIMED_OUT));
		return controller.signal;
	};

	after(ms: number, act: () => void): void {
		this.timeline.after(ms, () => this.run(act));
	}

	/** A pause of n8n itself; something has happened when it ends. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve));
	}

	/** Runs an action of this process as soon as the process can. */
	run(act: () => void): void {
		if (!this.isAlive) return;
		if (this.stalledUntilMs > this.timeline.nowMs)
			this.timeline.at(this.stalledUntilMs, () => this.run(act));
		else act();
	}
}
