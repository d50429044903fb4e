import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { useShop, type Fixtures, type Shop } from './shop';

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});
afterEach(async () => await shop.platform.control.configure({ dialect: 'default' }));

const requests = async () =>
	(await shop.platform.control.requests()).map(({ method, target }) => `${method} ${target}`);

const get = (resource: 'order' | 'customer', value: IDataObject | string): IDataObject => ({
	resource,
	operation: 'get',
	[`${resource}Id`]: value,
	simplify: false,
});

describe.each(['default', 'contrary'] as const)(
	'an order by its number, in the dialect %s',
	(dialect) => {
		beforeEach(async () => await shop.platform.control.configure({ dialect }));

		it.each(['', '#', '# '])('is found when the number is entered with “%s”', async (before) => {
			const { number } = await shop.read(`/orders/${fixtures.order}`);
			const { items, error } = await shop.run(
				get('order', byMode('number', `${before}${String(number)}`)),
			);
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ json: { id: fixtures.order, number } }]);
		});

		it('is written to by every operation that takes an order', async () => {
			const { number } = await shop.read(`/orders/${fixtures.order}`);
			const { items } = await shop.run({
				resource: 'order',
				operation: 'update',
				orderId: byMode('number', `#${String(number)}`),
				updateFields: { merchant_note: 'By number' },
			});
			expect(items).toHaveLength(1);
			const written = await shop.read(`/orders/${fixtures.order}`);
			expect(written.merchant_note).toBe('By number');
		});

		it('is refused where no order has exactly this number', async () => {
			const { number } = await shop.read(`/orders/${fixtures.order}`);
			await shop.platform.control.resetCounters();
			const { error } = await shop.run(get('order', byMode('number', String(number).slice(0, -1))));
			expect(error?.message).toMatch(/^“Order” with the number “\d+” was not found$/);
			expect((await requests()).filter((one) => !one.startsWith('GET /v1/orders?'))).toEqual([]);
		});
	},
);

describe('a customer by e-mail', () => {
	const emailOf = async (id: string) => String((await shop.read(`/customers/${id}`)).email);

	it('is found in any case of letters, by the platform’s search', async () => {
		const email = await emailOf(fixtures.customer);
		await shop.platform.control.resetCounters();
		const { items } = await shop.run(get('customer', byMode('email', ` ${email.toUpperCase()} `)));
		expect(items[0].json.id).toBe(fixtures.customer);
		expect(await requests()).toHaveLength(2);
	});

	it('is what the filter Email of Get Many gives', async () => {
		const email = await emailOf(fixtures.customer);
		const many = { resource: 'customer', operation: 'getAll', simplify: false };
		const found = await shop.run({ ...many, filters: { email } });
		expect(found.items.map(({ json }) => json.id)).toEqual([fixtures.customer]);
		const none = await shop.run({ ...many, filters: { email: 'nobody@nowhere.example' } });
		expect([none.error, none.items]).toEqual([undefined, []]);
	});

	it.each<[string, IDataObject, IDataObject, IDataObject?]>([
		['Updated Since', { updated_since: '2030-01-01T00:00:00Z' }, {}],
		[
			'Further Query Parameters',
			{},
			{ furtherQuery: { parameter: [{ name: 'status', value: 'vip' }] } },
		],
		['Include Response Metadata', {}, { includeMetadata: true }],
		['Known ETag', {}, {}, { ifNoneMatch: '"1"' }],
		['Max Pages', {}, { maxPages: 2 }],
		['Page Size', {}, {}, { pageSize: 50 }],
		['Start Cursor', {}, { startCursor: 'abc' }],
	])(
		'is not searched together with %s, which would not count',
		async (label, filters, options, settings = {}) => {
			await shop.platform.control.resetCounters();
			const { error } = await shop.run({
				resource: 'customer',
				operation: 'getAll',
				filters: { email: 'a@b.example', ...filters },
				options,
				requests: settings,
			});
			expect(error?.message).toBe(`“Email” cannot be combined with “${label}”`);
			expect(await requests()).toEqual([]);
		},
	);

	it('is searched with the options that count, and with those that were emptied again', async () => {
		const email = await emailOf(fixtures.customer);
		const { items } = await shop.run({
			resource: 'customer',
			operation: 'getAll',
			returnAll: true,
			filters: { email, updated_since: '' },
			requests: { maxRetryWait: 5 },
			options: {
				output: 'pages',
				includeMetadata: false,
				startCursor: '',
				furtherQuery: { parameter: [] },
			},
		});
		expect(items).toMatchObject([{ json: { data: [{ id: fixtures.customer }] } }]);
	});

	it('is no filter where it was added and left empty by hand', async () => {
		const { items } = await shop.run({
			resource: 'customer',
			operation: 'getAll',
			limit: 2,
			filters: { email: '' },
		});
		expect(items).toHaveLength(2);
	});

	it('is refused where two have the address', async () => {
		const email = await emailOf(fixtures.customer);
		await shop.post('/customers', { email });
		const { error } = await shop.run(get('customer', byMode('email', email)));
		expect(error?.message).toBe(`“Customer” with the email “${email}” names 2 records`);
	});
});

