import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { minorToMajor } from '../../../nodes/shared/values/money';
import { startPlatform } from '../../../platform';
import type { Customer } from '../../../platform/shop/customer';
import type { Level } from '../../../platform/shop/inventory';
import type { Order } from '../../../platform/shop/order';
import type { Money, Product } from '../../../platform/shop/product';
import { apiClient, type ApiClient } from '../../../platform/support/apiClient';
import { loopbackServer } from '../../../platform/support/loopbackServer';
import { until } from '../../../platform/support/until';
import { chain, manualTrigger } from '../../support/n8n/workflows';
import { environmentOfSuite } from '../environment';
import { shootFailure } from '../install/shootFailure';
import { Editor } from './editor';
import { Hand } from './hand';

/** What each task may take: the clicks that it took in this editor before. */
const MOST_CLICKS = {
	'one message when an order above 200 EUR is paid': 40,
	'yesterday’s paid orders as a CSV file': 56,
	'all prices of one category up by 5 %': 52,
	'a product becomes a draft when its stock is 0 everywhere': 33,
	'a customer from a form, with consent to the newsletter': 24,
	'cancel what is unpaid after three days, every night': 27,
	'all orders of one customer': 11,
	'copy ten products to another shop': 35,
	'tracking numbers from a list of five, one blank': 13,
	'20 % off 20 SKUs, and back next week': 21,
} as const;

type Task = keyof typeof MOST_CLICKS;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DELIVERY_MS = 60_000;

