import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { EXAMPLES, RECENT_ORDERS_EXAMPLE, example } from '../../support/n8n/examples';
import type { WorkflowFile } from '../../support/n8n/types';
import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';

describe('the example workflows in a real n8n', () => {
	let environment: TestEnvironment;

	before(async () => {
		environment = await startTestEnvironment(Progress.silent());
	});
	after(async () => await environment?.close());

	it('can all be imported, and bring no credential of whoever made them', async () => {
		const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.json'));
		for (const file of files) {
			const workflow = JSON.parse(await readFile(join(EXAMPLES, file), 'utf8')) as WorkflowFile;
			assert.ok(
				workflow.nodes.every(({ credentials }) => credentials === undefined),
				file,
			);
			const { id } = await environment.client.createWorkflow(workflow);
			await environment.client.deleteWorkflow(id);
		}
	});

	it('list paid orders of the last day and fetch each with its line items', async () => {
		const { client, platform, credential } = environment;
		const { order } = await platform.control.payOrder();
		const workflow = await client.createWorkflow(await example(RECENT_ORDERS_EXAMPLE, credential));
		const execution = await client.finishedExecution(await client.run(workflow.id, 'Start'));
		assert.equal(execution.status, 'success');
		const [run] = execution.data.resultData.runData['Get Line Items'];
		const orders = (run.data?.main[0] ?? []).map(({ json }) => json);
		assert.ok(orders.some(({ id }) => id === order.id));
		assert.ok(orders.every(({ status }) => status === 'paid'));
		assert.ok(orders.every(({ line_items: items }) => Array.isArray(items) && items.length > 0));
	});
});
