import type { IDataObject } from 'n8n-workflow';

import { callTool, toolOf } from '../../support/engine/callTool';
import { byId } from '../../support/parameters';
import { FIRST_CASES, operationOf } from './cases';
import { useShop } from './shop';

/** As the editor writes it for "Let the model define this parameter". */
const fromAi = (key: string, type = 'string'): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${type}') }}`;

it.each(FIRST_CASES)('$name becomes a tool that says what it does', ({ name }) => {
	const { option, fields } = operationOf(name);
	// If fields have the same name, the unit of amounts decides which one is shown.
	const byName = [...new Map(fields.map((field) => [field.name, field])).values()];
	const filled = byName.filter(({ type }) => type === 'string' || type === 'resourceLocator');
	const parameters = Object.fromEntries(
		filled.map(({ name: key, type }) => [key, type === 'string' ? fromAi(key) : byId(fromAi(key))]),
	);
	// With the choices that show all text fields of a refund and of a fulfillment.
	const choices = { extent: 'amount', specifyItems: 'rows' };
	const { description, schema } = toolOf(name, { ...choices, ...parameters });
	expect(description).toBe(`${option.action} in Commerce Platform`);
	expect(Object.keys(schema.shape).sort()).toEqual(filled.map(({ name: key }) => key).sort());
});

describe('a tool that a model calls', () => {
	const { shop, fixtures } = useShop();
	const call = async (name: string, parameters: IDataObject, args: IDataObject = {}) => {
		const { baseUrl, apiKey } = shop.platform;
		return await callTool(name, parameters, args, { baseUrl, apiKey });
	};
	const records = async (...given: Parameters<typeof call>) =>
		JSON.parse(await call(...given)) as IDataObject[];
	const note = async (Order: string) =>
		await call(
			'order.update',
			{ orderId: byId(fromAi('Order')), updateFields: { merchant_note: fromAi('Note') } },
			{ Order, Note: 'Gift wrap' },
		);
	const filters = { status: fromAi('Status'), updated_since: fromAi('Updated_Since') };

	it('ignores a filter that the model leaves empty, since the model cannot remove one', async () => {
		const args = { Status: '', Updated_Since: '' };
		expect(await records('order.getAll', { limit: 2, filters }, args)).toHaveLength(2);
	});

	it('ships without a tracking number if the model leaves it empty, as the field’s text says', async () => {
		const parameters = {
			orderId: byId(fixtures.order),
			trackingNumber: fromAi('Tracking_Number'),
			carrier: fromAi('Carrier'),
		};
		await call('order.fulfill', parameters, { Tracking_Number: '', Carrier: '' });
		const body = (await shop.sent()).find(({ method }) => method === 'POST')?.body;
		expect(Object.keys(JSON.parse(body ?? '{}') as object)).toEqual(['items']);
	});

	it('lists few, short records if the model says nothing', async () => {
		const orders = await records('order.getAll', {});
		expect(orders).toHaveLength(10);
		expect(orders[0]).not.toHaveProperty('line_items');
		const [product] = await records('product.getAll', {});
		expect(product).toMatchObject({ title: expect.any(String), variants: [{ sku: fixtures.sku }] });
		expect(product).not.toHaveProperty('created_at');
	});

	it.each<[string, IDataObject, string[], string[]]>([
		['all fields', { output: 'raw' }, ['id', 'created_at'], []],
		[
			'the fields by name',
			{ output: 'selectedFields', selectedFields: 'id, status' },
			['id', 'status'],
			['title'],
		],
		['fewer fields, unless Output says otherwise', {}, ['id', 'title'], ['created_at']],
	])('gets %s', async (_what, parameters, present, absent) => {
		const productId = byId(fixtures.product);
		const [product] = await records('product.get', { productId, ...parameters });
		expect(Object.keys(product)).toEqual(expect.arrayContaining(present));
		expect(Object.keys(product).filter((name) => absent.includes(name))).toEqual([]);
	});

	it('is told that Selected Fields needs names', async () => {
		const answer = await call('product.get', {
			productId: byId(fixtures.product),
			output: 'selectedFields',
			selectedFields: ' ',
		});
		expect(answer).toContain('Fields');
		expect(answer).toContain('is empty');
		expect(await shop.sent()).toEqual([]);
	});

	it('fills a collection from the model’s arguments', async () => {
		const row = { line_item_id: fromAi('Line'), quantity: fromAi('Quantity', 'number') };
		await call(
			'order.fulfill',
			{ specifyItems: 'defineBelow', orderId: byId(fromAi('Order')), items: { item: [row] } },
			{ Order: fixtures.order, Line: 'li_unknown', Quantity: 1 },
		);
		const body = (await shop.sent()).find(({ method }) => method === 'POST')?.body;
		expect(JSON.parse(body ?? '')).toEqual({
			items: [{ line_item_id: 'li_unknown', quantity: 1 }],
		});
	});

	it('says in the message what is wrong and what to check, since an agent passes on nothing else', async () => {
		const answer = await note('ord_unknown');
		expect(answer).toContain('Order “ord_unknown”: There is no order ord_unknown (HTTP 404)');
		expect(answer).toContain('Check the ID.');
		expect(answer).not.toContain('Details:');
	});

	it.each([
		['webhook.create', { url: 'https://erp.example/x', events: ['order.paid'] }],
		['webhook.recreate', { webhookId: byId(fromAi('Webhook')) }],
		['webhook.rotateSecret', { webhookId: byId(fromAi('Webhook')) }],
	])('never shows a model a signing secret: %s', async (operation, parameters) => {
		const answer = await call(operation, parameters, { Webhook: fixtures.webhook });
		const [endpoint] = JSON.parse(answer) as IDataObject[];
		expect(endpoint).toMatchObject({ id: expect.any(String), secretNotShown: expect.any(String) });
		const made = (await shop.control.endpoints()).find(({ id }) => id === endpoint.id);
		expect(made).toBeDefined();
		expect(answer).not.toMatch(/"secret"|whsec/);
	});
});
