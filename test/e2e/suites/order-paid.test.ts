import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { findings } from '../demo/findings';
import { importExamples, payOneOrder, type PaidOrder } from '../demo/order-paid';
import { ORDER_PAID_EXAMPLE } from '../n8n/examples';
import type { Workflow } from '../n8n/types';
import { Progress } from '../progress';
import { setStage, type Stage } from '../stage';

describe('a paid order in a real n8n', () => {
	let stage: Stage;
	let workflow: Workflow;
	let paid: PaidOrder;

	before(async () => {
		const progress = Progress.silent();
		stage = await setStage(progress);
		const workflows = await importExamples(stage, progress);
		workflow = workflows.get(ORDER_PAID_EXAMPLE)!;
		paid = await payOneOrder(stage, workflows, progress);
	});
	after(async () => await stage?.close());

	it('registers exactly one endpoint, at the address of the trigger', async () => {
		const endpoints = await stage.platform.control.endpoints();
		const webhookId = workflow.nodes.find((node) => node.webhookId)?.webhookId;
		assert.equal(endpoints.length, 1);
		assert.deepEqual(endpoints[0].events, ['order.paid']);
		assert.match(endpoints[0].url, new RegExp(`^${stage.n8n.url}/webhook/${webhookId}/`));
	});

	it('is delivered once, executed once, read once and noted once', async () => {
		const failed = (await findings(stage, paid)).filter(({ holds }) => !holds);
		assert.deepEqual(failed, []);
	});

	it('hands the event, the delivery and the payload to the workflow', () => {
		const [run] = paid.execution.data.resultData.runData['Order Paid'];
		const item = run.data?.main[0]?.[0].json as Record<string, Record<string, unknown> | string>;
		assert.equal(item.event, 'order.paid');
		assert.equal(item.deliveryId, paid.delivery.id);
		assert.equal((item.payload as Record<string, unknown>).id, paid.orderId);
	});

	it('keeps its one endpoint over a restart of n8n', async () => {
		await stage.n8n.restart();
		const endpoints = await stage.platform.control.endpoints();
		assert.deepEqual(
			endpoints.map(({ id }) => id),
			[paid.endpointId],
		);
		await stage.platform.control.payOrder();
		const executions = await stage.client.finishedExecutions(workflow.id, 2);
		assert.deepEqual(
			executions.map(({ status }) => status),
			['success', 'success'],
		);
	});

	it('leaves no endpoint on the platform after deactivation', async () => {
		await stage.client.deactivate(workflow.id);
		assert.deepEqual(await stage.platform.control.endpoints(), []);
	});

	it('made the platform stray from the API document nowhere', async () => {
		const { violations } = await stage.platform.control.counters();
		assert.deepEqual(violations, []);
	});
});
