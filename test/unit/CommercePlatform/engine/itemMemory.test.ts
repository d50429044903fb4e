import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemMemory } from '../../../../nodes/CommercePlatform/engine/itemMemory';

/** What n8n hands a node's run, as far as the memory looks at it; counts the costly question. */
function runOf(
	execution: object,
	runIndex = 0,
	type = 'n8n-nodes-commerce-platform.commercePlatform',
) {
	let proxies = 0;
	const context = {
		getContext: () => execution,
		getExecutionId: () => '7',
		getNode: () => ({ type }),
		getWorkflowDataProxy: () => {
			proxies++;
			return { $runIndex: runIndex };
		},
	} as unknown as IExecuteFunctions;
	return { context, proxies: () => proxies };
}

it('remembers over a second run of the node in the same execution, item by item', () => {
	const memory = new ItemMemory<string>();
	const execution = {};
	memory.of(runOf(execution).context, 4).set('done');
	const again = runOf(execution).context;
	expect(memory.of(again, 4).get()).toBe('done');
	expect(memory.of(again, 5).get()).toBeUndefined();
	memory.of(again, 4).delete();
	expect(memory.of(runOf(execution).context, 4).get()).toBeUndefined();
});

it('tells executions and loops of one execution apart', () => {
	const memory = new ItemMemory<string>();
	const execution = {};
	memory.of(runOf(execution).context, 0).set('first loop');
	expect(memory.of(runOf(execution, 1).context, 0).get()).toBeUndefined();
	expect(memory.of(runOf({}).context, 0).get()).toBeUndefined();
});

it('remembers nothing for AI tools, whose calls are wishes of their own', () => {
	const memory = new ItemMemory<string>();
	const { context } = runOf({}, 0, 'n8n-nodes-commerce-platform.commercePlatformTool');
	memory.of(context, 0).set('done');
	expect(memory.of(context, 0).get()).toBeUndefined();
});

it('asks n8n for the run once, however many items there are', () => {
	const memory = new ItemMemory<number>();
	const { context, proxies } = runOf({});
	for (let item = 0; item < 10_000; item++) memory.of(context, item).set(item);
	expect(memory.of(context, 9_999).get()).toBe(9_999);
	expect(proxies()).toBe(1);
});
