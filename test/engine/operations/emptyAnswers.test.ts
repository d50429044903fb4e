import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeRun } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const run = async (parameters: IDataObject, more: Partial<NodeRun> = {}) =>
	await runNode({ parameters, ...more });

const refund = {
	resource: 'order',
	operation: 'refund',
	orderId: byId('ord_1'),
	extent: 'platform',
};

describe('a write that was answered 2xx without a record', () => {
	it.each<[string, number, string | undefined]>([
		['200 with nothing', 200, undefined],
		['202 with nothing', 202, undefined],
		['204', 204, undefined],
		['200 with { "data": null }', 200, '{"data":null}'],
		['201 with JSON that was cut off', 201, '{"data":{"id":"re'],
	])('is done: %s', async (_what, status, body) => {
		nock(BASE_URL)
			.post('/orders/ord_1/refunds')
			.reply(status, body, { 'content-type': 'application/json' });
		const { items, error } = await run(refund);
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{ json: { success: true, id: 'ord_1', status }, pairedItem: { item: 0 } },
		]);
	});

	it('says the ID of what was made, where the answer has its address only', async () => {
		nock(BASE_URL)
			.post('/products')
			.reply(201, undefined, { location: 'https://api.shop.example/v1/products/prod_9' });
		const { items } = await run({ resource: 'product', operation: 'create', title: 'Mug' });
		expect(items[0].json).toEqual({ success: true, id: 'prod_9', status: 201 });
	});

	it('is an error where the body says so', async () => {
		nock(BASE_URL)
			.post('/orders/ord_1/refunds')
			.reply(200, { error: { code: 'NOT_LINKED', message: 'No payment provider' } });
		const { items, error } = await run(refund);
		expect(items).toEqual([]);
		expect(error?.message).toBe('The platform answered with an error');
		expect(error?.description).not.toMatch(/try again/i);
	});
});

it('a stock level that was overwritten is set, though the answer says nothing', async () => {
	nock(BASE_URL)
		.put('/inventory/levels')
		.reply(409, { error: { code: 'CONFLICT' } })
		.get('/inventory/levels')
		.query(true)
		.reply(200, { data: [] })
		.put('/inventory/levels')
		.reply(204);
	const level = { sku: 'A', locationId: 'sloc_main', quantity: 5 };
	const options = { onConflict: 'overwrite' };
	const { items, error } = await run({
		resource: 'inventory',
		operation: 'set',
		...level,
		options,
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([{ success: true, status: 204 }]);
	expect(nock.pendingMocks()).toEqual([]);
});

it('a read that was answered with nothing is an error', async () => {
	nock(BASE_URL).get('/orders/ord_1').reply(200);
	const { error } = await run({ resource: 'order', operation: 'get', orderId: byId('ord_1') });
	expect(error?.message).toBe('The platform’s answer is empty');
});

describe('Recreate', () => {
	const recreate = { resource: 'webhook', operation: 'recreate', webhookId: byId('wh_old') };
	const old = { id: 'wh_old', url: 'https://receiver.example/hook', events: ['order.paid'] };

	it.each<[string, number, unknown, string]>([
		['201 without a secret', 201, { data: { ...old, id: 'wh_new' } }, 'wh_new cannot be used'],
		['201 with an empty secret', 201, { data: { id: 'wh_new', secret: '' } }, 'wh_new cannot'],
		['202 with nothing', 202, undefined, 'Look in the list of webhooks'],
		['{ "data": null }', 201, { data: null }, 'Look in the list of webhooks'],
		[
			'200 with an error body',
			200,
			{ error: { message: 'No more endpoints' } },
			'No more endpoints',
		],
	])(
		'leaves the old endpoint alone when the new one is answered %s',
		async (_what, status, body, says) => {
			nock(BASE_URL).get('/webhooks/wh_old').reply(200, { data: old });
			nock(BASE_URL)
				.post('/webhooks')
				.reply(status, body as nock.Body);
			const removal = nock(BASE_URL).delete('/webhooks/wh_old').reply(204);
			const { items, error } = await run(recreate);
			expect(items).toEqual([]);
			expect(removal.isDone()).toBe(false);
			expect(error?.description).toContain(says);
		},
	);
});

describe('a list that fails on page 3', () => {
	const pages = () => {
		for (const [cursor, from, next] of [
			['', 0, 'c2'],
			['c2', 250, 'c3'],
		] as const) {
			const data = Array.from({ length: 250 }, (_, at) => ({ id: `prod_${from + at}` }));
			nock(BASE_URL)
				.get('/products')
				.query(cursor === '' ? { limit: '250' } : { limit: '250', cursor })
				.reply(200, { data, pagination: { next_cursor: next, has_more: true } });
		}
		nock(BASE_URL)
			.get('/products')
			.query({ limit: '250', cursor: 'c3' })
			.reply(400, { error: { message: 'Cursor expired' } });
	};
	const getAll = { resource: 'product', operation: 'getAll', returnAll: true, simplify: false };

	it('gives with Continue On Fail what was fetched, then one error item with the cursor', async () => {
		pages();
		const { items, error } = await run(getAll, { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(501);
		expect(items[499].json.id).toBe('prod_499');
		expect(items[500].json).toMatchObject({
			error: expect.any(String) as string,
			fetched: 500,
			cursor: 'c3',
		});
		expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
			new Set(['{"item":0}']),
		);
	});

	it('gives them on two outputs where the node has an error output', async () => {
		pages();
		const { items, errorItems } = await run(getAll, { onError: 'continueErrorOutput' });
		expect(items).toHaveLength(500);
		expect(errorItems.map(({ json }) => json.cursor)).toEqual(['c3']);
	});

	it('gives nothing without it, and does not claim that anything came out', async () => {
		pages();
		const { items, error } = await run(getAll);
		expect(items).toEqual([]);
		expect(error?.description).toContain('come out only where On Error is set to continue');
		expect(error?.description).toContain('c3');
	});
});
