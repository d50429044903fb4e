import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { API_KEY, ORIGIN } from '../../support/testShop';
import { byId } from '../../support/parameters';

const getOrder = (orderId: string) => ({
	resource: 'order',
	operation: 'get',
	orderId: byId(orderId),
});

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

describe.each([
	['its own engine', false],
	['n8n’s RoutingNode', true],
])('by %s', (_name, routingNode) => {
	it('gets one record, authenticated, linked to its input item', async () => {
		nock(ORIGIN, {
			reqheaders: { authorization: `Bearer ${API_KEY}`, accept: 'application/json' },
		})
			.get('/v1/orders/ord_1')
			.reply(200, { data: { id: 'ord_1', status: 'paid' } });
		const { items, error } = await runNode({ parameters: getOrder('ord_1'), routingNode });
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: { id: 'ord_1', status: 'paid' }, pairedItem: { item: 0 } }]);
	});

	it('sends a body and an Idempotency-Key with a write', async () => {
		const keys: string[] = [];
		nock(ORIGIN)
			.patch('/v1/orders/ord_1', { merchant_note: 'Hello' })
			.reply(function () {
				keys.push(String(this.req.headers['idempotency-key']));
				return [200, { data: { id: 'ord_1', merchant_note: 'Hello' } }];
			});
		const { items, error } = await runNode({
			parameters: {
				...getOrder('ord_1'),
				operation: 'update',
				updateFields: { merchant_note: 'Hello' },
			},
			routingNode,
		});
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ id: 'ord_1', merchant_note: 'Hello' });
		expect(keys[0]).toMatch(/^[\w-]{43}$/);
	});

	it('walks a list by cursor with unchanged filters', async () => {
		nock(ORIGIN)
			.get('/v1/products')
			.query({ status: 'published', updated_since: '2026-01-31T22:00:00.000Z', limit: 250 })
			.reply(200, {
				data: [{ id: 'a' }, { id: 'b' }],
				pagination: { limit: 250, next_cursor: 'x/=?', has_more: true },
			})
			.get('/v1/products')
			.query({
				status: 'published',
				updated_since: '2026-01-31T22:00:00.000Z',
				limit: 250,
				cursor: 'x/=?',
			})
			.reply(200, {
				data: [{ id: 'c' }],
				pagination: { limit: 250, next_cursor: null, has_more: false },
			});
		const { items, error } = await runNode({
			parameters: {
				resource: 'product',
				operation: 'getAll',
				returnAll: true,
				filters: { status: 'published', updated_since: '2026-01-31T22:00:00Z' },
			},
			routingNode,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual(['a', 'b', 'c']);
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	});
});
