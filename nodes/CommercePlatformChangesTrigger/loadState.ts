import type { IDataObject } from 'n8n-workflow';

import type { PollerMemory } from './state/pollerMemory';
import type { ChangesState, Subject } from './state/state';
import { foreignness, fromStored, withFilters } from './state/stored';

/** The name under which n8n keeps the state in the node's static data. */
export const STATE_KEY = 'changes';

export interface LoadedState {
	/** undefined where the trigger begins anew. */
	state?: ChangesState;
	/** Why the state that was there is not used, as a sentence's end. */
	refused?: string;
}

/**
 * The newer of what this process remembers and what n8n has kept. n8n keeps a state only when something is
 * emitted; a process forgets all when it ends.
 */
export function loadState(
	staticData: IDataObject,
	memory: PollerMemory,
	subject: Subject,
): LoadedState {
	const stored = fromStored(staticData[STATE_KEY], subject);
	const remembered =
		memory.state === undefined || foreignness(memory.state.subject, subject) !== undefined
			? undefined
			: withFilters(memory.state, subject);
	if (stored.kind !== 'usable') {
		return remembered === undefined && stored.kind === 'refused'
			? { refused: stored.reason }
			: { state: remembered };
	}
	const isNewer = remembered !== undefined && remembered.revision >= stored.state.revision;
	return { state: isNewer ? remembered : stored.state };
}
