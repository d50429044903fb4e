import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { useShop } from './shop';

const { shop, fixtures } = useShop();

const fulfill = async (more: IDataObject = {}) =>
	await shop.run('order.fulfill', { orderId: byId(fixtures.order), ...more });
const order = async () => await shop.read(`/orders/${fixtures.order}`);
const methods = async () => (await shop.sent()).map(({ method }) => method);
const RETURN_CURRENT = { ifNotAllowed: 'returnCurrent' };

describe.each(['default', 'contrary', 'orderFields=short'])(
	'All Open Items in the dialect %s',
	(dialect) => {
		beforeEach(async () => await shop.control.configure({ dialect }));

		it('is the default of a new node: it sends the rest of a partly shipped order', async () => {
			const items = { item: [{ line_item_id: fixtures.lineItem, quantity: 1 }] };
			await fulfill({ specifyItems: 'defineBelow', items });
			const { error } = await fulfill({ carrier: 'DHL' });
			expect(error).toBeUndefined();
			expect(await order()).toMatchObject({ status: 'fulfilled' });
		});

		it('sends lines with the shop’s own fields', async () => {
			const { control } = shop.platform;
			const { line_items } = (await control.record('orders', fixtures.order)) as {
				line_items: IDataObject[];
			};
			const shopFields = { is_gift: true, weight: 250, tax_rate: 19, engraving: 'A. B.' };
			const fields = { line_items: line_items.map((line) => ({ ...line, ...shopFields })) };
			await control.writeRecord('orders', { id: fixtures.order, fields });
			const { error } = await fulfill();
			expect(error).toBeUndefined();
			expect(await order()).toMatchObject({ status: 'fulfilled' });
		});

		it('sends nothing if nothing is left, and returns the order as it is', async () => {
			await fulfill();
			const before = await order();
			await shop.control.resetCounters();
			const { error } = await fulfill({ trackingNumber: 'P2' });
			expect(error?.message).toMatch(/^'Order' “\d+” has nothing left to send$/);
			expect(error?.description).toContain('tracking number was not saved');
			const { items } = await fulfill({
				requestOptions: { includeMetadata: true, wholeRecord: true },
			});
			const json = { ...before, transitionSkipped: true, _meta: { status: 200 } };
			expect(items).toMatchObject([{ json, pairedItem: { item: 0 } }]);
			expect(await methods()).toEqual(['GET', 'GET']);
		});
	},
);

it('leaves out pieces of which only the line tells in which parcel they are', async () => {
	const { control } = shop.platform;
	const { line_items } = (await control.record('orders', fixtures.order)) as {
		line_items: IDataObject[];
	};
	const [sent, ...others] = line_items;
	const fulfillment_lines = [{ fulfillment_id: '16', quantity: sent.quantity }];
	const fields = { line_items: [{ ...sent, fulfillment_lines }, ...others] };
	await control.writeRecord('orders', { id: fixtures.order, fields });
	const { json, error } = await fulfill({ options: { dryRun: true } });
	expect(error).toBeUndefined();
	const items = others.map(({ line_item_id, quantity }) => ({ line_item_id, quantity }));
	expect(json).toMatchObject([{ body: { items } }]);
	expect(items.length).toBeGreaterThan(0);
});

it('sends an order only once if two items name it by differently written numbers', async () => {
	const number = String((await order()).number);
	await shop.control.resetCounters();
	await shop.control.configure({ latencyMs: 20 });
	const { failures, json } = await shop.run(
		'order.fulfill',
		{ orderId: byMode('number', '={{ $json.number }}') },
		{ items: [{ number: `#${number}` }, { number }], onError: 'continueRegularOutput' },
	);
	expect((await methods()).filter((method) => method === 'POST')).toHaveLength(1);
	expect(failures).toEqual([undefined, undefined]);
	expect(json.map(({ transitionSkipped }) => transitionSkipped)).toEqual([undefined, true]);
});

it('fails for a missing order, even if the order as it is would be returned', async () => {
	const { error } = await fulfill({ orderId: byId('ord_none'), options: RETURN_CURRENT });
	expect(error?.message).toBe('The order “ord_none” was not found');
});

it('reads the order in a dry run, and shows what would be sent', async () => {
	const { json } = await fulfill({ options: { dryRun: true } });
	const line = { line_item_id: expect.any(String), quantity: expect.any(Number) };
	const body = { items: expect.arrayContaining([line]) as unknown };
	expect(json).toMatchObject([{ dryRun: true, requests: 2, body }]);
	expect(await methods()).toEqual(['GET']);
});
