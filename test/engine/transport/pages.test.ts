import nock from 'nock';

import { runNode } from '../../support/engine/runNode';
import { ORIGIN } from '../../support/testShop';
import { byId } from '../../support/parameters';

const products = { resource: 'product', operation: 'getAll', simplify: false };

beforeAll(() => nock.disableNetConnect());
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	nock.cleanAll();
});
afterAll(() => nock.restore());

/** A list of `total` records, cut into pages as asked. */
function serve(total: number) {
	const queries: Array<Record<string, string>> = [];
	nock(ORIGIN)
		.get('/v1/products')
		.query(true)
		.times(5_000)
		.reply((uri) => {
			const query = Object.fromEntries(new URL(uri, ORIGIN).searchParams);
			queries.push(query);
			const start = Number(query.cursor?.slice(1) ?? 0);
			const limit = Number(query.limit);
			const data = Array.from({ length: Math.max(0, Math.min(limit, total - start)) }, (_, n) => ({
				id: `p${start + n}`,
			}));
			const end = start + data.length;
			return [
				200,
				{
					data,
					pagination: { limit, next_cursor: end < total ? `c${end}` : null, has_more: end < total },
				},
			];
		});
	return queries;
}

describe('lists', () => {
	it('asks for pages of 250 with Return All', async () => {
		const queries = serve(1_001);
		const { items } = await runNode({ parameters: { ...products, returnAll: true } });
		expect(items).toHaveLength(1_001);
		expect(queries.map(({ limit }) => limit)).toEqual(['250', '250', '250', '250', '250']);
	});

	it.each([1, 25, 250, 251, 600])('asks for no more than a limit of %d', async (limit) => {
		const queries = serve(1_001);
		const { items } = await runNode({ parameters: { ...products, limit } });
		expect(items).toHaveLength(limit);
		expect(queries.reduce((sum, query) => sum + Number(query.limit), 0)).toBe(limit);
	});

	it.each([0, -1, 1.5, 'many', null])(
		'refuses a limit of %j before anything is sent',
		async (limit) => {
			const queries = serve(10);
			const { error } = await runNode({ parameters: { ...products, limit } });
			expect(error?.message).toContain('Limit');
			expect(queries).toHaveLength(0);
		},
	);

	it('gives a page an item with Output: Pages, up to Max Pages', async () => {
		serve(1_001);
		const { items } = await runNode({
			parameters: { ...products, returnAll: true, options: { output: 'pages', maxPages: 2 } },
		});
		expect(items).toHaveLength(2);
		expect(items[1].json).toMatchObject({ pagination: { next_cursor: 'c500', has_more: true } });
		expect(items[1].json.data).toHaveLength(250);
	});

	it('goes on from a Start Cursor', async () => {
		serve(1_001);
		const { items } = await runNode({
			parameters: { ...products, returnAll: true, options: { startCursor: 'c1000' } },
		});
		expect(items.map(({ json }) => json.id)).toEqual(['p1000']);
	});

	it('refuses a Start Cursor that is not text, rather than begin at the beginning', async () => {
		const { error } = await runNode({
			parameters: { ...products, options: { startCursor: { next: 'c1000' } } },
		});
		expect(error?.message).toContain('“Start Cursor” must be text');
	});

	it('adds metadata to every item when asked', async () => {
		nock(ORIGIN)
			.get('/v1/products?limit=50')
			.reply(
				200,
				{ data: [{ id: 'a' }] },
				{
					etag: '"v1"',
					'cache-control': 'private, max-age=60',
					'x-request-id': 'req_1',
					'x-ratelimit-limit': '100',
					'x-ratelimit-remaining': '98',
					'x-ratelimit-reset': '1',
				},
			);
		const { items } = await runNode({
			parameters: { ...products, options: { includeMetadata: true } },
			credentials: { baseUrl: `${ORIGIN}/v1`, apiKey: 'metadata' },
		});
		expect(items[0].json).toEqual({
			id: 'a',
			_meta: {
				etag: '"v1"',
				cacheControl: 'private, max-age=60',
				requestId: 'req_1',
				status: 200,
				rateLimit: { limit: 100, remaining: 98, limitDay: undefined, remainingDay: undefined },
			},
		});
	});

	it.each([
		[
			'a cursor that repeats',
			{ data: [{ id: 'a' }], pagination: { next_cursor: 'same', has_more: true } },
			'had sent before',
		],
		[
			'has_more without a cursor',
			{ data: [], pagination: { next_cursor: null, has_more: true } },
			'no cursor',
		],
		['a page without a list', { data: 'x' }, 'no list'],
	])('ends with a clear error on %s', async (_name, body, words) => {
		nock(ORIGIN).get('/v1/products').query(true).times(10).reply(200, body);
		const { error } = await runNode({ parameters: { ...products, returnAll: true } });
		expect(error?.message).toBe('The list could not be read to its end');
		expect(error?.description).toContain(words);
	});

	it('ends a list of empty pages', async () => {
		let page = 0;
		nock(ORIGIN)
			.get('/v1/products')
			.query(true)
			.times(1_000)
			.reply(() => [200, { data: [], pagination: { next_cursor: `c${page++}`, has_more: true } }]);
		const { error } = await runNode({ parameters: { ...products, returnAll: true } });
		expect(error?.description).toContain('pages in a row without a new record');
	});

	it('names the records fetched and the cursor when it fails in mid-walk', async () => {
		nock(ORIGIN)
			.get('/v1/products?limit=250')
			.reply(200, {
				data: [{ id: 'a' }, { id: 'b' }],
				pagination: { next_cursor: 'c2', has_more: true },
			})
			.get('/v1/products?limit=250&cursor=c2')
			.reply(400, {});
		const { error } = await runNode({ parameters: { ...products, returnAll: true } });
		expect(error?.description).toContain('2 records had been fetched');
		expect(error?.description).toContain('“Start Cursor” to “c2”');
	});
});

