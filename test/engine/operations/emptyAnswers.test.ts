import { byId, runOperation, type StubAnswer, stubApi } from '../../support/engine';

describe('a write that was answered 2xx without a record', () => {
	it('is done where its data is null', async () => {
		stubApi({ 'POST /orders/ord_1/refunds': [[200, { data: null }]] });
		const refund = { orderId: byId('ord_1'), extent: 'platform' };
		const { items, error } = await runOperation('order.refund', refund);
		expect(error).toBeUndefined();
		const json = { success: true, id: 'ord_1', status: 200 };
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('says the ID of what was made, where the answer has its address only', async () => {
		const location = 'https://api.shop.example/v1/products/prod_9';
		stubApi({ 'POST /products': [[201, undefined, { location }]] });
		const { json } = await runOperation('product.create', { title: 'Mug' });
		expect(json).toEqual([{ success: true, id: 'prod_9', status: 201 }]);
	});

	it('is a stock level that was overwritten, too', async () => {
		const sent = stubApi({
			'PUT /inventory/levels': [[409, { error: { code: 'CONFLICT' } }], [204]],
			'GET /inventory/levels': [[200, { data: [] }]],
		});
		const level = { sku: 'A', locationId: 'sloc_main', quantity: 5 };
		const options = { onConflict: 'overwrite' };
		const { json } = await runOperation('inventory.set', { ...level, options });
		expect(json).toEqual([{ success: true, status: 204 }]);
		expect(sent.map(({ route }) => route.slice(0, 3))).toEqual(['PUT', 'GET', 'PUT']);
	});
});

it('a read that was answered with nothing is an error', async () => {
	stubApi({ '*': [[200]] });
	const { error } = await runOperation('order.get', { orderId: byId('ord_1') });
	expect(error?.message).toBe('The platform’s answer is empty');
});

const OLD = { id: 'wh_old', url: 'https://receiver.example/hook', events: ['order.paid'] };

it.each<[string, StubAnswer, string]>([
	['201 without a secret', [201, { data: { ...OLD, id: 'wh_new' } }], 'wh_new cannot be used'],
	['201 with an empty secret', [201, { data: { id: 'wh_new', secret: '' } }], 'wh_new cannot'],
	['202 with nothing', [202], 'Look in the list of webhooks'],
	['{ "data": null }', [201, { data: null }], 'Look in the list of webhooks'],
	['200 with an error', [200, { error: { message: 'No more endpoints' } }], 'No more endpoints'],
])(
	'Recreate leaves the old endpoint alone when the new one is answered %s',
	async (_what, answer, says) => {
		const sent = stubApi({
			'GET /webhooks/wh_old': [[200, { data: OLD }]],
			'POST /webhooks': [answer],
			'DELETE *': [[204]],
		});
		const { items, error } = await runOperation('webhook.recreate', { webhookId: byId('wh_old') });
		expect(items).toEqual([]);
		expect(sent.map(({ route }) => route)).not.toContain('DELETE /webhooks/wh_old');
		expect(error?.description).toContain(says);
	},
);

describe('a list that fails on page 3', () => {
	const getAll = async (more = {}) => {
		stubApi({
			'GET /products': ({ query: { cursor = 'c1' } }) => {
				if (cursor === 'c3') return [400, { error: { message: 'Cursor expired' } }];
				const from = cursor === 'c1' ? 0 : 250;
				const data = Array.from({ length: 250 }, (_, at) => ({ id: `prod_${from + at}` }));
				const next_cursor = cursor === 'c1' ? 'c2' : 'c3';
				return [200, { data, pagination: { next_cursor, has_more: true } }];
			},
		});
		return await runOperation('product.getAll', { returnAll: true, simplify: false }, more);
	};

	it('gives with Continue On Fail what was fetched, then one error item with the cursor', async () => {
		const { items, json } = await getAll({ onError: 'continueRegularOutput' });
		expect(json).toHaveLength(501);
		expect(json[499].id).toBe('prod_499');
		const error = expect.any(String) as string;
		expect(json[500]).toMatchObject({ error, fetched: 500, cursor: 'c3' });
		for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
	});

	it('gives nothing without it, and does not claim that anything came out', async () => {
		const { items, error } = await getAll();
		expect(items).toEqual([]);
		expect(error?.description).toContain('come out only where On Error is set to continue');
		expect(error?.description).toContain('c3');
	});
});
