import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import {
	EXAMPLES,
	RECENT_ORDERS_EXAMPLE,
	SPREADSHEET_EXAMPLE,
	SYNC_EXAMPLE,
	example,
} from '../../support/n8n/examples';
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

	/** Runs an example and gives the items of one of its nodes, by output. */
	async function outputsOf(file: string, nodeName: string) {
		const { client, credential } = environment;
		const workflow = await client.createWorkflow(await example(file, credential));
		const execution = await client.finishedExecution(await client.run(workflow.id, 'Start'));
		assert.equal(execution.status, 'success');
		const [run] = execution.data.resultData.runData[nodeName];
		return (run.data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json));
	}

	for (const batch of [true, false]) {
		it(`write stock and prices of a spreadsheet, ${batch ? 'with' : 'without'} batches`, async () => {
			const { platform } = environment;
			await platform.control.configure({ inDevelopment: { batch } });
			const [levels] = await outputsOf(SPREADSHEET_EXAMPLE, 'Set Stock');
			assert.deepEqual(
				levels.map(({ sku, quantity }) => [sku, quantity]),
				[
					['SHEET-1', 12],
					['SHEET-2', 0],
					['SHEET-3', 5],
				],
			);
			const [products] = await outputsOf(SPREADSHEET_EXAMPLE, 'Write Products');
			assert.deepEqual(
				products.map(({ variants }) => (variants as Array<{ prices: unknown }>)[0].prices),
				[1999, 1750, 3400].map((amount) => [{ amount, currency: 'EUR' }]),
			);
		});
	}

	it('sync a catalogue, and send nothing the second time', async () => {
		const { control } = environment.platform;
		await control.configure({ inDevelopment: { batch: true } });
		const [written, refused] = await outputsOf(SYNC_EXAMPLE, 'Sync Products');
		assert.deepEqual(
			written.map(({ title }) => title),
			['Linen shirt', 'Cotton shirt', 'Wool scarf'],
		);
		assert.deepEqual(refused ?? [], []);
		await control.resetCounters();
		const [again] = await outputsOf(SYNC_EXAMPLE, 'Sync Products');
		assert.ok(again.every(({ skipped }) => skipped === true));
		const { byRoute } = await control.counters();
		assert.ok(byRoute.every(({ method }) => method === 'GET'));
	});
});