describe("a shop's first month in n8n's editor, by mouse, beginning with an empty workflow", () => {
	const environment = environmentOfSuite({
		platform: { orders: 60, products: 30, customers: 40 },
		// The days of the tests are those of UTC; Code nodes are not needed.
		n8n: { environment: { GENERIC_TIMEZONE: 'UTC' } },
	});
	const figures: Array<{
		task: Task;
		clicks: number;
		most: number;
		keys: number;
		seconds: number;
	}> = [];
	let editor: Editor;
	let hand: Hand;
	let api: ApiClient;

	before(async () => {
		editor = await Editor.open(environment);
		hand = await Hand.of(editor, environment.client);
		api = apiClient(environment.platform);
	});
	beforeEach(async () => {
		await control().reset();
	});
	afterEach(async (test) => void (await shootFailure(editor, test)));
	after(async () => {
		console.table(figures);
		await editor?.close();
	});

	const control = () => environment.platform.control;

	/** A test of one task, which counts. */
	function task(name: Task, act: () => Promise<void>): void {
		it(name, async () => {
			const startedMs = Date.now();
			await act();
			const { clicks, keys } = hand;
			const most = MOST_CLICKS[name];
			const seconds = Math.round((Date.now() - startedMs) / 1000);
			figures.push({ task: name, clicks, most, keys, seconds });
			assert.ok(clicks <= most, `${clicks} clicks`);
		});
	}

	/** Opens a workflow that has a source already: a sheet or a form of n8n, with these rows. */
	async function openSource(name: string, rows: IDataObject[]): Promise<void> {
		const workflow = await environment.client.createWorkflow({
			...chain(name, environment.credential, [manualTrigger('Source')]),
			pinData: { Source: rows.map((json) => ({ json })) },
		});
		await editor.openWorkflow(workflow.id);
		hand.startCounting();
	}

	/** Adds Set Prices after the node at hand: each price of its rows times a factor, rounded. */
	async function multiplyPrices(factor: number): Promise<void> {
		await hand.addAction('prices', 'Set product prices');
		await hand.drag('sku', 'sku');
		await hand.clickBeside();
		await hand.express('amount', `{{ $json.price * ${factor} }}`);
		await hand.drag('currency', 'currency');
		await hand.clickBeside();
		await hand.panel.add('Options', 'Round to the Currency');
		await hand.execute();
	}

	/** A customer orders for so many cents, and pays. */
	async function orderOf(amount: number): Promise<void> {
		const total = { amount, currency: 'EUR' };
		const { order } = await control().createOrder({ total });
		await control().payOrder(order.id);
	}

	/** The items that a node gave in the latest execution of the open workflow. */
	async function itemsOf(node: string): Promise<IDataObject[]> {
		const { client } = environment;
		const [latest] = await client.executions(hand.workflowId);
		const { data } = await client.finishedExecution(latest.id);
		return (data.resultData.runData[node]?.[0].data?.main ?? [])
			.flatMap((output) => output ?? [])
			.map(({ json }) => json);
	}

	task('all orders of one customer', async () => {
		const orders = await api.data<Order[]>('/orders?limit=250');
		const { email } = orders[7];
		hand.startCounting();
		await hand.beginWith('manual', 'Manual Trigger');
		await hand.addAction('orders', 'Get many orders');
		await hand.click(hand.field('returnAll').locator('.el-switch'));
		await hand.panel.add('Filters', 'Customer');
		await hand.enter('customer', email);
		await hand.execute();
		const found = await itemsOf('Get many orders');
		const wanted = orders.filter((order) => order.email === email);
		assert.deepEqual(found.map(({ id }) => id).sort(), wanted.map(({ id }) => id).sort());
	});

	task('tracking numbers from a list of five, one blank', async () => {
		const orders = await api.data<Order[]>('/orders?status=paid&limit=5');
		const rows = orders.map(({ number }, place) => ({
			order: `#${number}`,
			tracking: place === 2 ? '' : `0034043416109404255${place}`,
		}));
		await openSource('Tracking numbers', rows);
		await hand.addAction('fulfill', 'Fulfill order');
		await hand.chooseMode('orderId', 'Number');
		await hand.drag('order', 'orderId');
		await hand.drag('tracking', 'trackingNumber');
		await hand.continueOnError();
		await hand.execute();
		const sent = (await control().requests()).filter(({ target }) =>
			target.endsWith('/fulfillments'),
		);
		assert.deepEqual(
			sent.map(({ body }) => (JSON.parse(body ?? '{}') as IDataObject).tracking_number).sort(),
			rows.map(({ tracking }) => tracking).filter((tracking) => tracking !== ''),
		);
		const told = (await itemsOf('Fulfill order')).filter(({ error }) => error !== undefined);
		assert.equal(told.length, 1);
		assert.match(String(told[0].error), /Tracking Number/);
	});

	task('a customer from a form, with consent to the newsletter', async () => {
		await openSource('Form', [{ email: 'ada@example.com', name: 'Ada', newsletter: 'Yes' }]);
		await hand.addAction('customers', 'Create customer');
		for (const [row, [field, from]] of [
			['email', 'email'],
			['first_name', 'name'],
			['accepts_email_marketing', 'newsletter'],
		].entries()) {
			await hand.panel.addRow('fields');
			await hand.chooseFromList('name', field, row);
			await hand.drag(from, hand.field('value', row));
			await hand.clickBeside();
		}
		await hand.execute();
		const [made] = await itemsOf('Create customer');
		const customer = await api.data<Customer>(`/customers/${String(made.id)}`);
		assert.equal(customer.accepts_email_marketing, true);
		assert.equal(customer.email, 'ada@example.com');
	});

	task('one message when an order above 200 EUR is paid', async () => {
		const messages: string[] = [];
		const chat = await loopbackServer((request, response) => {
			messages.push(request.url ?? '');
			response.end('{}');
		});
		try {
			hand.startCounting();
			await hand.beginWithEvent('order paid', 'On order paid');
			await hand.listen(async () => await orderOf(93_030));
			await hand.leave();
			await hand.addNode('filter', 'Filter');
			await hand.drag('record.total.decimal', hand.condition('left'));
			await hand.chooseOperator('is greater than', 'Number');
			await hand.click(hand.condition('right'));
			await hand.type('200');
			await hand.addCondition();
			await hand.drag('record.total.currency', hand.condition('left', 1));
			await hand.clickBeside();
			await hand.click(hand.condition('right', 1));
			await hand.type('EUR');
			await hand.leave();
			await hand.addNode('http request', 'HTTP Request');
			await hand.enter('url', `http://${chat.address}/message`);
			await hand.leave();
			const tries = (await environment.client.executions(hand.workflowId)).length;
			await hand.publish();
			await orderOf(2_890);
			await orderOf(93_030);
			await until('the message', DELIVERY_MS, async () => messages.at(0));
			await environment.client.finishedExecutions(hand.workflowId, tries + 2);
			assert.deepEqual(messages, ['/message']);
		} finally {
			await chat.close();
		}
	});

	task('yesterday’s paid orders as a CSV file', async () => {
		const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
		const yesterday: string[] = [];
		for (const [hours, status] of [
			[-25, 'paid'],
			[-23, 'paid'],
			[-12, 'fulfilled'],
			[-11, 'created'],
			[-10, 'cancelled'],
			[-1, 'paid'],
			[0.1, 'paid'],
		] as const) {
			const at = new Date(todayMs + hours * HOUR_MS).toISOString();
			const { id } = await control().writeRecord('orders', { updatedAt: at, fields: { status } });
			const isWanted = hours >= -24 && hours < 0 && ['paid', 'fulfilled'].includes(status);
			if (isWanted) yesterday.push(id);
		}
		hand.startCounting();
		await hand.beginWith('manual', 'Manual Trigger');
		await hand.addAction('orders', 'Get many orders');
		await hand.click(hand.field('returnAll').locator('.el-switch'));
		await hand.panel.add('Filters', 'Created Since');
		await hand.express('created_since', "{{ $today.minus(1, 'day') }}");
		await hand.panel.add('Filters', 'Created Until');
		await hand.express('created_until', '{{ $today }}');
		await hand.execute();
		await hand.leave();
		await hand.addNode('filter', 'Filter');
		await hand.drag('status', hand.condition('left'));
		await hand.clickBeside();
		await hand.click(hand.condition('right'));
		await hand.type('paid');
		await hand.addCondition();
		await hand.drag('status', hand.condition('left', 1));
		await hand.clickBeside();
		await hand.click(hand.condition('right', 1));
		await hand.type('fulfilled');
		await hand.click(hand.modals.getByTestId('filter-combinator-select'));
		await hand.pick('OR');
		await hand.leave();
		await hand.addNode('csv', 'Convert to File', 'Convert to CSV');
		await hand.execute();
		const csv = await hand.download();
		for (const id of yesterday) assert.ok(csv.includes(id), id);
		assert.equal(csv.trim().split('\n').length, yesterday.length + 1);
	});

	task('all prices of one category up by 5 %', async () => {
		const [{ id: category }] = await api.data<IDataObject[]>('/categories');
		const make = async (title: string, ...prices: Money[]) =>
			await api.data<Product>('/products', {
				method: 'POST',
				body: {
					...{ title, categories: [category] },
					variants: [{ sku: `SKU ${title}`, title, prices }],
				},
			});
		const euro = await make('Euro', { amount: 2910, currency: 'EUR' });
		const yen = await make('Yen', { amount: 2911, currency: 'JPY' });
		const before = await api.data<Product[]>('/products?limit=250');
		hand.startCounting();
		await hand.beginWith('manual', 'Manual Trigger');
		await hand.addAction('prices', 'Get many products');
		await hand.click(hand.field('returnAll').locator('.el-switch'));
		await hand.panel.add('Options', 'Output');
		await hand.panel.choose('output', 'Variants');
		await hand.execute();
		await hand.leave();
		await hand.addNode('filter', 'Filter');
		await hand.drag('categories', hand.condition('left'));
		await hand.clickBeside();
		await hand.click(hand.condition('right'));
		await hand.type(String(category));
		await hand.execute();
		await hand.leave();
		await multiplyPrices(1.05);
		const now = await api.data<Product[]>('/products?limit=250');
		const priceOf = (id: string) => now.find((one) => one.id === id)?.variants[0].prices[0].amount;
		assert.equal(priceOf(euro.id), 3056);
		assert.equal(priceOf(yen.id), 3057);
		for (const product of before) {
			const after = now.find(({ id }) => id === product.id);
			const isRaised = JSON.stringify(after?.variants) !== JSON.stringify(product.variants);
			assert.equal(isRaised, product.categories.includes(String(category)), product.title);
		}
	});

	task('a product becomes a draft when its stock is 0 everywhere', async () => {
		const [first, second] = (await api.data<Product[]>('/products?status=published')).map(
			({ id, variants }) => ({ id, sku: variants[0].sku }),
		);
		const levels = await api.data<Level[]>('/inventory/levels?limit=250');
		const sellOut = async (wanted: string, count?: number) => {
			const places = levels.filter(({ sku }) => sku === wanted).slice(0, count);
			for (const { sku, location_id } of places)
				await control().setStock({ sku, location_id, quantity: 0 });
		};
		const statusOf = async (id: string) => (await api.data<Product>(`/products/${id}`)).status;
		hand.startCounting();
		await hand.beginWithEvent('stock', 'On inventory changed');
		await hand.listen(async () => await sellOut(first.sku));
		await hand.leave();
		await hand.addAction('stock', 'Get many stock levels');
		await hand.panel.add('Filters', 'SKU');
		await hand.drag('payload.sku', 'sku');
		await hand.execute();
		await hand.leave();
		await hand.addNodeByKey('summarize', 'Summarize');
		await hand.panel.choose('aggregation', 'Sum');
		await hand.drag('quantity', hand.field('field'));
		await hand.drag('sku', hand.field('fieldsToSplitBy'));
		await hand.execute();
		await hand.leave();
		await hand.addNode('filter', 'Filter');
		await hand.click(hand.condition('right'));
		await hand.type('0');
		await hand.drag('sum_quantity', hand.condition('left'));
		// n8n takes over the type of what was dragged a moment later.
		await editor.settle();
		await editor.settle();
		await hand.execute();
		await hand.leave();
		await hand.addAction('products', 'Update product');
		await hand.panel.add('Update Fields', 'Status');
		await hand.chooseMode('productId', 'SKU');
		await hand.drag('sku', 'productId');
		await hand.leave();
		const tries = (await environment.client.executions(hand.workflowId)).length;
		await hand.publish();
		assert.equal(await statusOf(second.id), 'published');
		await sellOut(second.sku, 1);
		await environment.client.finishedExecutions(hand.workflowId, tries + 1);
		assert.equal(await statusOf(second.id), 'published');
		await sellOut(second.sku);
		await until('the draft', DELIVERY_MS, async () =>
			(await statusOf(second.id)) === 'draft' ? true : undefined,
		);
	});

	task('cancel what is unpaid after three days, every night', async () => {
		const young = await control().createOrder();
		const unpaid = async () => await api.data<Order[]>('/orders?status=created&limit=250');
		assert.ok((await unpaid()).length > 3);
		hand.startCounting();
		await hand.beginWith('schedule', 'Schedule Trigger');
		await hand.leave();
		await hand.addAction('cancel', 'Get many orders');
		await hand.click(hand.field('returnAll').locator('.el-switch'));
		await hand.panel.add('Filters', 'Status');
		await hand.panel.choose('status', 'Created (Not Paid Yet)');
		await hand.panel.add('Filters', 'Created Until');
		await hand.express('created_until', "{{ $now.minus(3, 'days') }}");
		await hand.execute();
		await hand.leave();
		await hand.addAction('cancel', 'Cancel order');
		await hand.drag('id', 'orderId');
		await hand.execute();
		// The same orders once more, as in a run that is tried again.
		await hand.execute();
		await hand.leave();
		await hand.executeWorkflow();
		await hand.publish();
		assert.deepEqual(
			(await unpaid()).map(({ id }) => id),
			[young.order.id],
		);
	});

	task('20 % off 20 SKUs, and back next week', async () => {
		const products = await api.data<Product[]>('/products?limit=250');
		const rows = products
			.flatMap(({ variants }) => variants)
			.slice(0, 20)
			.map(({ sku, prices: [{ amount, currency }] }) => ({
				...{ sku, price: Number(minorToMajor(amount, currency)), currency },
			}));
		await openSource('Sale', rows);
		await multiplyPrices(0.8);
		const reduced = await api.data<Product[]>('/products?limit=250');
		// Tried once more: the sheet's price is still the old one.
		await hand.execute();
		assert.deepEqual(await api.data<Product[]>('/products?limit=250'), reduced);
		const firstPrice = ({ variants }: Product) => variants[0].prices[0].amount;
		assert.equal(firstPrice(reduced[0]), Math.round(firstPrice(products[0]) * 0.8));
		// Back: the same node with the sheet's price.
		await hand.rewrite('amount', '{{ $json.price }}');
		await hand.execute();
		const back = await api.data<Product[]>('/products?limit=250');
		assert.deepEqual(back.map(withoutTime), products.map(withoutTime));
	});

	task('copy ten products to another shop', async () => {
		const names = async (shop: ApiClient) =>
			new Map(
				(await shop.data<IDataObject[]>('/categories?limit=250')).map(({ id, name }) => [id, name]),
			);
		const other = await startPlatform({ products: 0, orders: 0, customers: 0, seed: 9 });
		try {
			hand.startCounting();
			await hand.beginWith('manual', 'Manual Trigger');
			await hand.addAction('category', 'Get many categories');
			await hand.leave();
			await hand.addAction('products', 'Get many products');
			await hand.enter('limit', '10');
			await hand.executeOnce();
			await hand.execute();
			await hand.leave();
			await hand.addAction('products', 'Create or update product');
			await hand.createCredential({ baseUrl: other.baseUrl, apiKey: other.apiKey });
			await hand.panel.choose('specifyProduct', 'JSON');
			await hand.express(
				'productJson',
				`{{ { ...$json, id: undefined, sku: $json.variants[0].sku, categories: $json.categories.map((id) => $('Get many categories').all().find(({ json }) => json.id === id).json.name) } }}`,
			);
			await hand.execute();
			const there = apiClient(other);
			const [namesHere, namesThere] = [await names(api), await names(there)];
			const copies = await there.data<Product[]>('/products?limit=250');
			const originals = await api.data<Product[]>('/products?limit=10');
			const seen = (products: Product[], categories: Map<unknown, unknown>) =>
				products
					.map(({ title, variants, categories: ids }) => ({
						title,
						variants,
						categories: ids.map((id) => categories.get(id)),
					}))
					.sort((a, b) => a.title.localeCompare(b.title));
			assert.deepEqual(seen(copies, namesThere), seen(originals, namesHere));
		} finally {
			await other.close();
		}
	});
});

const withoutTime = ({ updated_at: _time, ...product }: Product) => product;