describe('a Limit of orders', () => {
	const many = (more: IDataObject): IDataObject => ({
		resource: 'order',
		operation: 'getAll',
		limit: 3,
		...more,
	});
	const sorts = async () =>
		(await requests()).map((one) => /sort=([^&]+)/.exec(one)?.[1].replace('%3A', ':'));

	it.each<[string, IDataObject, Array<string | undefined>]>([
		['gives those that changed last', {}, ['updated_at:desc']],
		[
			'keeps the sort of its own',
			{ filters: { sort: { by: { field: 'created_at', direction: 'asc' } } } },
			['created_at:asc'],
		],
		[
			'is another thing than Return All, which keeps the platform’s order',
			{ returnAll: true },
			[undefined],
		],
	])('%s', async (_name, more, sent) => {
		const { items, error } = await shop.run(many(more));
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThanOrEqual(3);
		expect(await sorts()).toEqual(sent);
	});

	it.each([
		['Limit', { limit: 4 }, { returnAll: true }],
		['Return All', { returnAll: true }, { limit: 250 }],
	])('gives pages of %s whose cursors lead on with either setting', async (_name, first, then) => {
		const all = await shop.run(many({ returnAll: true }));
		const pages = { output: 'pages', maxPages: 2 };
		const requests = { pageSize: 2 };
		const begun = await shop.run(many({ ...first, options: pages, requests }));
		const cursor = (begun.items[0].json.pagination as IDataObject).next_cursor;
		const rest = await shop.run(many({ ...then, options: { startCursor: cursor } }));
		const ids = [begun.items[0].json.data as IDataObject[], rest.items.map(({ json }) => json)];
		expect(ids.flat().map(({ id }) => id)).toEqual(all.items.map(({ json }) => json.id));
		expect(await sorts()).not.toContain('updated_at:desc');
	});

	it('does without the sort where the platform refuses it, but not without the user’s', async () => {
		await shop.platform.control.configure({ dialect: { sort: 'refused' } });
		expect((await shop.run(many({}))).items).toHaveLength(3);
		expect(await sorts()).toEqual(['updated_at:desc', undefined]);
		const sort = { by: { field: 'updated_at', direction: 'desc' } };
		expect((await shop.run(many({ filters: { sort } }))).error?.message).toContain('refused');
	});

	it('takes a status that the node does not know', async () => {
		await shop.run(many({ filters: { status: 'created' } }));
		expect((await requests())[0]).toContain('status=created');
	});
});

it('names a record in the list by its ID as before', async () => {
	const { items } = await shop.run(get('order', byId(fixtures.order)));
	expect(items[0].json.id).toBe(fixtures.order);
});
