import type { Clock } from '../../nodes/shared/api/clock';

interface Appointment {
	atMs: number;
	/** A look may wait until then for something to happen. */
	latestMs?: number;
	act: () => void;
}

/** A pause that is no longer is a look at something that only another event can change. ms. */
const LONGEST_LOOK_MS = 20;

/** While nothing else happens, looks are left out, but for one in this time. ms. */
const LOOK_AT_LEAST_EVERY_MS = 200;

/** 2026-11-21 12:00 UTC. */
export const EPOCH_MS = Date.UTC(2026, 10, 21, 12);

/** The time of one schedule: events in order, and nothing happens between them. */
export class Timeline {
	nowMs = 0;
	private readonly events: Appointment[] = [];
	/** Of those who only look whether something has changed. */
	private readonly looks: Appointment[] = [];

	at(atMs: number, act: () => void): void {
		insert(this.events, { atMs: Math.max(Math.ceil(atMs), this.nowMs), act });
	}

	after(ms: number, act: () => void): void {
		this.at(this.nowMs + ms, act);
	}

	/** A look after a short pause. Those between which nothing happens are left out. */
	look(ms: number, act: () => void): void {
		const latestMs = ms === 0 ? this.nowMs : this.nowMs + LOOK_AT_LEAST_EVERY_MS;
		insert(this.looks, { atMs: this.nowMs + Math.ceil(ms), latestMs, act });
	}

	/** Nothing is left that would happen by itself. */
	get isQuiet(): boolean {
		return this.events.length + this.looks.length === 0;
	}

	/** Lets everything happen up to that moment. */
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

	/** All promises have settled when the event loop turns: nothing here waits for a disk or a network. */
	protected async settle(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}

/** The latest first, so that the next one is the last; of one moment, the first that was made comes first. */
function insert(list: Appointment[], one: Appointment): void {
	let index = list.length;
	while (index > 0 && list[index - 1].atMs <= one.atMs) index--;
	list.splice(index, 0, one);
}

/** One for all: making such an error costs more than all that is simulated for a request. */
const TIMED_OUT = new DOMException('The operation timed out', 'TimeoutError');

/** The event loop of one process: it can stall, and what was going on ends with it. */
export class ProcessTime implements Clock {
	isAlive = true;
	stalledUntilMs = 0;

	/** @param offset of the machine's clock from the platform's. ms */
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

	/** A pause of n8n's own: when it is over, something has happened. */
	async wait(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(ms, resolve));
	}

	/** Lets this process do something, when it can. */
	run(act: () => void): void {
		if (!this.isAlive) return;
		if (this.stalledUntilMs > this.timeline.nowMs)
			this.timeline.at(this.stalledUntilMs, () => this.run(act));
		else act();
	}
}
