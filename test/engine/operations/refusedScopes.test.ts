import type { IDataObject } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { useShop, type Fixtures, type Shop } from './shop';

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

type Case = [what: string, scopes: string[], missing: string, parameters: () => IDataObject];

const order = (operation: string, more: IDataObject = {}): IDataObject => ({
	resource: 'order',
	operation,
	orderId: byId(fixtures.order),
	...more,
});

const merge = (): IDataObject => ({
	resource: 'product',
	operation: 'update',
	productId: byId(fixtures.product),
	updateFields: { variantsJson: `[{ "sku": "${fixtures.sku}", "title": "New" }]` },
});

const CASES: Case[] = [
	['All Open Items reads', ['fulfillments.write'], 'orders.read', () => order('fulfill')],
	['All Open Items writes', ['orders.read'], 'fulfillments.write', () => order('fulfill')],
	[
		'a look-up by number',
		['orders.write'],
		'orders.read',
		() => order('cancel', { orderId: byMode('number', '1') }),
	],
	[
		'a look-up by number for a refund',
		[],
		'orders.read',
		() => order('refund', { orderId: byMode('number', '1'), extent: 'platform' }),
	],
	[
		'a look-up by e-mail',
		['customers.write'],
		'customers.read',
		() => ({
			resource: 'customer',
			operation: 'update',
			customerId: byMode('email', 'a@b.example'),
			fields: { field: [{ name: 'a', value: 'b' }] },
		}),
	],
	['Merge reads', ['products.write'], 'products.read', merge],
	['Merge writes', ['products.read'], 'products.write', merge],
];

it.each(CASES)('%s: with %j the scope %s is named', async (_what, scopes, missing, parameters) => {
	const { apiKey } = await shop.platform.control.createKey({ scopes });
	const { baseUrl } = shop.platform;
	const { error } = await shop.run(parameters(), { credentials: { baseUrl, apiKey } });
	expect(error?.message).toBe(
		`The API key is not allowed to do this: it probably needs the scope ${missing}`,
	);
});

it('names the scope that the current order after a refused change needs', async () => {
	await shop.post(`/orders/${fixtures.order}/cancel`, {});
	const { apiKey } = await shop.platform.control.createKey({ scopes: ['orders.write'] });
	const { baseUrl } = shop.platform;
	const options = { ifNotAllowed: 'returnCurrent' };
	const { error } = await shop.run(order('cancel', { options }), {
		credentials: { baseUrl, apiKey },
	});
	expect(error?.message).toContain('orders.read');
});
