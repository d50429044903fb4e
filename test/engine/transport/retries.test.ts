import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { ORIGIN } from '../../support/testShop';
import { byId } from '../../support/parameters';

const order = {
	resource: 'order',
	operation: 'get',
	orderId: byId('={{ $json.id }}'),
};
const note = { ...order, operation: 'update', updateFields: { merchant_note: 'Hi' } };
const found = { data: { id: 'ord_1' } };

beforeAll(() => nock.disableNetConnect());
// The waits between attempts have full jitter: with this every wait is its least.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	nock.cleanAll();
});
afterAll(() => nock.restore());

describe('retries', () => {
	it.each([408, 429, 500, 502, 503, 504])('tries again after %d', async (status) => {
		nock(ORIGIN)
			.get('/v1/orders/ord_1')
			.reply(status, {})
			.get('/v1/orders/ord_1')
			.reply(200, found);
		const { items, error } = await runNode({ parameters: order, items: [{ id: 'ord_1' }] });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	it.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'])(
		'tries again after %s',
		async (code) => {
			nock(ORIGIN)
				.get('/v1/orders/ord_1')
				.replyWithError(Object.assign(new Error(code), { code }))
				.get('/v1/orders/ord_1')
				.reply(200, found);
			const { items, error } = await runNode({ parameters: order, items: [{ id: 'ord_1' }] });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
		},
	);

	it('tries again after JSON that was cut off', async () => {
		const json = { 'content-type': 'application/json' };
		nock(ORIGIN)
			.get('/v1/orders/ord_1')
			.reply(200, '{"data":{"id"', json)
			.get('/v1/orders/ord_1')
			.reply(200, found);
		expect((await runNode({ parameters: order, items: [{ id: 'ord_1' }] })).items).toHaveLength(1);
	});

	it('sends the same Idempotency-Key and the same bytes on every attempt', async () => {
		const seen: string[] = [];
		const record = function (
			this: { req: { headers: Record<string, string> } },
			_uri: string,
			body: unknown,
		) {
			seen.push(`${this.req.headers['idempotency-key']} ${JSON.stringify(body)}`);
			return seen.length < 4 ? [503, {}] : [200, found];
		};
		nock(ORIGIN)
			.patch('/v1/orders/ord_1')
			.times(4)
			.reply(record as never);
		const { error } = await runNode({ parameters: note, items: [{ id: 'ord_1' }] });
		expect(error).toBeUndefined();
		expect(seen).toHaveLength(4);
		expect(new Set(seen).size).toBe(1);
	});

	it('keeps the Idempotency-Key when n8n runs the node again, and only then', async () => {
		const keys: string[] = [];
		const record = function (this: { req: { headers: Record<string, string> } }) {
			keys.push(this.req.headers['idempotency-key']);
			// 400 is final for the transport, so the second request is n8n's own Retry On Fail.
			return keys.length === 1 ? [400, {}] : [200, found];
		};
		nock(ORIGIN)
			.patch('/v1/orders/ord_1')
			.times(9)
			.reply(record as never);
		const run = { parameters: note, items: [{ id: 'ord_1' }] };
		await runNode({ ...run, retryOnFail: { maxTries: 2 } });
		expect(keys).toHaveLength(2);
		expect(keys[1]).toBe(keys[0]);
		await runNode({ ...run, executionId: 'another' });
		await runNode({ ...run, workflowId: 'another' });
		await runNode({ ...run, nodeId: 'another' });
		expect(new Set(keys).size).toBe(4);
	});

	it('asks for no write again that was done before n8n ran the node again', async () => {
		const sent: string[] = [];
		const record = function (this: { req: { path: string } }) {
			const { path } = this.req;
			sent.push(path);
			const isFirst = sent.filter((one) => one === path).length === 1;
			return path.endsWith('ord_2') && isFirst ? [400, {}] : [200, { data: { path } }];
		};
		nock(ORIGIN)
			.persist()
			.patch(/.*/)
			.reply(record as never);
		const { items, error } = await runNode({
			parameters: { ...note, requests: { maxRequestsAtOnce: 1 } },
			items: [{ id: 'ord_1' }, { id: 'ord_2' }, { id: 'ord_3' }],
			retryOnFail: { maxTries: 2 },
		});
		expect(error).toBeUndefined();
		const paths = ['ord_1', 'ord_2', 'ord_3'].map((id) => `/v1/orders/${id}`);
		expect(items.map(({ json }) => json.path)).toEqual(paths);
		expect(sent).toEqual([paths[0], paths[1], paths[1], paths[2]]);
	});

	it.each([true, false])(
		'gives every call of an AI tool a key of its own (by RoutingNode: %s)',
		async (routingNode) => {
			const keys: string[] = [];
			nock(ORIGIN)
				.patch('/v1/orders/ord_1')
				.times(3)
				.reply(function () {
					keys.push(String(this.req.headers['idempotency-key']));
					return keys.length === 1 ? [503, {}] : [200, found];
				});
			const call = {
				parameters: note,
				items: [{ id: 'ord_1' }],
				typeName: 'test.nodeTool',
				routingNode,
			};
			expect((await runNode(call)).error).toBeUndefined();
			expect((await runNode(call)).error).toBeUndefined();
			expect(keys).toHaveLength(3);
			expect(keys[1]).toBe(keys[0]);
			expect(keys[2]).not.toBe(keys[0]);
		},
	);

	it('gives every item a key of its own', async () => {
		const keys = new Set<string>();
		nock(ORIGIN)
			.patch('/v1/orders/ord_1')
			.times(5)
			.reply(function () {
				keys.add(String(this.req.headers['idempotency-key']));
				return [200, found];
			});
		await runNode({ parameters: note, items: Array.from({ length: 5 }, () => ({ id: 'ord_1' })) });
		expect(keys.size).toBe(5);
	});

	it('sends the user’s own key, and refuses one that cannot be a header', async () => {
		nock(ORIGIN, { reqheaders: { 'idempotency-key': 'my-key 1' } })
			.patch('/v1/orders/ord_1')
			.reply(200, found);
		const items = [{ id: 'ord_1' }];
		expect(
			(await runNode({ parameters: { ...note, options: { idempotencyKey: 'my-key 1' } }, items }))
				.error,
		).toBeUndefined();
		nock(ORIGIN, { reqheaders: { 'idempotency-key': '1001' } })
			.patch('/v1/orders/ord_1')
			.reply(200, found);
		expect(
			(await runNode({ parameters: { ...note, options: { idempotencyKey: 1001 } }, items })).error,
		).toBeUndefined();
		for (const idempotencyKey of ['a\r\nX-Evil: 1', 'é', 'x'.repeat(256), { a: 1 }, true]) {
			const { error } = await runNode({
				parameters: { ...note, options: { idempotencyKey } },
				items,
			});
			expect(error?.message).toContain('Idempotency Key');
		}
	});

	it('takes a 404 for a delete that went through before its answer was lost', async () => {
		nock(ORIGIN)
			.delete('/v1/products/prod_1')
			.replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
			.delete('/v1/products/prod_1')
			.reply(404, {});
		const productId = byId('prod_1');
		const { items, error } = await runNode({
			parameters: { resource: 'product', operation: 'delete', productId },
		});
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ deleted: true, id: 'prod_1' });
	});

	it('fails at once when Retry-After is beyond the bound, and says when it can go on', async () => {
		nock(ORIGIN).get('/v1/orders/ord_1').reply(429, {}, { 'retry-after': '3600' });
		const { error } = await runNode({
			parameters: order,
			items: [{ id: 'ord_1' }],
			credentials: { baseUrl: `${ORIGIN}/v1`, apiKey: 'spent-for-an-hour' },
		});
		expect(error?.failure).toMatchObject({ cause: 'rate-limited', retryAfterMs: 3_600_000 });
		expect(error?.description).toMatch(/It can go on in \d+ (s|min|h) \(\d\d:\d\d UTC\)/);
	});

	it('declares a spent day as an exhausted quota', async () => {
		nock(ORIGIN).get('/v1/orders/ord_1').reply(
			429,
			{},
			{
				'retry-after': '7200',
				'x-ratelimit-limit-day': '20000',
				'x-ratelimit-remaining-day': '0',
			},
		);
		const { error } = await runNode({
			parameters: order,
			items: [{ id: 'ord_1' }],
			credentials: { baseUrl: `${ORIGIN}/v1`, apiKey: 'spent-for-today' },
		});
		expect(error?.failure).toMatchObject({ cause: 'quota-exhausted' });
		expect(error?.message).toContain('spent for today');
	});

	it('stops cleanly to keep a share of the day’s budget', async () => {
		const day = (left: number) => ({
			'x-ratelimit-limit-day': '100',
			'x-ratelimit-remaining-day': String(left),
		});
		let left = 30;
		nock(ORIGIN)
			.get('/v1/orders/ord_1')
			.times(99)
			.reply(() => [200, found, day(--left)]);
		const { error } = await runNode({
			parameters: { ...order, requests: { keepDailyBudget: 20, maxRequestsAtOnce: 1 } },
			items: Array.from({ length: 50 }, () => ({ id: 'ord_1' })),
			credentials: { baseUrl: `${ORIGIN}/v1`, apiKey: 'keeps-some' },
		});
		expect(error?.failure).toMatchObject({ cause: 'quota-exhausted' });
		expect(error?.description).toContain('of 50 items were done');
		expect(left).toBe(19);
	});

	it('ends every wait at once when the execution is cancelled', async () => {
		nock(ORIGIN).get('/v1/orders/ord_1').reply(429, {}, { 'retry-after': '60' });
		const startedMs = Date.now();
		await runNode({
			parameters: order,
			items: [{ id: 'ord_1' }],
			credentials: { baseUrl: `${ORIGIN}/v1`, apiKey: 'cancelled' },
			onStart: ({ cancel }) => setTimeout(cancel, 150),
		}).catch(() => undefined);
		expect(Date.now() - startedMs).toBeLessThan(1_000);
	});
});
