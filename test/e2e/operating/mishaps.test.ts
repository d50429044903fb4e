import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { IDataObject, INode } from 'n8n-workflow';

import type { ApiAccess } from '../../../platform/support/apiClient';
import { publishWebhook } from '../../support/environment/publishedTrigger';
import { until } from '../../../platform/support/until';
import { tally } from '../../support/figures';
import type { Credential } from '../../support/n8n/types';
import {
	chain,
	changesTrigger,
	EVERY_MINUTE,
	manualTrigger,
	noOperation,
	shopNode,
	shopTrigger,
} from '../../support/n8n/workflows';
import { byId } from '../../support/parameters';
import { environmentOfSuite } from '../environment';

const NAME = 'Notes for the warehouse';
/** Time for a start of n8n's triggers and two polls. */
const POLL_TIMEOUT_MS = 180_000;

describe('what people find later', () => {
	const shop = environmentOfSuite();

	/** A workflow whose key is revoked while it is published. */
	async function unpublishedWithDeadKey() {
		const { client, platform } = shop;
		const { apiKey } = await platform.control.createKey();
		const credential = await client.createShopCredential('Revoked', { ...platform, apiKey });
		const parts = [shopTrigger('Order Paid', { events: ['order.paid'] }), noOperation('Done')];
		const { id } = await client.createWorkflow(chain(NAME, credential, parts));
		await client.activate(id);
		const [endpoint] = await platform.control.endpoints();
		await platform.control.revokeKey(apiKey);
		await client.deactivate(id);
		return { workflowId: id, endpoint, credential };
	}

	async function changeKey({ id, name, type }: Credential, { baseUrl, apiKey }: ApiAccess) {
		const data = { baseUrl, apiKey };
		await shop.client.rest.send('PATCH', `/credentials/${id}`, { name, type, data });
	}

	const endpointIds = async () => (await shop.platform.control.endpoints()).map(({ id }) => id);

	it('an endpoint that a dead key left behind says whose it is, and goes with the next publish', async () => {
		const { client, credential, platform, n8n } = shop;
		const left = await unpublishedWithDeadKey();
		assert.deepEqual(await endpointIds(), [left.endpoint.id]);
		assert.match(
			n8n.readLog(),
			new RegExp(`could not remove webhook endpoint ${left.endpoint.id}`),
		);
		const list = shopNode('List', { resource: 'webhook', operation: 'getAll', returnAll: true });
		const parts = [manualTrigger('Start'), list];
		const { id } = await client.createWorkflow(chain('Endpoints', credential, parts));
		const { data } = await client.finishedExecution(await client.run(id, 'Start'));
		const [item] = data.resultData.runData.List[0].data!.main[0]!;
		assert.equal(item.json.id, left.endpoint.id);
		assert.equal(item.json.description, `n8n workflow ${left.workflowId}: ${NAME}`);
		await n8n.restart();
		await changeKey(left.credential, platform);
		await client.activate(left.workflowId);
		const now = await endpointIds();
		assert.equal(now.length, 1);
		assert.notEqual(now[0], left.endpoint.id);
		await client.deactivate(left.workflowId);
		assert.deepEqual(await endpointIds(), []);
	});

	it('a platform that is away when n8n starts shows as failed executions, and polls go on', async () => {
		const { client, credential, platform, n8n } = shop;
		const watching = changesTrigger('Changed Orders', { pollTimes: EVERY_MINUTE });
		const parts = [watching, noOperation('Done')];
		const { id } = await client.createWorkflow(chain('Changes', credential, parts));
		await client.activate(id);
		await platform.control.setFaults([{ path: '/orders', fault: 'status', status: 401 }]);
		await n8n.restart();
		const statuses = async () => (await client.executions(id)).map(({ status }) => status);
		await until('a failed execution', POLL_TIMEOUT_MS, async () => (await statuses()).length > 0);
		assert.deepEqual(tally(await statuses()), { error: (await statuses()).length });
		await platform.control.setFaults([]);
		await platform.control.payOrder();
		await until('a poll that reads', POLL_TIMEOUT_MS, async () =>
			(await statuses()).includes('success'),
		);
		await client.deactivate(id);
	});

	it('an error workflow reads the record, and what was done and may have been, as data', async () => {
		const { client, platform, n8n } = shop;
		const handler = await client.createWorkflow(
			chain('On error', shop.credential, [
				{ name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger' },
				noOperation('Done'),
			]),
		);
		await client.activate(handler.id);
		const orders = await Promise.all(
			Array.from({ length: 4 }, async () => (await platform.control.payOrder()).order.id),
		);
		const split: Partial<INode> = {
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		};
		const note = shopNode('Note', {
			...{ resource: 'order', operation: 'update', updateFields: { merchant_note: 'Packed' } },
			orderId: byId('={{ $json.order }}'),
			requestOptions: { maxRetryWait: 0, maxRequestsAtOnce: 1 },
		});
		const address = await publishWebhook(shop, 'Failing', {}, [split, note]);
		const { id, nodes, connections, versionId } = (await client.publishedWorkflows()).find(
			({ name }) => name === 'Failing',
		)!;
		const settings = { executionOrder: 'v1', errorWorkflow: handler.id };
		await client.rest.send('PATCH', `/workflows/${id}`, {
			nodes,
			connections,
			settings,
			versionId,
		});
		await client.activate(id);
		await platform.control.setFaults([
			{ method: 'PATCH', path: `/orders/${orders[2]}`, fault: 'lostAnswer' },
		]);
		const body = JSON.stringify({ rows: orders.map((order) => ({ order })) });
		const headers = { 'content-type': 'application/json' };
		await fetch(address, { method: 'POST', headers, body });
		const [{ data }] = await client.finishedExecutions(handler.id, 1);
		await platform.control.setFaults([]);
		const { json } = data.resultData.runData['Error Trigger'][0].data!.main[0]![0];
		const { error } = json.execution as { error: IDataObject };
		const context = error.context as IDataObject;
		const { row, record, done, mayBeApplied } = context;
		assert.deepEqual(
			{ row, record, done, mayBeApplied },
			{ row: 3, record: { order_id: orders[2] }, done: [1, 2], mayBeApplied: [3] },
		);
		assert.match(String(error.message), new RegExp(orders[2]));
		assert.ok(n8n.running);
	});
});
