import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/parameters';
import { openShop, type Fixtures, type Shop } from './shop';

let shop: Shop;
let fixtures: Fixtures;

beforeAll(async () => {
	shop = await openShop();
});
afterAll(async () => await shop.close());
afterEach(async () => await shop.platform.control.configure({ dialect: 'default' }));

const fulfill = (more: IDataObject = {}): IDataObject => ({
	resource: 'order',
	operation: 'fulfill',
	orderId: byId(fixtures.order),
	...more,
});

describe.each(['default', 'contrary'] as const)('All Open Items in the dialect %s', (dialect) => {
	beforeEach(async () => {
		fixtures = await shop.fresh();
		await shop.platform.control.configure({ dialect });
	});

	it('is what a new node sends: the rest of an order that was sent in part', async () => {
		const part = { item: [{ line_item_id: fixtures.lineItem, quantity: 1 }] };
		await shop.run(fulfill({ specifyItems: 'defineBelow', items: part }));
		const { error } = await shop.run(fulfill({ carrier: 'DHL' }));
		expect(error).toBeUndefined();
		expect(await shop.read(`/orders/${fixtures.order}`)).toMatchObject({ status: 'fulfilled' });
	});

	it('sends what has fields of the shop’s own, once those are known or named as unrelated', async () => {
		const { line_items } = (await shop.platform.control.record('orders', fixtures.order)) as {
			line_items: IDataObject[];
		};
		const own = { is_gift: true, weight: 250, tax_rate: 19, position: 1, engraving: 'A. B.' };
		await shop.platform.control.writeRecord('orders', {
			id: fixtures.order,
			fields: { line_items: line_items.map((line) => ({ ...line, ...own })) },
		});
		await shop.platform.control.resetCounters();
		const { error } = await shop.run(fulfill());
		expect(error?.message).toMatch(
			/says “engraving: A. B.” of the line “.+”, which is not understood/,
		);
		expect(error?.description).toContain('“Unrelated Fields”');
		const sent = await shop.platform.control.requests();
		expect(sent.map(({ method }) => method)).toEqual(['GET']);
		const named = await shop.run(fulfill({ options: { unrelatedFields: 'Engraving' } }));
		expect(named.error).toBeUndefined();
		expect(await shop.read(`/orders/${fixtures.order}`)).toMatchObject({ status: 'fulfilled' });
	});

	it('says that nothing is left, and sends nothing', async () => {
		await shop.run(fulfill());
		await shop.platform.control.resetCounters();
		const { error } = await shop.run(fulfill());
		expect(error?.message).toMatch(/^“Order” “\d+” has nothing left to send$/);
		const sent = await shop.platform.control.requests();
		expect(sent.map(({ method }) => method)).toEqual(['GET']);
	});

	it('returns the order as it is where nothing is left, if that is wanted', async () => {
		await shop.run(fulfill());
		const before = await shop.read(`/orders/${fixtures.order}`);
		await shop.platform.control.resetCounters();
		const options = { ifNotAllowed: 'returnCurrent', includeMetadata: true };
		const { error, items } = await shop.run(fulfill({ options }));
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{
				json: { ...before, transitionSkipped: true, _meta: { status: 200 } },
				pairedItem: { item: 0 },
			},
		]);
		const sent = await shop.platform.control.requests();
		expect(sent.map(({ method }) => method)).toEqual(['GET']);
	});
});

it('sends an order once that two items name by its number, each in its own way', async () => {
	fixtures = await shop.fresh();
	const number = String((await shop.read(`/orders/${fixtures.order}`)).number);
	await shop.platform.control.resetCounters();
	await shop.platform.control.configure({ latencyMs: 20 });
	const orderId = { __rl: true, mode: 'number', value: '={{ $json.number }}' };
	const { items } = await shop.run(
		{ ...fulfill(), orderId },
		{ items: [{ number: `#${number}` }, { number }], onError: 'continueRegularOutput' },
	);
	await shop.platform.control.configure({ latencyMs: 0 });
	const sent = await shop.platform.control.requests();
	expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
	expect(items.map(({ json }) => json.error ?? 'sent')).toEqual([
		'sent',
		expect.stringContaining('has nothing left to send'),
	]);
});

it('leaves an order that is not there an error, also where the order as it is is wanted', async () => {
	fixtures = await shop.fresh();
	const options = { ifNotAllowed: 'returnCurrent' };
	const { error } = await shop.run({ ...fulfill({ options }), orderId: byId('ord_none') });
	expect(error?.message).toBe('The order “ord_none” was not found');
});

it('reads the order in a dry run, and shows what would be sent', async () => {
	fixtures = await shop.fresh();
	const { items } = await shop.run(fulfill({ options: { dryRun: true } }));
	const { dryRun, requests: count, body } = items[0].json;
	expect([dryRun, count]).toEqual([true, 2]);
	expect((body as IDataObject).items).toContainEqual({
		line_item_id: expect.any(String),
		quantity: expect.any(Number),
	});
	const requests = await shop.platform.control.requests();
	expect(requests.map(({ method }) => method)).toEqual(['GET']);
});