describe('a Limit of orders that fails in mid-walk', () => {
	const newest = { resource: 'order', operation: 'getAll', limit: 300 };
	const fail = () =>
		nock(ORIGIN)
			.get('/v1/orders?sort=updated_at%3Adesc&limit=250')
			.reply(200, { data: [{ id: 'a' }], pagination: { next_cursor: 'c1', has_more: true } })
			.get('/v1/orders?sort=updated_at%3Adesc&limit=250&cursor=c1')
			.reply(400, {});

	it('names the sort that the node has chosen, to which the cursor belongs', async () => {
		fail();
		const { error } = await runNode({ parameters: newest });
		expect(error?.description).toContain(
			'“Start Cursor” to “c1” and the filter “Sort” to updated_at, Descending.',
		);
	});

	it('can be gone on with by what its error item says', async () => {
		fail();
		const { items } = await runNode({ parameters: newest, onError: 'continueRegularOutput' });
		expect(items[1].json).toMatchObject({ fetched: 1, cursor: 'c1', sort: 'updated_at:desc' });
		nock(ORIGIN)
			.get('/v1/orders?sort=updated_at%3Adesc&limit=250&cursor=c1')
			.reply(200, { data: [{ id: 'b' }] });
		const sort = { by: { field: 'updated_at', direction: 'desc' } };
		const rest = await runNode({
			parameters: { ...newest, filters: { sort }, options: { startCursor: 'c1' } },
		});
		expect(rest.items.map(({ json }) => json.id)).toEqual(['b']);
	});
});

describe('conditional reads', () => {
	it('says notModified when the ETag is still current', async () => {
		nock(ORIGIN, { reqheaders: { 'if-none-match': '"v1"' } })
			.get('/v1/orders/ord_1')
			.reply(304, '', { etag: '"v1"' });
		const { items } = await runNode({
			parameters: {
				resource: 'order',
				operation: 'get',
				orderId: byId('ord_1'),
				options: { includeMetadata: true },
				requests: { ifNoneMatch: '"v1"' },
			},
		});
		expect(items[0].json).toMatchObject({
			notModified: true,
			id: 'ord_1',
			_meta: { etag: '"v1"', status: 304 },
		});
	});
});
