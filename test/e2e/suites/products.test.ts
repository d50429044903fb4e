import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { answered } from '../demo/findings';
import { LIST_PRODUCTS_EXAMPLE, example } from '../../support/n8n/examples';
import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';

const PRODUCTS = 10_000;
/** Pages of 250, the largest that the API gives (Limits: page size). */
const REQUESTS = 40;

describe('Return All over ten thousand products in a real n8n', () => {
	let environment: TestEnvironment;

	before(async () => {
		environment = await startTestEnvironment(Progress.silent(), {
			platform: { products: PRODUCTS },
		});
	});
	after(async () => await environment?.close());

	it('yields 10,000 distinct products in 40 requests', async () => {
		const { client, platform, credential } = environment;
		const workflow = await client.createWorkflow(await example(LIST_PRODUCTS_EXAMPLE, credential));
		await platform.control.resetCounters();
		const execution = await client.finishedExecution(await client.run(workflow.id, 'Start'));
		assert.equal(execution.status, 'success');
		const [run] = execution.data.resultData.runData['Get Many Products'];
		const items = run.data?.main[0] ?? [];
		assert.equal(items.length, PRODUCTS);
		assert.equal(new Set(items.map(({ json }) => json.id)).size, PRODUCTS);
		const counters = await platform.control.counters();
		assert.equal(answered(counters, 'GET', '/products'), REQUESTS);
		assert.equal(counters.total, REQUESTS);
	});
});
