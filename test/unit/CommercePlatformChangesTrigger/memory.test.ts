import type { IPollFunctions } from 'n8n-workflow';

import { memoryOf } from '../../../nodes/CommercePlatformChangesTrigger/memory';

const contextOf = (node: number) =>
	({
		getWorkflow: () => ({ id: 'workflow-1' }),
		getNode: () => ({ id: `node-${node}` }),
	}) as unknown as IPollFunctions;

test('a process remembers each of 10,000 triggers, and of more than that those that polled last', () => {
	const memories = Array.from({ length: 10_000 }, (_, n) => memoryOf(contextOf(n)));
	expect(memories.every((memory, n) => memoryOf(contextOf(n)) === memory)).toBe(true);
	memoryOf(contextOf(10_000));
	expect(memoryOf(contextOf(1))).toBe(memories[1]);
	expect(memoryOf(contextOf(0))).not.toBe(memories[0]);
});
