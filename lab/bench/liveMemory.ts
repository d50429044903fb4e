import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory in use, without garbage, MiB. */
export interface InUse {
	/** Before the run. */
	before: number;
	/** The peak. */
	most: number;
	/** After the run, with its output. */
	after: number;
}

/**
 * Looks at the memory in use at regular intervals. Each look collects all garbage, so do not measure times meanwhile.
 *
 * @returns ends the watch
 */
export function watchMemory(everyMs: number): () => InUse {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	let most = 0;
	const look = (): number => {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		const inUse = (heapUsed + external) / 2 ** 20;
		most = Math.max(most, inUse);
		return inUse;
	};
	const before = look();
	const timer = setInterval(look, everyMs);
	return () => {
		clearInterval(timer);
		const after = look();
		return { before, most, after };
	};
}
