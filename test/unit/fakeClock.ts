import type { Clock } from '../../nodes/shared/api/clock';
import { Timeline } from '../../lab/simulate/timeline';

/** A clock that stands still until somebody moves it: no test waits in real time. */
export class FakeClock extends Timeline implements Clock {
	/** What random() answers next; 0 where it runs out. */
	randoms: number[] = [];
	/** Every sleep that was asked for, ms. */
	readonly slept: number[] = [];

	constructor(private startMs = 1_800_000_000_000) {
		super();
	}

	now = () => this.startMs + this.nowMs;

	monotonic = () => this.nowMs;

	random = () => this.randoms.shift() ?? 0;

	/** Sets the clock to another time, as a user or a time server does: no time passes by it. */
	set(unixMs: number): void {
		this.startMs = unixMs - this.nowMs;
	}

	async sleep(ms: number): Promise<void> {
		this.slept.push(ms);
		await this.wait(ms);
	}

	/** Like AbortSignal.timeout: runs on without holding anybody. */
	timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		this.after(ms, () => controller.abort());
		return controller.signal;
	}

	/** Moves time on, waking sleepers in order, and lets everything run that they set off. */
	async advance(ms: number): Promise<void> {
		await this.runTo(this.nowMs + ms);
	}

	protected override settle = settle;
}

/** Lets all promises that can settle do so. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
