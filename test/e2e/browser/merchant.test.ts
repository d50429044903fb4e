import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import type { Customer } from '../../../platform/shop/customer';
import type { Order } from '../../../platform/shop/order';
import type { Money, Product } from '../../../platform/shop/product';
import { apiClient, type ApiClient } from '../../../platform/support/apiClient';
import { environmentOfSuite } from '../environment';
import type { Workflow } from '../../support/n8n/types';
import { shopNode } from '../../support/n8n/workflows';
import { byId } from '../../support/parameters';
import { Editor } from './editor';
import { Panel } from './panel';
import { MerchantDesk } from './merchantTasks';

/** Steps to add a node: the click on “+”, the search, the choice of the node and of its action. */
const STEPS_BEFORE = 4;

/** The most steps of each task: what it takes today, never more than the same in Zapier. */
const MOST_STEPS = {
	'Daily report': 10,
	'Refund 10.00 EUR': 10,
	'One price': 9,
	'Send one line': 12,
};

describe("a merchant's everyday tasks in n8n's editor, by mouse and keyboard", () => {
	const environment = environmentOfSuite({
		platform: { orders: 60, products: 30, customers: 5 },
	});
	let desk: MerchantDesk;
	let api: ApiClient;

	before(async () => {
		desk = new MerchantDesk(environment, await Editor.open(environment));
		api = apiClient(environment.platform);
	});
	after(async () => {
		console.table(desk.figures);
		await desk.editor.close();
	});

	const control = () => desk.environment.platform.control;
	const paidOrders = async () => await api.data<Order[]>('/orders?status=paid&limit=250');
	/** The body of the latest request to a path with this ending. */
	async function lastBody(ending: string): Promise<IDataObject> {
		const sent = (await control().requests()).filter(({ target }) => target.endsWith(ending));
		return JSON.parse(sent.at(-1)?.body ?? '{}') as IDataObject;
	}

	/** Parameters of the node Shop, as n8n saved them. */
	async function savedParameters({ id }: Workflow) {
		const { nodes } = await desk.environment.client.getWorkflow(id);
		return nodes.find(({ name }) => name === 'Shop')?.parameters;
	}

	it('daily report: what was paid, by currency', async () => {
		const parts = [shopNode('Sums')];
		const workflow = await desk.does('Daily report', parts, async (panel) => {
			await panel.toggle('returnAll');
			await panel.add('Filters', 'Status');
			await panel.choose('status', 'Paid');
			await panel.add('Options', 'Output');
			await panel.choose('output', 'Totals by Currency');
			await panel.execute();
		});
		const expected = new Map<string, { orders: number; amount: number }>();
		for (const { total } of await paidOrders()) {
			const { orders, amount } = expected.get(total.currency) ?? { orders: 0, amount: 0 };
			expected.set(total.currency, { orders: orders + 1, amount: amount + total.amount });
		}
		const sums = await desk.itemsOf(workflow, 'Sums');
		assert.deepEqual(
			new Map(
				sums.map(({ currency, orders, total_minor: amount }) => [currency, { orders, amount }]),
			),
			expected,
		);
	});

	it('refund 10.00 EUR', async () => {
		const order = (await paidOrders()).find(
			({ total }) => total.currency === 'EUR' && total.amount > 1000,
		)!;
		const parts = [shopNode('Shop', { resource: 'order', operation: 'refund' })];
		await desk.does('Refund 10.00 EUR', parts, async (panel) => {
			await panel.locate('orderId', 'By ID', order.id);
			await panel.choose('extent', 'Amount');
			await panel.fill('amount', '10.00');
			await panel.fill('refundOnceKey', 'RMA-4711');
			await panel.execute();
		});
		const { amount, currency } = await lastBody('/refunds');
		assert.deepEqual({ amount, currency }, { amount: 1000, currency: 'EUR' });
		const refunded = await api.data(`/orders/${order.id}`);
		await new Panel(desk.editor.page).execute();
		assert.deepEqual(await api.data(`/orders/${order.id}`), refunded);
	});

	it('one price of a product with two variants, and nothing else', async () => {
		const variants = [
			{ sku: 'SEAT-A', title: 'A', prices: price(1000, 'EUR').concat(price(1500, 'JPY')) },
			{ sku: 'SEAT-B', title: 'B', prices: price(1200, 'EUR') },
		];
		const made = await api.data<Product>('/products', {
			method: 'POST',
			body: { title: 'Garden seat', handle: 'garden-seat', status: 'draft', variants },
		});
		const parts = [shopNode('Shop', { resource: 'product', operation: 'setPrices' })];
		await desk.does('One price', parts, async (panel) => {
			await panel.find('sku', 'SEAT-A');
			await panel.fill('amount', '19.90');
			await panel.fill('currency', 'EUR');
			await panel.execute();
		});
		const now = await api.data<Product>(`/products/${made.id}`);
		const expected = structuredClone(made);
		expected.variants[0].prices[0].amount = 1990;
		assert.deepEqual({ ...now, updated_at: '' }, { ...expected, updated_at: '' });
	});

	it('a row of fields that was saved as plain text stays as it is', async () => {
		const [{ id }] = await api.data<Customer[]>('/customers?limit=2');
		const fields = { field: [{ name: 'nickname', type: 'string', value: 'Ada' }] };
		const update = { resource: 'customer', operation: 'update', customerId: byId(id), fields };
		const parts = [shopNode('Shop', update)];
		const workflow = await desk.does('Saved row', parts, async (panel) => {
			assert.equal(await panel.located('name'), 'nickname');
			await panel.execute();
		});
		const sent = (await control().requests()).filter(({ method }) => method === 'PATCH');
		assert.deepEqual(
			sent.map(({ body }) => body),
			['{"nickname":"Ada"}'],
		);
		assert.deepEqual((await savedParameters(workflow))?.fields, fields);
		const panel = new Panel(desk.editor.page);
		await panel.retype('name', 'petname');
		await panel.execute();
		assert.deepEqual(await lastBody(`/customers/${id}`), { petname: 'Ada' });
	});

	it('send one line of an order, chosen by its title', async () => {
		const order = (await paidOrders()).at(-1)!;
		const { line_items: lines } = await api.data<Order>(`/orders/${order.id}`);
		const parts = [shopNode('Shop', { resource: 'order', operation: 'fulfill' })];
		await desk.does('Send one line', parts, async (panel) => {
			await panel.locate('orderId', 'Number', String(order.number));
			await panel.choose('specifyItems', 'Choose');
			await panel.addRow('items');
			await panel.find('line_item_id', lines[0].title);
			await panel.fill('quantity', '1');
			await panel.execute();
		});
		const { items } = await lastBody('/fulfillments');
		assert.deepEqual(items, [{ line_item_id: lines[0].line_item_id, quantity: 1 }]);
	});

	it('each takes no more steps than it did, and no more than in Zapier', () => {
		for (const [task, most] of Object.entries(MOST_STEPS)) {
			const figures = desk.figures.find((one) => one.task === task);
			assert.ok(figures !== undefined, task);
			assert.ok(STEPS_BEFORE + figures.steps <= most, `${task}: ${figures.steps}`);
		}
	});
});

const price = (amount: number, currency: string): Money[] => [{ amount, currency }];
