import { idsOf, type Page } from '../../../support/apiClient';
import { spokenPlatform, type Switches } from './spoken';

const shop = spokenPlatform();

type Body = Record<string, unknown>;
const post = (body: unknown) => ({ method: 'POST', body });
const CATEGORY = post({ name: 'Toys' });
const category = expect.objectContaining({ name: 'Toys', id: expect.stringMatching(/^cat_/) });

describe('recordBody', () => {
	it('is bare where the endpoint table names a record in words', async () => {
		const bare = { recordBody: 'bare' };
		expect(await shop.json({}, '/categories', CATEGORY)).toEqual({ data: category });
		expect(await shop.json(bare, '/categories', CATEGORY)).toEqual(category);
		expect(await shop.json(bare, '/account')).toMatchObject({ id: 'acct_local' });
	});

	it('is wrapped where the table shows it so', async () => {
		expect(await shop.json({ recordBody: 'bare' }, '/products', post({ title: 'Kite' }))).toEqual({
			data: expect.objectContaining({ title: 'Kite' }),
		});
	});
});

describe('createStatus', () => {
	it('is 201 or 200', async () => {
		expect((await shop.in({}, '/categories', CATEGORY)).status).toBe(201);
		expect((await shop.in({ createStatus: 'ok' }, '/categories', CATEGORY)).status).toBe(200);
		const job = post({ operations: [] });
		expect((await shop.in({ createStatus: 'ok' }, '/jobs/catalog-import', job)).status).toBe(200);
	});
});

describe('writeAnswer', () => {
	const create = async (writeAnswer: string) =>
		await shop.in({ writeAnswer }, '/products', post({ title: 'Kite' }));

	it.each([
		['empty', 201],
		['accepted', 202],
		['noContent', 204],
		['location', 201],
	])('%s has no body, and the write is done', async (writeAnswer, status) => {
		const { count } = await shop.platform.control.records('products');
		expect(await create(writeAnswer)).toMatchObject({ status, text: '' });
		expect(await shop.platform.control.records('products')).toEqual({ count: count + 1 });
	});

	it('location names the new record, and is 204 where nothing is made', async () => {
		const { headers } = await create('location');
		expect(headers.location).toMatch(/^\/v1\/products\/prod_\w+$/);
		const path = headers.location.slice('/v1'.length);
		expect(await shop.json({}, path)).toMatchObject({ data: { title: 'Kite' } });
		const patch = { method: 'PATCH', body: { title: 'New' } };
		expect((await shop.in({ writeAnswer: 'location' }, path, patch)).status).toBe(204);
	});

	it('never hides the secret of a new webhook endpoint', async () => {
		const webhook = post({ url: 'https://r.example/', events: ['order.paid'] });
		expect(await shop.json({ writeAnswer: 'noContent' }, '/webhooks', webhook)).toMatchObject({
			data: { secret: expect.any(String) },
		});
	});
});

describe('listBody', () => {
	it('is an array of the whole list where the endpoint table says "list"', async () => {
		for (const path of ['/categories?limit=1', '/inventory/levels?limit=1', '/webhooks']) {
			expect(await shop.json({}, path)).toMatchObject({ data: expect.any(Array) });
			expect(Array.isArray(await shop.json({ listBody: 'bare' }, path))).toBe(true);
		}
		const levels = await shop.json<Body[]>({ listBody: 'bare' }, '/inventory/levels?limit=1');
		expect(levels).toHaveLength((await shop.platform.control.records('inventory')).count);
		expect(await shop.json({ listBody: 'bare' }, '/orders')).toHaveProperty('pagination');
	});
});

describe('pagination', () => {
	const paginations = async (pagination: string) => {
		const first = await shop.json<Page>({ pagination }, '/products?limit=20');
		const cursor = encodeURIComponent(String(first.pagination.next_cursor));
		const last = await shop.json<Page>({ pagination }, `/products?limit=20&cursor=${cursor}`);
		return [first.pagination, last.pagination];
	};
	const next_cursor = expect.any(String);

	it.each([
		[
			'complete',
			[
				{ limit: 20, next_cursor, has_more: true },
				{ limit: 20, next_cursor: null, has_more: false },
			],
		],
		[
			'withoutHasMore',
			[
				{ limit: 20, next_cursor },
				{ limit: 20, next_cursor: null },
			],
		],
		['cursorOnly', [{ next_cursor }, {}]],
	])('is %s', async (pagination, expected) => {
		expect(await paginations(pagination)).toEqual(expected);
	});
});

/** All pages of a list, in a dialect. */
async function walked(dialect: Switches, path: string): Promise<Page[]> {
	await shop.in(dialect, '/account');
	return await shop.api.walk(path, 10);
}

