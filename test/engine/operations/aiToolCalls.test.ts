import type { IDataObject } from 'n8n-workflow';

import { callTool } from '../../support/engine/callTool';
import { byId } from '../../support/parameters';
import { useShop, type Fixtures, type Shop } from './shop';

/** As the editor writes it for "Let the model define this parameter". */
const fromAi = (key: string, type = 'string'): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${type}') }}`;

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

const call = async (parameters: IDataObject, args: IDataObject): Promise<string> =>
	await callTool({
		parameters,
		args,
		credentials: { baseUrl: shop.platform.baseUrl, apiKey: shop.platform.apiKey },
	});

const writes = async () =>
	(await shop.platform.control.requests()).filter(({ method }) => method !== 'GET');

const noteOrder = {
	resource: 'order',
	operation: 'update',
	orderId: byId(fromAi('Order')),
	updateFields: { merchant_note: fromAi('Merchant_Note') },
};

describe('a tool that a model calls', () => {
	it('lists records by filters and a date that the model chose', async () => {
		const listed = await call(
			{
				resource: 'order',
				operation: 'getAll',
				limit: fromAi('Limit', 'number'),
				filters: { status: fromAi('Status'), updated_since: fromAi('Updated_Since') },
			},
			{ Limit: 2, Status: 'paid', Updated_Since: '2020-01-01T00:00:00Z' },
		);
		expect(JSON.parse(listed)).toHaveLength(2);
		const [{ target }] = await shop.platform.control.requests();
		const query = new URL(target, 'http://shop').searchParams;
		expect(query.get('status')).toBe('paid');
		expect(query.get('updated_since')).toBe('2020-01-01T00:00:00.000Z');
	});

	it('takes a filter that the model leaves empty for none, since it cannot remove one', async () => {
		const filters = { status: fromAi('Status'), updated_since: fromAi('Updated_Since') };
		const listed = await call(
			{ resource: 'order', operation: 'getAll', limit: 2, filters },
			{ Status: '', Updated_Since: '' },
		);
		expect(JSON.parse(listed)).toHaveLength(2);
	});

	it('lists few, short records where nothing is said', async () => {
		const listed = await call({ resource: 'order', operation: 'getAll' }, {});
		const records = JSON.parse(listed) as IDataObject[];
		expect(records).toHaveLength(10);
		expect(records[0]).not.toHaveProperty('line_items');
	});

	it('lists products in short where nothing is said', async () => {
		const listed = await call({ resource: 'product', operation: 'getAll' }, {});
		const [product] = JSON.parse(listed) as IDataObject[];
		expect(product).toMatchObject({
			title: expect.any(String),
			variants: [{ sku: fixtures.sku }],
		});
		expect(product).not.toHaveProperty('description');
		expect(product).not.toHaveProperty('created_at');
	});

	it('writes to the record that the model named', async () => {
		const answer = await call(noteOrder, { Order: fixtures.order, Merchant_Note: 'Gift wrap' });
		expect(answer).toContain('Gift wrap');
	});

	it('fills a collection from what the model says', async () => {
		await call(
			{
				resource: 'order',
				operation: 'fulfill',
				specifyItems: 'defineBelow',
				orderId: byId(fromAi('Order')),
				items: {
					item: [{ line_item_id: fromAi('Line_Item_ID'), quantity: fromAi('Quantity', 'number') }],
				},
			},
			{ Order: fixtures.order, Line_Item_ID: 'li_unknown', Quantity: 1 },
		);
		const [{ body }] = await writes();
		expect(JSON.parse(body ?? '')).toEqual({
			items: [{ line_item_id: 'li_unknown', quantity: 1 }],
		});
	});

	it('tells the model that there is no such record, and what to check', async () => {
		const answer = await call(noteOrder, { Order: 'ord_unknown', Merchant_Note: 'x' });
		expect(answer).toContain('The order “ord_unknown” was not found');
		expect(answer).toContain('Check the ID.');
	});

	it('says all of that in the message, since an agent passes nothing else on', async () => {
		const answer = await call(noteOrder, { Order: 'ord_unknown', Merchant_Note: 'x' });
		expect(answer).not.toContain('Details:');
	});

	it.each([[''], [' '], ['..']])('sends nothing for the id “%s”, and asks for one', async (id) => {
		const answer = await call(noteOrder, { Order: id, Merchant_Note: 'x' });
		expect(answer).toMatch(/is empty|is not an id/);
		expect(answer).toContain('Nothing was sent.');
		expect(await shop.platform.control.requests()).toEqual([]);
	});

	it.each([['*'], ['all'], ['ord_1/cancel'], ['ord_1?status=paid']])(
		'takes “%s” for the id of one order and no other thing',
		async (id) => {
			const answer = await call(noteOrder, { Order: id, Merchant_Note: 'x' });
			expect(answer).toContain('was not found');
			const [{ target }] = await shop.platform.control.requests();
			expect(target).toBe(`/v1/orders/${encodeURIComponent(id)}`);
		},
	);

	it('is not called at all where the model leaves the id out', async () => {
		expect(await call(noteOrder, { Merchant_Note: 'x' })).toMatch(/^Not called: /);
		expect(await shop.platform.control.requests()).toEqual([]);
	});

	it('tells the model why the platform refused', async () => {
		const cancel = { resource: 'order', operation: 'cancel', orderId: byId(fromAi('Order')) };
		await call(cancel, { Order: fixtures.order });
		const answer = await call(cancel, { Order: fixtures.order });
		expect(answer).toMatch(/INVALID_STATE_TRANSITION/);
		expect(answer).toMatch(/cancelled/);
	});

	it('does the same write twice where the model calls twice', async () => {
		const adjust = {
			resource: 'inventory',
			operation: 'adjust',
			sku: fromAi('SKU'),
			locationId: 'sloc_main',
			delta: fromAi('Delta', 'number'),
			reason: 'Damaged',
		};
		for (let i = 0; i < 2; i++) await call(adjust, { SKU: fixtures.sku, Delta: -1 });
		expect(await writes()).toHaveLength(2);
		const keys = (await writes()).map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(2);
	});

	it('tells the model which field holds no date, and what one looks like', async () => {
		const answer = await call(
			{
				resource: 'order',
				operation: 'getAll',
				filters: { updated_since: fromAi('Updated_Since') },
			},
			{ Updated_Since: 'last week' },
		);
		expect(answer).toContain('“Updated Since” is not a date');
		expect(answer).toContain('2026-01-31T22:00:00Z');
		expect(answer).not.toContain('Details:');
		expect(await shop.platform.control.requests()).toEqual([]);
	});
});
