import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';

import { apiClient, type ApiClient } from '../../support/apiClient';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { chain, manualTrigger, shopNode } from '../../support/n8n/workflows';
import { byId } from '../../support/parameters';
import { Progress } from '../../support/progress';
import { Editor } from './editor';
import { Panel } from './panel';

interface Order {
	id: string;
	number: string;
	total: { amount: number; currency: string };
}

describe("a merchant's everyday tasks in the panel of the node, by mouse and keyboard", () => {
	let environment: TestEnvironment;
	let editor: Editor;
	let api: ApiClient;

	before(async () => {
		environment = await startTestEnvironment(Progress.silent(), {
			platform: { orders: 60, products: 30, customers: 20_000 },
		});
		editor = await Editor.open(environment);
		api = apiClient(environment.platform);
	});
	after(async () => {
		await editor?.close();
		await environment?.close();
	});

	const paidOrders = async () => await api.data<Order[]>('/orders?status=paid&limit=250');

	/** Opens the panel of the node in a workflow of its own. */
	async function open(parameters: Record<string, NodeParameterValueType>) {
		const { client, credential, platform } = environment;
		const { id } = await client.createWorkflow(
			chain('Task', credential, [manualTrigger('Start'), shopNode('Shop', parameters)]),
		);
		await editor.openWorkflow(id);
		await platform.control.resetCounters();
		await editor.openNode('Shop');
		/** Parameters as n8n has saved them. */
		const saved = async () => {
			const { nodes } = await client.getWorkflow(id);
			return nodes.find(({ name }) => name === 'Shop')!.parameters;
		};
		return { panel: new Panel(editor.page), saved };
	}

	/** Bodies of the writes that the platform was sent. */
	async function written(): Promise<IDataObject[]> {
		const sent = await environment.platform.control.requests();
		return sent
			.filter(({ method }) => method !== 'GET')
			.map(({ body }) => JSON.parse(body ?? '{}') as IDataObject);
	}

	it('refund 10.00 EUR', async () => {
		const { id } = (await paidOrders()).find(
			({ total }) => total.currency === 'EUR' && total.amount > 1000,
		)!;
		const { panel } = await open({ resource: 'order', operation: 'refund' });
		await panel.locate('orderId', 'By ID', id);
		await panel.choose('extent', 'Amount');
		await panel.fill('amount', '10.00');
		await panel.fill('currency', 'EUR');
		await panel.execute();
		assert.deepEqual(await written(), [{ amount: 1000, currency: 'EUR' }]);
	});

	it('send one line of an order by its number, chosen by its title', async () => {
		const order = (await paidOrders()).at(-1)!;
		const { line_items: lines } = await api.data<{
			line_items: Array<{ line_item_id: string; title: string }>;
		}>(`/orders/${order.id}`);
		const { panel } = await open({ resource: 'order', operation: 'fulfill' });
		await panel.locate('orderId', 'Number', String(order.number));
		await panel.choose('specifyItems', 'Choose');
		await panel.addRow('items');
		await panel.find('line_item_id', lines[0].title);
		await panel.fill('quantity', '1');
		await panel.fill('carrier', 'DHL');
		await panel.execute();
		assert.deepEqual(await written(), [
			{ carrier: 'dhl', items: [{ line_item_id: lines[0].line_item_id, quantity: 1 }] },
		]);
	});

	it('a customer by e-mail among 20,000, and a field of it by a name that is suggested', async () => {
		const customers = await api.data<Array<{ id: string; email: string }>>('/customers?limit=250');
		const { id, email } = customers[200];
		const { panel, saved } = await open({ resource: 'customer', operation: 'update' });
		await panel.locate('customerId', 'Email', email.toUpperCase());
		await panel.addRow('fields');
		await panel.find('name', 'phone');
		await panel.fill('value', '+49 30 5550100');
		await panel.execute();
		assert.deepEqual(await written(), [{ phone: '+49 30 5550100' }]);
		const { phone } = await api.data(`/customers/${id}`);
		assert.equal(phone, '+49 30 5550100');
		assert.doesNotMatch(JSON.stringify((await saved()).fields), /@/);
	});

	it('a row of fields that was saved as plain text stays as it is, and can be typed over', async () => {
		const [{ id }] = await api.data<Array<{ id: string }>>('/customers?limit=1');
		const fields = { field: [{ name: 'nickname', type: 'string', value: 'Ada' }] };
		const update = { resource: 'customer', operation: 'update', customerId: byId(id), fields };
		const { panel, saved } = await open(update);
		assert.equal(await panel.located('name'), 'nickname');
		await panel.execute();
		assert.deepEqual((await saved()).fields, fields);
		await panel.retype('name', 'petname');
		await panel.execute();
		assert.deepEqual(await written(), [{ nickname: 'Ada' }, { petname: 'Ada' }]);
	});
});
