import type { IDataObject } from 'n8n-workflow';

import { useShop, type Fixtures, type Shop, WEBHOOK_URL } from './shop';
import { byId } from '../../support/parameters';

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

const sentBody = async (): Promise<unknown> => {
	const last = (await shop.platform.control.requests()).at(-1);
	return last?.body === undefined ? undefined : (JSON.parse(last.body) as unknown);
};

describe('an update', () => {
	const update = async (updateFields: IDataObject, more: IDataObject = {}) =>
		await shop.run({
			resource: 'product',
			operation: 'update',
			productId: byId(fixtures.product),
			updateFields: { title: 'Kept', ...updateFields },
			...more,
		});

	it.each<[string, IDataObject]>([
		['was not added', {}],
		['was added and left empty', { description: '' }],
		['gets nothing from its expression', { description: '={{ $json.nothing }}' }],
		['gets an empty text from its expression', { description: '={{ "" }}' }],
		['is a list without entries', { categories: [] }],
		['is a collection without rows', { variants: {} }],
		['is a collection with an empty list of rows', { variants: { variant: [] } }],
		['is null', { description: '={{ null }}' }],
		['is a JSON list at its default', { variantsJson: '[]' }],
		['is a JSON list that an expression leaves empty', { variantsJson: '={{ [] }}' }],
		['is a list of which an expression finds nothing', { categories: '={{ null }}' }],
		['is a list with nothing in it but an empty text', { categories: '={{ [""] }}' }],
		['is a text of blanks and commas', { categories: '={{ " , " }}' }],
	])('leaves out what %s', async (_what, fields) => {
		expect((await update(fields)).error).toBeUndefined();
		expect(await sentBody()).toEqual({ title: 'Kept' });
	});

	it.each<[string, IDataObject, IDataObject, unknown]>([
		['is chosen to be cleared', {}, { clearFields: ['description'] }, { description: '' }],
		[
			'is a list to be cleared',
			{},
			{ clearFields: '={{ ["categories", "variants"] }}' },
			{ categories: [], variants: [] },
		],
	])('sends as empty what %s', async (_what, fields, more, sent) => {
		expect((await update(fields, more)).error).toBeUndefined();
		expect(await sentBody()).toEqual({ title: 'Kept', ...(sent as object) });
	});

	it('keeps categories that are chosen, named by an expression or listed as text', async () => {
		for (const categories of [
			[fixtures.category],
			`={{ ["${fixtures.category}"] }}`,
			`={{ " ${fixtures.category}, " }}`,
		]) {
			await update({ categories });
			expect(await sentBody()).toEqual({ title: 'Kept', categories: [fixtures.category] });
		}
	});

	it('takes variants from a product as it was read, decimals and all', async () => {
		const read = await shop.run({
			resource: 'product',
			operation: 'get',
			productId: byId(fixtures.product),
			options: { decimalAmounts: 'number' },
		});
		const { variants } = await shop.read(`/products/${fixtures.product}`);
		const { error } = await shop.run(
			{
				resource: 'product',
				operation: 'update',
				productId: byId(fixtures.product),
				updateFields: { variantsJson: '={{ $json.variants }}' },
			},
			{ items: [read.items[0].json] },
		);
		expect(error).toBeUndefined();
		expect(await sentBody()).toEqual({ variants });
	});
});

describe('a record named by something else than its ID', () => {
	it('deletes the product that has the handle, and says its ID', async () => {
		const { items } = await shop.run({
			resource: 'product',
			operation: 'delete',
			productId: { __rl: true, mode: 'handle', value: fixtures.handle },
		});
		expect(items[0].json).toEqual({ deleted: true, id: fixtures.product });
	});

	it('stops when there is none, without a write', async () => {
		const { error } = await shop.run({
			resource: 'product',
			operation: 'delete',
			productId: { __rl: true, mode: 'handle', value: fixtures.handle.slice(0, 3) },
		});
		expect(error?.message).toMatch(/^“Product” with the handle “.+” was not found$/);
		const requests = await shop.platform.control.requests();
		expect(requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('stops when there are several', async () => {
		await shop.post('/webhooks', { url: WEBHOOK_URL, events: ['order.paid'] });
		const { error } = await shop.run({
			resource: 'webhook',
			operation: 'delete',
			webhookId: { __rl: true, mode: 'url', value: WEBHOOK_URL },
		});
		expect(error?.message).toBe(`“Webhook” with the url “${WEBHOOK_URL}” names 2 records`);
		expect(await shop.platform.control.endpoints()).toHaveLength(2);
	});
});
