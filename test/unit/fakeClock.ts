import type { Clock } from '../../nodes/shared/api/clock';

/** A clock that stands still until somebody moves it: no test waits in real time. */
export class FakeClock implements Clock {
	private sleepers: Array<{ atMs: number; wake: () => void }> = [];
	/** What random() answers next; 0 where it runs out. */
	randoms: number[] = [];
	/** Every sleep that was asked for, ms. */
	readonly slept: number[] = [];

	constructor(private nowMs = 1_800_000_000_000) {}

	now(): number {
		return this.nowMs;
	}

	random(): number {
		return this.randoms.shift() ?? 0;
	}

	async sleep(ms: number): Promise<void> {
		this.slept.push(ms);
		await new Promise<void>((wake) => this.sleepers.push({ atMs: this.nowMs + ms, wake }));
	}

	/** Moves time on, waking sleepers in order, and lets everything run that they set off. */
	async advance(ms: number): Promise<void> {
		const endMs = this.nowMs + ms;
		await settle();
		for (;;) {
			const due = this.sleepers
				.filter(({ atMs }) => atMs <= endMs)
				.sort((a, b) => a.atMs - b.atMs)[0];
			if (due === undefined) break;
			this.sleepers.splice(this.sleepers.indexOf(due), 1);
			this.nowMs = Math.max(this.nowMs, due.atMs);
			due.wake();
			await settle();
		}
		this.nowMs = endMs;
	}
}

/** Lets all promises that can settle do so. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
