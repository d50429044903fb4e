import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { search, type Search } from './loadOptions';
import { useShop } from './shop';

const { shop, fixtures } = useShop();

const suggested = async (name: Search, parameters: INodeParameters = {}, filter?: string) =>
	(await search(shop.platform, name, { parameters, filter })).results;
const valuesOf = async (...given: Parameters<typeof suggested>) =>
	(await suggested(...given)).map(({ value }) => String(value));

const WORDS: Record<string, string> = { boolean: 'Boolean', number: 'Number', string: 'Text' };
const OF_THE_PLATFORM = ['id', 'created_at', 'updated_at'];

describe('the names of fields', () => {
	it('are those of the chosen record, with their types but without its values', async () => {
		const customer = await shop.read(`/customers/${fixtures.customer}`);
		await shop.control.resetCounters();
		const customerId = byMode('list', fixtures.customer);
		const labelled = Object.entries(customer)
			.filter(([name]) => !OF_THE_PLATFORM.includes(name))
			.map(([name, value]) => ({
				name: value === null ? name : `${name} · ${WORDS[typeof value] ?? 'JSON'}`,
				value: `${name}:${value === null ? 'string' : WORDS[typeof value] ? typeof value : 'json'}`,
			}));
		expect(labelled.length).toBeGreaterThan(3);
		expect(await suggested('searchCustomerFields', { customerId })).toEqual(labelled);
		expect(await shop.targets()).toEqual([`GET /v1/customers/${fixtures.customer}`]);
	});

	it.each<[Search, string, INodeParameters]>([
		['searchCategoryFields', '/categories', {}],
		['searchCustomerFields', '/customers', {}],
		['searchCustomerFields', '/customers', { customerId: byMode('email', 'a@b.example') }],
		['searchCustomerFields', '/customers', { customerId: byId('={{ $json.id }}') }],
		['searchOrderFields', '/orders', { orderId: byMode('list', '') }],
	])('%s come from a page of %s where no record is known: %j', async (name, path, parameters) => {
		const [record] = await shop.list(path);
		await shop.control.resetCounters();
		const values = await valuesOf(name, parameters);
		expect(values.length).toBeGreaterThan(0);
		const names = values.map((value) => value.replace(/:[a-z]+$/, ''));
		expect(Object.keys(record)).toEqual(expect.arrayContaining(names));
		const route = new RegExp(`^GET /v1${path}(\\?|$)`);
		expect(await shop.targets()).toEqual([expect.stringMatching(route)]);
	});

	it('are found by a part of the name', async () => {
		const parameters = { customerId: byId(fixtures.customer) };
		const values = await valuesOf('searchCustomerFields', parameters, ' MAIL ');
		expect(values).toEqual(['email:string', 'accepts_email_marketing:boolean']);
	});

	it('say that a shop without records shows none', async () => {
		await shop.control.reset({ customers: 0 });
		await expect(suggested('searchCustomerFields')).rejects.toThrow(
			"Your shop has no customer yet that shows its fields. Use 'Name'.",
		);
	});
});

it.each<[Search, () => INodeParameters, string, string]>([
	['searchCustomerFields', () => ({}), 'customers.write', 'customers.read'],
	[
		'searchOpenItems',
		() => ({ orderId: byId(fixtures.order) }),
		'fulfillments.write',
		'orders.read',
	],
])('%s says which scope is missing to read', async (name, parameters, scope, missing) => {
	const { apiKey } = await shop.control.createKey({ scopes: [scope] });
	const access = { baseUrl: shop.platform.baseUrl, apiKey };
	const refused = search(access, name, { parameters: parameters() });
	await expect(refused).rejects.toThrow(`it needs the scope ${missing}`);
});

describe.each(['default', 'contrary'] as const)(
	'the items to send, in the dialect %s',
	(dialect) => {
		beforeEach(async () => await shop.control.configure({ dialect }));
		const open = async (orderId = byId(fixtures.order), filter?: string) =>
			await suggested('searchOpenItems', { orderId }, filter);

		it('are the open lines of the chosen order', async () => {
			const order = await shop.read(`/orders/${fixtures.order}`);
			const lines = (order.line_items ?? order.lineItems ?? order.items) as IDataObject[];
			const items = await open();
			expect(items.map(({ value }) => value)).toEqual(lines.map((line) => line.line_item_id));
			const [{ title, sku, quantity }] = lines;
			const name = `${String(title)} · ${String(sku)} · ${quantity} of ${quantity} open`;
			expect(items[0].name).toBe(name);
			expect(await open(undefined, String(sku).toLowerCase())).toContainEqual(items[0]);
			expect(await open(undefined, 'nothing like it')).toEqual([]);
			expect(await open(byMode('number', `#${String(order.number)}`))).toEqual(items);
		});

		it('leave out what was sent', async () => {
			const orderId = byId(fixtures.order);
			const [first, ...others] = await open();
			const item = [{ line_item_id: byMode('list', first.value), quantity: 1 }];
			const part = { orderId, specifyItems: 'defineBelow', items: { item } };
			expect((await shop.run('order.fulfill', part)).error).toBeUndefined();
			const left = await open();
			expect(left.filter(({ value }) => value !== first.value)).toEqual(others);
			expect(left).not.toContainEqual(first);
			await shop.run('order.fulfill', { orderId }, { executionId: 'the rest' });
			expect(await open()).toEqual([]);
		});
	},
);

it('says that there is no order with a number, and what to do', async () => {
	await expect(suggested('searchOpenItems', { orderId: byMode('number', '0') })).rejects.toThrow(
		'The order with the number “0” was not found. Choose it From List.',
	);
});

it.each([undefined, byMode('list', ''), byId('={{ $json.order }}')])(
	'says that only a run knows the order: %j',
	async (orderId) => {
		await expect(suggested('searchOpenItems', orderId && { orderId })).rejects.toThrow(
			"Choose an order first. If it comes from an expression, only a run knows it: use 'ID'.",
		);
		expect(await shop.sent()).toEqual([]);
	},
);
