import { nextTurn, type Clock } from '../../nodes/shared/rest/clock';
import { Timeline } from '../../lab/simulate/timeline';

/** A clock that stands still until a test moves it, so that no test waits in real time. */
export class FakeClock extends Timeline implements Clock {
	/** The next results of random(); 0 after them. */
	randoms: number[] = [];
	/** Every requested sleep, ms. */
	readonly slept: number[] = [];

	constructor(private startMs = 1_800_000_000_000) {
		super();
	}

	now = () => this.startMs + this.nowMs;

	monotonic = () => this.nowMs;

	random = () => this.randoms.shift() ?? 0;

	/** Sets the clock, as a user or a time server does; no time passes. */
	set(unixMs: number): void {
		this.startMs = unixMs - this.nowMs;
	}

	async sleep(ms: number): Promise<void> {
		this.slept.push(ms);
		await this.wait(ms);
	}

	/** Like AbortSignal.timeout: its timer keeps nothing alive. */
	timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		this.after(ms, () => controller.abort());
		return controller.signal;
	}

	/** Advances time, wakes sleepers in order, and runs everything that they start. */
	async advance(ms: number): Promise<void> {
		await this.runTo(this.nowMs + ms);
	}

	protected override settle = settle;
}

/** Lets all promises settle that can. On a busy machine long work may be waiting for its next turn. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) {
		await new Promise((resolve) => setImmediate(resolve));
		await nextTurn();
	}
}
