import {
	ExecutionCancelledError,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';

import type { PollerMemory } from './state/pollerMemory';

/**
 * Hands items to n8n, and notes how the start of the execution ends. What a poll returns would be handed over
 * the same way, but then nobody tells whether the execution came into being.
 */
export function handOver(
	context: IPollFunctions,
	memory: PollerMemory,
	emissionId: number,
	items: INodeExecutionData[],
): void {
	const { outcomes } = memory;
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	// Until n8n has taken it.
	outcomes.set(emissionId, 'failed');
	void done.promise.then(
		// n8n gives no run where it has made no execution.
		(run) => outcomes.set(emissionId, run === undefined ? 'failed' : 'done'),
		(error: unknown) => outcomes.set(emissionId, hasBegun(error) ? 'done' : 'failed'),
	);
	context.__emit([items], undefined, done);
	outcomes.set(emissionId, 'pending');
}

/** Errors about an execution that came into being and has ended otherwise than by running through. */
function hasBegun(error: unknown): boolean {
	return (
		error instanceof ExecutionCancelledError ||
		(error instanceof Error && error.constructor.name === 'ExecutionNotFoundError')
	);
}
