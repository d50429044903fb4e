import type { IDataObject } from 'n8n-workflow';

import {
	BASE_URL,
	type NodeRun,
	runOperation,
	stubApi,
	withLeastWaits,
} from '../../support/engine';

withLeastWaits();

const list = async (parameters: IDataObject, more?: Partial<NodeRun>) =>
	await runOperation('product.getAll', { simplify: false, ...parameters }, more);
const ALL = { returnAll: true };

const pagination = (next_cursor: string | null) => ({
	next_cursor,
	has_more: next_cursor !== null,
});

/** A list of `total` records, in pages of the requested size. */
const serve = (total: number) =>
	stubApi({
		'GET /products': ({ query: { cursor, limit } }) => {
			const start = Number(cursor?.slice(1) ?? 0);
			const end = Math.min(start + Number(limit), total);
			const data = Array.from({ length: end - start }, (_, n) => ({ id: `p${start + n}` }));
			return [200, { data, pagination: pagination(end < total ? `c${end}` : null) }];
		},
	});

describe('lists', () => {
	it.each([false, true])(
		'asks for pages of 250 with Return All, the filters unchanged, by RoutingNode: %s',
		async (routingNode) => {
			const sent = serve(1_001);
			const filters = { status: 'published', updated_since: '2026-01-31T22:00:00Z' };
			const { items } = await list({ ...ALL, filters }, { routingNode });
			expect(new Set(items.map(({ json }) => json.id)).size).toBe(1_001);
			for (const { pairedItem } of items) expect(pairedItem).toEqual({ item: 0 });
			const asked = {
				status: 'published',
				updated_since: '2026-01-31T22:00:00.000Z',
				limit: '250',
			};
			expect(sent.map(({ query }) => query)).toEqual([
				asked,
				...[250, 500, 750, 1_000].map((n) => ({ ...asked, cursor: `c${n}` })),
			]);
		},
	);

	it('adds metadata to every item when asked', async () => {
		const headers = {
			etag: '"v1"',
			'cache-control': 'private, max-age=60',
			'x-request-id': 'req_1',
			'x-ratelimit-limit': '100',
			'x-ratelimit-remaining': '98',
			'x-ratelimit-reset': '1',
		};
		stubApi({ 'GET /products': [[200, { data: [{ id: 'a' }] }, headers]] });
		const credentials = { baseUrl: BASE_URL, apiKey: 'metadata' };
		const { json } = await list({ requestOptions: { includeMetadata: true } }, { credentials });
		const rateLimit = { limit: 100, remaining: 98, limitDay: undefined, remainingDay: undefined };
		const said = { etag: '"v1"', cacheControl: 'private, max-age=60', requestId: 'req_1' };
		expect(json).toEqual([{ id: 'a', _meta: { ...said, status: 200, rateLimit } }]);
	});
});

describe('a Limit of orders that fails in mid-walk', () => {
	const fail = async (more: Partial<NodeRun> = {}) => {
		stubApi({
			'GET /orders': [[200, { data: [{ id: 'a' }], pagination: pagination('c1') }], [400]],
		});
		return await runOperation('order.getAll', { limit: 300 }, more);
	};

	it('names the sort that the node chose, since the cursor belongs to it', async () => {
		expect((await fail()).error?.description).toContain(
			"'Start Cursor' to “c1” and 'Sort' to updated_at, Descending.",
		);
	});

	it('can be continued with the values of its error item', async () => {
		const { json } = await fail({ onError: 'continueRegularOutput' });
		expect(json[1]).toMatchObject({
			errorDetails: { fetched: 1, cursor: 'c1', sort: 'updated_at:desc' },
		});
		const sent = stubApi({ 'GET /orders': [[200, { data: [{ id: 'b' }] }]] });
		const sort = { by: { field: 'updated_at', direction: 'desc' } };
		const parameters = { limit: 300, options: { sort, startCursor: 'c1' } };
		expect((await runOperation('order.getAll', parameters)).json).toEqual([{ id: 'b' }]);
		expect(sent[0].query).toEqual({ sort: 'updated_at:desc', limit: '250', cursor: 'c1' });
	});
});
