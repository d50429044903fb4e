import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory in use, without what waits for the garbage collector. MiB. */
export interface InUse {
	/** Before the run. */
	before: number;
	/** At its highest. */
	most: number;
	/** After the run, with its output. */
	after: number;
}

/** Looks at the memory in use again and again. Each look collects all garbage, so times are not to be measured. */
export class LiveMemory {
	private readonly collectGarbage: () => void;
	private readonly timer: NodeJS.Timeout;
	private readonly before: number;
	private most = 0;

	constructor(everyMs: number) {
		setFlagsFromString('--expose-gc');
		this.collectGarbage = runInNewContext('gc') as () => void;
		this.before = this.look();
		this.timer = setInterval(() => this.look(), everyMs);
	}

	end(): InUse {
		clearInterval(this.timer);
		const after = this.look();
		return { before: this.before, most: this.most, after };
	}

	private look(): number {
		this.collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		const inUse = (heapUsed + external) / 2 ** 20;
		this.most = Math.max(this.most, inUse);
		return inUse;
	}
}
