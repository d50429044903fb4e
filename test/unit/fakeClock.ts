import type { Clock } from '../../nodes/shared/api/clock';

/** A clock that stands still until somebody moves it: no test waits in real time. */
export class FakeClock implements Clock {
	private sleepers: Array<{ atMs: number; wake: () => void }> = [];
	/** What random() answers next; 0 where it runs out. */
	randoms: number[] = [];
	/** Every sleep that was asked for, ms. */
	readonly slept: number[] = [];

	private elapsedMs = 0;

	constructor(private nowMs = 1_800_000_000_000) {}

	now(): number {
		return this.nowMs;
	}

	/** Started at zero, and not moved by {@link set}. */
	monotonic(): number {
		return this.elapsedMs;
	}

	/** Sets the clock to another time, as a user or a time server does: no time passes by it. */
	set(nowMs: number): void {
		this.nowMs = nowMs;
	}

	random(): number {
		return this.randoms.shift() ?? 0;
	}

	async sleep(ms: number): Promise<void> {
		this.slept.push(ms);
		await new Promise<void>((wake) => this.sleepers.push({ atMs: this.elapsedMs + ms, wake }));
	}

	/** Like AbortSignal.timeout: runs on without holding anybody. */
	timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		const atMs = this.elapsedMs + ms;
		this.sleepers.push({ atMs, wake: () => controller.abort() });
		return controller.signal;
	}

	/** Moves time on, waking sleepers in order, and lets everything run that they set off. */
	async advance(ms: number): Promise<void> {
		const endMs = this.elapsedMs + ms;
		await settle();
		for (;;) {
			const due = this.sleepers
				.filter(({ atMs }) => atMs <= endMs)
				.sort((a, b) => a.atMs - b.atMs)[0];
			if (due === undefined) break;
			this.sleepers.splice(this.sleepers.indexOf(due), 1);
			this.pass(due.atMs - this.elapsedMs);
			due.wake();
			await settle();
		}
		this.pass(endMs - this.elapsedMs);
	}

	private pass(ms: number): void {
		this.elapsedMs += Math.max(0, ms);
		this.nowMs += Math.max(0, ms);
	}
}

/** Lets all promises that can settle do so. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
