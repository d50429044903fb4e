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

describe('a field of a JSON object', () => {
	const kept = { n: 0, no: false, blank: ' ', in: { x: null } };
	const empty = { a: null, b: '', c: [], d: {}, ...kept, rows: [{ x: null, y: 1 }] };
	const left = { ...kept, rows: [{ y: 1 }] };
	const order = (otherFieldsJson: unknown) => ({
		resource: 'order',
		operation: 'update',
		orderId: byId(fixtures.order),
		updateFields: { otherFieldsJson },
	});
	const customer = (json: unknown) => ({
		resource: 'customer',
		operation: 'update',
		customerId: byId(fixtures.customer),
		specifyFields: 'json',
		json,
	});
	const webhook = (otherFieldsJson: unknown) => ({
		resource: 'webhook',
		operation: 'update',
		webhookId: byId(fixtures.webhook),
		updateFields: { otherFieldsJson },
	});
	const product = (productJson: unknown) => ({
		resource: 'product',
		operation: 'upsert',
		specifyProduct: 'json',
		productJson,
	});
	/** The fields that go out, whether the shop knows them or not. */
	const sent = async (parameters: unknown, item: IDataObject = {}, routingNode = false) => {
		await shop.platform.control.resetCounters();
		await shop.run(parameters as IDataObject, { items: [item], routingNode });
		const body = (await sentBody()) as { operations?: [IDataObject] };
		const fields = { ...(body.operations?.[0] ?? body) } as IDataObject;
		delete fields.op;
		delete fields.sku;
		return fields;
	};

	it.each<[string, (json: unknown) => object]>([
		['order.update', order],
		['customer.update', customer],
		['webhook.update', webhook],
		['product.upsert', product],
	])('is not sent where an expression leaves it empty: %s', async (_name, of) => {
		const item = { sku: 'NEW', ...empty };
		expect(await sent(of('={{ $json }}'), item)).toEqual(left);
		expect(await sent(of('={{ $json }}'), item, true)).toEqual(left);
		expect(await sent(of('={{ JSON.stringify($json) }}'), item)).toEqual(left);
		expect(
			await sent(of('={ "sku": "NEW", "a": "{{ $json.b }}", "n": {{ $json.n }} }'), item),
		).toEqual({ n: 0 });
		const unquoted = '={ "sku": "NEW", "c": {{ JSON.stringify($json.c) }}, "n": 1 }';
		expect(await sent(of(unquoted), item)).toEqual({ n: 1 });
	});

	it.each<[string, (json: unknown) => object]>([
		['order.update', order],
		['customer.update', customer],
		['webhook.update', webhook],
		['product.upsert', product],
	])('is sent empty where the user wrote that: %s', async (_name, of) => {
		const written = JSON.stringify({ sku: 'NEW', ...empty });
		expect(await sent(of(written))).toEqual(empty);
		const around = '={ "sku": "NEW", "a": null, "b": "", "c": [], "n": {{ 1 + 1 }} }';
		expect(await sent(of(around))).toEqual({ a: null, b: '', c: [], n: 2 });
	});

	it('is refused where nothing is left to change', async () => {
		for (const [parameters, message] of [
			[order('={{ { merchant_note: $json.note } }}'), '“Update Fields” holds nothing to change'],
			[customer('={{ { phone: $json.note } }}'), '“JSON” is empty'],
		] as const) {
			const { error } = await shop.run(parameters as IDataObject, { items: [{ note: null }] });
			expect(error?.message).toBe(message);
		}
		expect((await shop.platform.control.counters()).total).toBe(0);
	});

	it('keeps those of a cancellation, which are not known', async () => {
		const cancel = { resource: 'order', operation: 'cancel', orderId: byId(fixtures.order) };
		const additionalFields = { otherFieldsJson: '={{ $json }}' };
		expect(await sent({ ...cancel, additionalFields }, { reason: null })).toEqual({ reason: null });
	});
});

describe('a variant of a JSON list', () => {
	/** The variants that go out, whether the shop takes their fields or not. */
	const update = async (variantsJson: unknown, item: IDataObject = {}) => {
		await shop.platform.control.resetCounters();
		await shop.run(
			{
				resource: 'product',
				operation: 'update',
				productId: byId(fixtures.product),
				updateFields: { variantsJson },
				writeVariants: 'replace',
			} as IDataObject,
			{ items: [item] },
		);
		return ((await sentBody()) as { variants: unknown }).variants;
	};
	const price = { amount: 1, currency: 'EUR' };
	const variant = {
		sku: 'A',
		barcode: null,
		tags: [],
		prices: [{ ...price, compare_at: null }],
	};

	it('is sent without the fields that an expression leaves empty', async () => {
		const kept = [{ sku: 'A', prices: [price] }];
		expect(await update('={{ [$json] }}', variant)).toEqual(kept);
		const template =
			'=[{ "sku": "A", "barcode": "{{ $json.x }}", "prices": [{ "amount": 1, "currency": "EUR", "note": "{{ $json.x }}" }] }]';
		expect(await update(template, { x: '' })).toEqual(kept);
	});

	it('is sent with those that the user wrote as empty', async () => {
		expect(await update(JSON.stringify([variant]))).toEqual([variant]);
	});
});

it.each(['toString', 'constructor', 'hasOwnProperty'])(
	'takes another field that is called %s, as every object has one',
	async (name) => {
		const { error } = await shop.run({
			resource: 'order',
			operation: 'update',
			orderId: byId(fixtures.order),
			updateFields: { otherFieldsJson: JSON.stringify({ [name]: 'x' }) },
		});
		expect(error).toBeUndefined();
		expect(await sentBody()).toEqual({ [name]: 'x' });
	},
);

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
