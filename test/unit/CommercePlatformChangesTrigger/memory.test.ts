import type { IPollFunctions } from 'n8n-workflow';

import { memoryOf } from '../../../nodes/CommercePlatformChangesTrigger/keeping';

const SUBJECT = {
	workflowId: 'workflow-1',
	credential: 'credential-1',
	address: 'https://shop.example/v1',
	watch: 'order',
	filters: '{}',
};

const memoryOfNode = (node: number, change: Partial<typeof SUBJECT> = {}) =>
	memoryOf({ getNode: () => ({ id: `node-${node}` }) } as unknown as IPollFunctions, {
		...SUBJECT,
		...change,
	});

test('a node has another memory for something else that it watches, but not for other filters', () => {
	const memory = memoryOfNode(1);
	expect(memoryOfNode(1, { filters: '{"status":"paid"}' })).toBe(memory);
	expect(memoryOfNode(1, { watch: 'product' })).not.toBe(memory);
});

test('a process remembers each of 10,000 triggers, and of more than that those that polled last', () => {
	const memories = Array.from({ length: 10_000 }, (_, n) => memoryOfNode(n));
	expect(memories.every((memory, n) => memoryOfNode(n) === memory)).toBe(true);
	memoryOfNode(10_000);
	expect(memoryOfNode(1)).toBe(memories[1]);
	expect(memoryOfNode(0)).not.toBe(memories[0]);
});
