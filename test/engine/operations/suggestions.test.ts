import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { byId, byMode } from '../../support/parameters';
import { editing } from './loadOptions';
import { useShop, type Fixtures, type Shop } from './shop';

type Search = keyof ReturnType<typeof editing>['node']['methods']['listSearch'];

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});
afterEach(async () => await shop.platform.control.configure({ dialect: 'default' }));

const suggested = async (
	search: Search,
	parameters: INodeParameters = {},
	filter?: string,
	credentials: { baseUrl: string; apiKey: string } = shop.platform,
) => {
	const { node, context } = editing(credentials, parameters);
	return (await node.methods.listSearch[search].call(context, filter)).results;
};

const sent = async () =>
	(await shop.platform.control.requests()).map(({ method, target }) => `${method} ${target}`);

const WORDS: Record<string, string> = { boolean: 'Boolean', number: 'Number', string: 'Text' };

/** What a field of a record is called in the list. */
const labelled = (record: IDataObject, except: string[]) =>
	Object.entries(record)
		.filter(([name]) => !['id', 'created_at', 'updated_at', ...except].includes(name))
		.map(([name, value]) => ({
			name: value === null ? name : `${name} · ${WORDS[typeof value] ?? 'JSON'}`,
			value: name,
		}));

describe('the names of fields', () => {
	it('are those of the record that is chosen, with their types', async () => {
		const customer = await shop.read(`/customers/${fixtures.customer}`);
		await shop.platform.control.resetCounters();
		const names = await suggested('searchCustomerFields', {
			customerId: byMode('list', fixtures.customer),
		});
		expect(names).toEqual(labelled(customer, []));
		expect(names.length).toBeGreaterThan(3);
		expect(await sent()).toEqual([`GET /v1/customers/${fixtures.customer}`]);
	});

	it.each<[Search, string, INodeParameters]>([
		['searchCategoryFields', '/categories', {}],
		['searchCustomerFields', '/customers', {}],
		['searchCustomerFields', '/customers', { customerId: byMode('email', 'a@b.example') }],
		['searchCustomerFields', '/customers', { customerId: byId('={{ $json.id }}') }],
		['searchOrderFields', '/orders', { orderId: byMode('list', '') }],
		['searchWebhookFields', '/webhooks', {}],
	])('%s come from a page of %s where no record is known: %j', async (search, path, parameters) => {
		const [record] = await shop.list(path);
		await shop.platform.control.resetCounters();
		const values = (await suggested(search, parameters)).map(({ value }) => String(value));
		expect(values.length).toBeGreaterThan(0);
		expect(Object.keys(record)).toEqual(expect.arrayContaining(values));
		const [only, ...more] = await sent();
		expect(only).toMatch(new RegExp(`^GET /v1${path}(\\?|$)`));
		expect(more).toEqual([]);
	});

	it('leave out what the platform writes itself, and what has a field of its own', async () => {
		const parameters = { orderId: byId(fixtures.order) };
		const names = (await suggested('searchOrderFields', parameters)).map(({ value }) => value);
		expect(names).toContain('status');
		for (const name of ['id', 'merchant_note', 'updated_at']) expect(names).not.toContain(name);
	});

	it('are searched by a part of them', async () => {
		const parameters = { customerId: byId(fixtures.customer) };
		const names = await suggested('searchCustomerFields', parameters, ' MAIL ');
		expect(names.map(({ value }) => value)).toEqual(['email', 'accepts_email_marketing']);
	});

	it('show nothing of what the record holds, which n8n would keep in the workflow', async () => {
		const customer = await shop.read(`/customers/${fixtures.customer}`);
		const parameters = { customerId: byId(fixtures.customer) };
		const names = JSON.stringify(await suggested('searchCustomerFields', parameters));
		expect(names).not.toContain(String(customer.email));
	});

	it('say which scope is missing to read them', async () => {
		const { apiKey } = await shop.platform.control.createKey({ scopes: ['customers.write'] });
		const { baseUrl } = shop.platform;
		await expect(
			suggested('searchCustomerFields', {}, undefined, { baseUrl, apiKey }),
		).rejects.toThrow('it needs the scope customers.read');
	});

	it('say that a shop without records shows none', async () => {
		await shop.platform.control.reset({ customers: 0 });
		await expect(suggested('searchCustomerFields')).rejects.toThrow(
			'Your shop has no customer yet that shows its fields. Use “Name”.',
		);
	});

	it('are taken in every form in which a row can hold them', async () => {
		const field = [
			{ name: { __rl: true, mode: 'list', value: 'a', cachedResultName: 'a · Text' }, value: '1' },
			{ name: { __rl: true, mode: 'name', value: '={{ "b" }}' }, value: '2' },
			{ name: 'c', value: '3' },
			{ name: '={{ "d" }}', value: '4' },
		];
		for (const routingNode of [false, true]) {
			await shop.platform.control.resetCounters();
			const update = { resource: 'customer', operation: 'update' };
			const customerId = byId(fixtures.customer);
			await shop.run({ ...update, customerId, fields: { field } }, { routingNode });
			const order = { resource: 'order', operation: 'update', orderId: byId(fixtures.order) };
			await shop.run({ ...order, updateFields: { otherFields: { field } } }, { routingNode });
			const bodies = (await shop.platform.control.requests()).map(({ body }) => body);
			const whole = JSON.stringify({ a: '1', b: '2', c: '3', d: '4' });
			expect(bodies).toEqual([whole, whole]);
		}
	});
});

