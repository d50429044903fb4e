import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import type { INodeType } from 'n8n-workflow';

const delay = monitorEventLoopDelay({ resolution: 10 });
/** In this time its timer sees a block that has just ended. ms. */
const SEEN_AFTER_MS = 100;

let watchingMs = 0;

/** How long was only waited so far, to see blocks: no work of what is measured, ms. */
export const waitedToSeeMs = (): number => watchingMs;

async function waitToSee(): Promise<void> {
	const startedMs = performance.now();
	await wait(SEEN_AFTER_MS);
	watchingMs += performance.now() - startedMs;
}

/** Begins to look how long nothing else can run; what was before is forgotten. */
export async function watchBlocks(): Promise<void> {
	delay.enable();
	await waitToSee();
	delay.reset();
}

/** The longest time since then that nothing else could run, ms. */
export async function longestBlockMs(): Promise<number> {
	await waitToSee();
	delay.disable();
	return delay.max / 1e6;
}

/**
 * The node, watched from its start to its end alone: n8n's engine hands over all input items in one block, and takes
 * all output items in another.
 */
export function watchedAlone(node: INodeType): INodeType {
	type Run = (this: unknown) => Promise<unknown>;
	for (const operations of Object.values(node.customOperations ?? {}) as Array<Record<string, Run>>)
		for (const [name, run] of Object.entries(operations))
			operations[name] = async function () {
				await watchBlocks();
				const output = await run.call(this);
				await longestBlockMs();
				return output;
			};
	return node;
}
