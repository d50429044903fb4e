import { randomUUID } from 'node:crypto';

import type { Outcome } from './settle';
import type { ChangesState } from './state';

/** Names this process. What another process has emitted, only that one could confirm. */
export const PROCESS = randomUUID();

/** Nodes remembered at most. The one that was used longest ago is forgotten first. */
const MAX_NODES = 500;

/** What this process knows of one node, beyond what n8n keeps of it. */
export interface PollerMemory {
	/** The state after the latest poll: n8n keeps it only when something is emitted. */
	state?: ChangesState;
	/** How the starts of executions ended that this process asked for. */
	outcomes: Map<number, Outcome>;
	/** True while a poll is under way: n8n starts the next one all the same. */
	isPolling: boolean;
	/** Until when the user has been told that the day's budget is spent, Unix ms. */
	reportedUntilMs?: number;
	/** Whether the log says that the records carry no time. */
	saidTimeless?: boolean;
	/** False until a poll in this process has reached the platform. */
	hasPolled: boolean;
}

const memories = new Map<string, PollerMemory>();

/**
 * This process's memory of a node.
 *
 * @param workflowId of the node's workflow
 * @param nodeId that stays when the node is renamed
 */
export function memoryOf(workflowId: string, nodeId: string): PollerMemory {
	const key = JSON.stringify([workflowId, nodeId]);
	const memory = memories.get(key) ?? { outcomes: new Map(), isPolling: false, hasPolled: false };
	memories.delete(key);
	memories.set(key, memory);
	for (const [oldest] of memories) {
		if (memories.size <= MAX_NODES) break;
		memories.delete(oldest);
	}
	return memory;
}