describe('pageFill', () => {
	it('is full, short, or has empty pages between, with the same records', async () => {
		const full = await walked({}, '/products');
		expect(full.map(({ data }) => data.length)).toEqual([10, 10, 10]);
		const short = await walked({ pageFill: 'short' }, '/products');
		expect(short.map(({ data }) => data.length)).toEqual(Array(10).fill(3));
		const between = await walked({ pageFill: 'emptyBetween' }, '/products');
		expect(between.map(({ data }) => data.length)).toEqual([10, 0, 10, 0, 10]);
		expect(between[1].pagination).toMatchObject({ limit: 10, has_more: true });
		for (const pages of [short, between]) expect(idsOf(pages)).toEqual(idsOf(full));
	});
});

describe('cursors', () => {
	it('may hold any characters', async () => {
		const [first] = await walked({ cursors: 'anyCharacters' }, '/products');
		expect(first.pagination.next_cursor).toMatch(/^\+\/=&#% \?/);
		expect(idsOf(await shop.api.walk('/products', 10))).toEqual(
			idsOf(await walked({}, '/products')),
		);
	});
});

describe('listOrder', () => {
	it('is oldest or newest first, and the event stream keeps its order', async () => {
		const oldest = idsOf(await walked({}, '/orders'));
		expect(idsOf(await walked({ listOrder: 'newestFirst' }, '/orders'))).toEqual(oldest.reverse());
		const events = await shop.json({ listOrder: 'newestFirst' }, '/events?limit=3');
		expect(events).toEqual(await shop.json({}, '/events?limit=3'));
	});
});

describe('skuSearch', () => {
	it('is exact, or for any mention, or none', async () => {
		const { data } = await shop.json<{ data: Array<{ variants: Array<{ sku: string }> }> }>(
			{},
			'/products?limit=1',
		);
		const [{ sku }] = data[0].variants;
		const found = async (skuSearch: string, wanted: string) => {
			const path = `/products?sku=${encodeURIComponent(wanted)}`;
			return (await shop.json<{ data: unknown[] }>({ skuSearch }, path)).data.length;
		};
		expect(await found('exact', sku)).toBe(1);
		expect(await found('exact', sku.slice(0, -1))).toBe(0);
		expect(await found('words', sku.slice(0, -1))).toBeGreaterThan(0);
		expect(await found('ignored', 'no such SKU')).toBeGreaterThan(1);
	});
});

describe('limitTooLarge', () => {
	it('is refused or capped', async () => {
		expect((await shop.in({}, '/products?limit=251')).status).toBe(400);
		expect(await shop.json({ limitTooLarge: 'capped' }, '/products?limit=9999')).toMatchObject({
			pagination: { limit: 250 },
		});
		expect((await shop.in({ limitTooLarge: 'capped' }, '/products?limit=0')).status).toBe(400);
	});
});

describe('wholeCatalog', () => {
	it('is capped or rejected without limit, cursor and filter', async () => {
		const rejected = { wholeCatalog: 'rejected' };
		expect((await shop.in({}, '/products')).status).toBe(200);
		expect((await shop.in(rejected, '/products')).status).toBe(422);
		expect((await shop.in(rejected, '/products?limit=5')).status).toBe(200);
		expect((await shop.in(rejected, '/orders')).status).toBe(200);
	});
});

describe('unknownParameters', () => {
	const statuses = async (dialect: Switches) => {
		const paths = ['/orders?colour=red', '/customers?q=a', '/inventory/levels?limit=1'];
		const asked = [];
		for (const path of paths) asked.push((await shop.in(dialect, path)).status);
		return asked;
	};

	it('are refused, refused by the row of each list, or ignored', async () => {
		expect(await statuses({})).toEqual([400, 200, 200]);
		expect(await statuses({ unknownParameters: 'asTables' })).toEqual([400, 400, 400]);
		expect(await statuses({ unknownParameters: 'ignored' })).toEqual([200, 200, 200]);
	});

	it('never let an offset through', async () => {
		for (const unknownParameters of ['refused', 'asTables', 'ignored']) {
			expect((await shop.in({ unknownParameters }, '/orders?offset=5')).status).toBe(400);
		}
	});

	it('give a list whole whose row names no cursor', async () => {
		const { count } = await shop.platform.control.records('inventory');
		const levels = await shop.json<Page>({ unknownParameters: 'asTables' }, '/inventory/levels');
		expect(levels.data).toHaveLength(count);
		expect(levels.pagination).toMatchObject({ next_cursor: null, has_more: false });
	});
});

describe('webhookList', () => {
	it('takes no query, or is paged', async () => {
		for (const n of [1, 2, 3]) {
			const webhook = post({ url: `https://r.example/${n}`, events: ['order.paid'] });
			await shop.api.send('/webhooks', webhook);
		}
		expect((await shop.in({}, '/webhooks?limit=2')).status).toBe(400);
		expect((await shop.json<Page>({}, '/webhooks')).data).toHaveLength(3);
		const paged = await shop.json<Page>({ webhookList: 'paged' }, '/webhooks?limit=2');
		expect(paged).toMatchObject({ data: { length: 2 }, pagination: { has_more: true } });
	});
});