describe.each(['default', 'contrary'] as const)(
	'the items to send, in the dialect %s',
	(dialect) => {
		beforeEach(async () => await shop.platform.control.configure({ dialect }));

		const items = async (orderId: ReturnType<typeof byId>, filter?: string) =>
			await suggested('searchOpenItems', { orderId }, filter);
		const lineItem = async () => {
			const order = await shop.read(`/orders/${fixtures.order}`);
			const lines = Object.values(order).find(
				(value): value is IDataObject[] =>
					Array.isArray(value) && value.some((line: IDataObject) => 'line_item_id' in line),
			);
			return { order, lines: lines ?? [] };
		};

		it('are the open lines of the order that is chosen', async () => {
			const { lines } = await lineItem();
			const open = await items(byId(fixtures.order));
			expect(open.map(({ value }) => value)).toEqual(lines.map((line) => line.line_item_id));
			const [{ title, sku, quantity }] = lines;
			expect(open[0].name).toBe(
				`${String(title)} · ${String(sku)} · ${quantity} of ${quantity} open`,
			);
			expect(await items(byId(fixtures.order), String(sku).toLowerCase())).toContainEqual(open[0]);
			expect(await items(byId(fixtures.order), 'nothing like it')).toEqual([]);
		});

		it('leave out what was sent', async () => {
			const fulfill = { resource: 'order', operation: 'fulfill', orderId: byId(fixtures.order) };
			const [first, ...others] = await items(byId(fixtures.order));
			const item = [{ line_item_id: byMode('list', first.value), quantity: 1 }];
			const part = { ...fulfill, specifyItems: 'defineBelow', items: { item } };
			expect((await shop.run(part)).error).toBeUndefined();
			const left = await items(byId(fixtures.order));
			expect(left.filter(({ value }) => value !== first.value)).toEqual(others);
			expect(left).not.toContainEqual(first);
			await shop.run(fulfill, { executionId: 'the rest' });
			expect(await items(byId(fixtures.order))).toEqual([]);
		});

		it('are found for an order that is named by its number', async () => {
			const { order } = await lineItem();
			expect(await items(byMode('number', `#${String(order.number)}`))).toEqual(
				await items(byId(fixtures.order)),
			);
		});
	},
);

it('says that there is no order with a number, and what to do', async () => {
	await expect(suggested('searchOpenItems', { orderId: byMode('number', '0') })).rejects.toThrow(
		'The order with the number “0” was not found. Choose it From List.',
	);
});

it('says which scope is missing to read the order', async () => {
	const { apiKey } = await shop.platform.control.createKey({ scopes: ['fulfillments.write'] });
	const { baseUrl } = shop.platform;
	const orderId = byId(fixtures.order);
	await expect(
		suggested('searchOpenItems', { orderId }, undefined, { baseUrl, apiKey }),
	).rejects.toThrow('it needs the scope orders.read');
});

it.each([undefined, byMode('list', ''), byId('={{ $json.order }}')])(
	'says that only a run knows the order: %j',
	async (orderId) => {
		await expect(suggested('searchOpenItems', orderId && { orderId })).rejects.toThrow(
			'Which order it is shows only when the workflow runs. Use “ID”.',
		);
		expect(await sent()).toEqual([]);
	},
);

/** Every resource locator in and below some fields. */
function locatorsIn(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		const inner = (field.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		);
		return [...(field.type === 'resourceLocator' ? [field] : []), ...locatorsIn(inner)];
	});
}

it('has a search behind every list, and another way than the list', () => {
	const { node } = editing(shop.platform);
	for (const { default: initial, modes = [] } of locatorsIn(node.description.properties)) {
		expect(initial).toEqual({ mode: 'list', value: '' });
		const [list, ...typed] = modes;
		expect([list.type, ...new Set(typed.map(({ type }) => type))]).toEqual(['list', 'string']);
		const { searchListMethod } = list.typeOptions ?? {};
		expect(Object.keys(node.methods.listSearch)).toContain(searchListMethod);
	}
});
