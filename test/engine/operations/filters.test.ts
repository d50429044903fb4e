import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import type { Field } from '../../../nodes/shared/values/fields';
import { onlyPage, runOperation, stubApi } from '../../support/engine';
import { search } from './loadOptions';
import { useShop } from './shop';

const { shop } = useShop();

/** The filters of a list. */
function filtersOf(resource: string): Field[] {
	const operations = resources.find(({ value }) => value === resource)?.operations ?? [];
	const fields = operations.find(({ option }) => option.value === 'getAll')?.fields ?? [];
	return (fields.find(({ name }) => name === 'filters')?.options ?? []) as Field[];
}

describe('the filter Customer of orders', () => {
	const order = (id: string, more: IDataObject) => ({ id, status: 'paid', ...more });
	const data = [
		order('ord_1', { email: 'Ada@Example.com' }),
		order('ord_2', { email: 'mada@example.com' }),
		order('ord_3', { customer: { id: 'cust_1', name: 'Ada Berg' } }),
		order('ord_4', { note: 'ada@example.com' }),
	];

	it.each([
		['an e-mail', ' ada@example.com ', ['ord_1']],
		['a name', 'ada berg', ['ord_3']],
		['an ID', 'cust_1', ['ord_3']],
	])('keeps exact matches of the search only: %s', async (_what, customer, ids) => {
		const sent = stubApi({ 'GET /orders': [onlyPage(data)] });
		const { json, hint } = await runOperation('order.getAll', { filters: { customer } });
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(sent.map(({ query }) => query.q)).toEqual([customer.trim()]);
		expect(hint).toContain('Orders that show no customer');
	});

	it('reads on until Limit orders are kept', async () => {
		const page = (records: IDataObject[], next: string | null) => ({
			data: records,
			pagination: { has_more: next !== null, next_cursor: next },
		});
		stubApi({
			'GET /orders': [
				[200, page([data[1]], 'c1')],
				[200, page([data[0]], 'c2')],
				[200, page([order('ord_5', { email: 'ada@example.com' })], null)],
			],
		});
		const filters = { customer: 'ada@example.com' };
		const { json } = await runOperation('order.getAll', { limit: 1, filters });
		expect(json.map(({ id }) => id)).toEqual(['ord_1']);
	});

	it('is refused if its expression returns nothing, since all orders would come', async () => {
		const sent = stubApi({});
		const filters = { customer: '={{ $json.none }}' };
		const { error } = await runOperation('order.getAll', { filters });
		expect(error?.message).toContain('Customer');
		expect(error?.message).toContain('is empty');
		expect(sent).toEqual([]);
	});

	it('finds the orders of a customer of a shop', async () => {
		const orders = await shop.list('/orders?limit=250');
		const { email } = orders[3];
		const own = orders.filter((one) => one.email === email).map(({ id }) => id);
		const { json } = await shop.run('order.getAll', {
			returnAll: true,
			filters: { customer: String(email).toUpperCase() },
		});
		expect(json.map(({ id }) => id).sort()).toEqual(own.sort());
	});
});

it('customers have the common filters, and a Limit gives those that changed last', async () => {
	expect(filtersOf('customer').map(({ name }) => name)).toEqual([
		'created_since',
		'created_until',
		'q',
		'updated_since',
	]);
	await shop.run('customer.getAll', { limit: 2 });
	expect((await shop.targets())[0]).toContain('sort=updated_at%3Adesc');
});

it.each(['order', 'customer', 'product'])('says how to write yesterday: %s', (resource) => {
	const hints = new Map(filtersOf(resource).map(({ name, hint }) => [name, hint]));
	expect(hints.get('created_since')).toContain(
		"As an expression for yesterday: <code>{{ $today.minus(1, 'day') }}</code>",
	);
	expect(hints.get('created_until')).toContain(
		'As an expression for yesterday: <code>{{ $today }}</code>',
	);
});

it('each Search has an example of its own', () => {
	const examples = ['order', 'customer', 'product', 'category'].map(
		(resource) => filtersOf(resource).find(({ name }) => name === 'q')?.placeholder,
	);
	expect(new Set(examples).size).toBe(4);
});

it('rows of lines carry the number, and the name and e-mail of the customer', async () => {
	const line = { line_item_id: 'li_1', quantity: 1 };
	const order = {
		...{ id: 'ord_1', number: '1041', email: 'ada@example.com', line_items: [line] },
		shipping_address: { first_name: 'Ada', last_name: 'Berg' },
	};
	stubApi({ 'GET /orders': [[200, { data: [order] }]] });
	const parameters = { returnAll: true, options: { output: 'lineItems' } };
	const { json } = await runOperation('order.getAll', parameters);
	expect(json).toEqual([
		{
			...{ order_id: 'ord_1', order_number: '1041', customer_name: 'Ada Berg' },
			...{ customer_email: 'ada@example.com', ...line },
		},
	]);
});

it.each([
	['cancel', ['created', 'paid'], ['cancelled', 'fulfilled']],
	['fulfill', ['paid'], ['cancelled', 'created', 'fulfilled']],
	['refund', ['fulfilled', 'paid'], ['cancelled', 'created']],
])('From List of %s begins with orders that allow it', async (operation, allowed, forbidden) => {
	const parameters = { resource: 'order', operation };
	const { results } = await search(shop.platform, 'searchOrders', { parameters });
	const states = results.map(({ name }) => name.split(' · ').at(-2) ?? '');
	const begin = states.filter((state) => allowed.includes(state)).length;
	expect(begin).toBeGreaterThan(0);
	expect(states.slice(0, begin).filter((state) => !allowed.includes(state))).toEqual([]);
	expect(states.slice(begin).filter((state) => !forbidden.includes(state))).toEqual([]);
});
