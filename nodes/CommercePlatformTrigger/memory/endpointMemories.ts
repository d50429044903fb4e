import type { Clock } from '../../shared/api/clock';
import { EndpointMemory } from './endpointMemory';
import type { SealPlace } from './seal';

/** Endpoints remembered at most. The one that was used longest ago is forgotten first. */
const MAX_MEMORIES = 500;

/** In the order of their last use. */
const memories = new Map<string, { memory: EndpointMemory; lastUsedMs: number }>();

/** This process's memory of a workflow's webhook address. The test and the production address have one each. */
export function memoryOf(place: SealPlace, clock: Pick<Clock, 'now' | 'sleep'>): EndpointMemory {
	const key = keyOf(place.address, place.workflowId);
	const memory = memories.get(key)?.memory ?? new EndpointMemory(place, clock);
	const nowMs = clock.now();
	memories.delete(key);
	memories.set(key, { memory, lastUsedMs: nowMs });
	forgetUnused(nowMs);
	return memory;
}

/** The same, where there is one already. */
export function existingMemory(address: string, workflowId: string): EndpointMemory | undefined {
	return memories.get(keyOf(address, workflowId))?.memory;
}

/** Forgets what this process remembers of an address, for all workflows. */
export function forgetAddress(address: string): void {
	for (const [key, { memory }] of memories) {
		if (memory.place.address === address) memories.delete(key);
	}
}

function keyOf(address: string, workflowId: string): string {
	return JSON.stringify([address, workflowId]);
}

function forgetUnused(nowMs: number): void {
	for (const [key, { memory, lastUsedMs }] of memories) {
		const unused = nowMs - lastUsedMs > memory.retentionMs;
		if (!unused && memories.size <= MAX_MEMORIES) return;
		memories.delete(key);
	}
}
