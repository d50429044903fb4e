import assert from 'node:assert/strict';
import { before, it } from 'node:test';

import { findings } from '../demo/findings';
import { importExamples, payOneOrder, type PaidOrder } from '../demo/order-paid';
import { ORDER_PAID_EXAMPLE } from '../../support/n8n/examples';
import type { Workflow } from '../../support/n8n/types';
import { chain, noOperation, shopTrigger } from '../../support/n8n/workflows';
import { Progress } from '../../support/progress';
import { until } from '../../../platform/support/until';
import type { TestEnvironment } from '../../support/environment/testEnvironment';

/** The way of a paid order, in a new n8n and on a new platform. */
export function orderPaid(environment: TestEnvironment): void {
	let workflow: Workflow;
	let paid: PaidOrder;

	before(async () => {
		const workflows = await importExamples(environment, Progress.silent());
		workflow = workflows.get(ORDER_PAID_EXAMPLE)!;
		paid = await payOneOrder(environment, workflows, Progress.silent());
	});

	it('registers exactly one endpoint, at the address of the trigger', async () => {
		const endpoints = await environment.platform.control.endpoints();
		const webhookId = workflow.nodes.find((node) => node.webhookId)?.webhookId;
		assert.equal(endpoints.length, 1);
		assert.deepEqual(endpoints[0].events, ['order.paid']);
		assert.match(endpoints[0].url, new RegExp(`^${environment.n8n.url}/webhook/${webhookId}/`));
	});

	it('is delivered once, executed once, read once and noted once', async () => {
		const failed = (await findings(environment, paid)).filter(({ holds }) => !holds);
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
		await environment.n8n.restart();
		const endpoints = await environment.platform.control.endpoints();
		assert.deepEqual(
			endpoints.map(({ id }) => id),
			[paid.endpointId],
		);
		await environment.platform.control.payOrder();
		const executions = await environment.client.finishedExecutions(workflow.id, 2);
		assert.deepEqual(
			executions.map(({ status }) => status),
			['success', 'success'],
		);
	});

	it('comes as a sample, with its full record, to one who only listens', async () => {
		const { client, credential, platform } = environment;
		const listening = await client.createWorkflow(
			chain('Sample', credential, [
				shopTrigger('Order Paid', {
					events: ['order.paid'],
					getFullRecord: true,
					sampleEvent: true,
				}),
				noOperation('Done'),
			]),
		);
		await client.run(listening.id, 'Order Paid');
		const [execution] = await client.finishedExecutions(listening.id, 1);
		const [run] = execution.data.resultData.runData['Order Paid'];
		const { payload, record } = run.data?.main[0]?.[0].json as Record<string, { id: string }>;
		assert.equal(record.id, payload.id);
		await until('the test endpoint to be gone', 5_000, async () => {
			const endpoints = await platform.control.endpoints();
			return endpoints.length === 1;
		});
	});

	it('leaves no endpoint on the platform after deactivation', async () => {
		await environment.client.deactivate(workflow.id);
		assert.deepEqual(await environment.platform.control.endpoints(), []);
	});
}
