import type { INodeProperties } from 'n8n-workflow';

import { node, search, type Search } from './loadOptions';
import { useShop, type Fixtures } from './shop';

const { shop, fixtures } = useShop();

const found = async (name: Search, filter?: string) =>
	(await search(shop.platform, name, { filter })).results;
const valuesOf = (results: Array<{ value: unknown }>) => results.map(({ value }) => value);
const queries = async () =>
	(await shop.targets()).map((one) => [...new URL(one.slice(4), 'http://x').searchParams]);

describe('From List', () => {
	it.each<[Search, keyof Fixtures, RegExp]>([
		['searchProducts', 'product', /.+ · (draft|published) · prod_/],
		['searchOrders', 'order', /^#\d+ · .+ · [\d.]+ [A-Z]{3} · paid · \d+ [A-Z][a-z]+( \d{4})?$/],
		['searchCustomers', 'customer', /.+ · .+@.+ · cust_/],
		['searchWebhooks', 'webhook', /^Fixture · https:\/\/.+ · \w+ · wh_/],
	])('%s shows a name and enough to tell two apart', async (name, fixture, label) => {
		const results = await found(name);
		expect(results.find(({ value }) => value === fixtures[fixture])?.name).toMatch(label);
	});

	it.each<[Search, string, object]>([
		['searchProducts', 'linen', { limit: '50', q: 'linen' }],
		['searchOrders', 'ord_', { limit: '50', q: 'ord_', sort: 'updated_at:desc' }],
		['searchCustomers', 'ada', { limit: '50' }],
		['searchWebhooks', 'receiver', {}],
	])('%s asks the platform for what it can search', async (name, words, query) => {
		await found(name, words);
		expect(Object.fromEntries((await queries())[0])).toEqual(query);
	});

	it('shows orders in the platform’s order where it does not sort by the last change', async () => {
		const ids = valuesOf(await found('searchOrders'));
		await shop.control.configure({ dialect: { sort: 'refused' } });
		const unsorted = valuesOf(await found('searchOrders'));
		await shop.control.configure({ dialect: { sort: 'taken' } });
		expect([...unsorted].sort()).toEqual([...ids].sort());
		expect(unsorted).not.toEqual(ids);
	});

	it('searches customers here, since their list takes no words, and says where it stopped', async () => {
		await shop.control.reset({ customers: 260 });
		const all = await shop.list('/customers?limit=250');
		expect(valuesOf(await found('searchCustomers', String(all[110].email)))).toEqual([all[110].id]);
		await expect(found('searchCustomers', 'nobody@nowhere.example')).rejects.toThrow(
			'Searched the first 200 customers and found no match. Use “By Email” or “By ID”.',
		);
	});

	it('searches webhooks here, in any case of letters', async () => {
		expect(await found('searchWebhooks', 'RECEIVER.example')).toHaveLength(1);
		expect(await found('searchWebhooks', 'elsewhere')).toEqual([]);
	});
});

it('every locator starts with From List, has a search behind it, and another way than the list', () => {
	const locators: INodeProperties[] = [];
	JSON.stringify(node.description, (_name, value?: INodeProperties) => {
		if (value?.type === 'resourceLocator') locators.push(value);
		return value;
	});
	expect(locators.length).toBeGreaterThan(10);
	for (const { default: initial, modes = [] } of locators) {
		expect(initial).toEqual({ mode: 'list', value: '' });
		const [list, ...typed] = modes;
		expect([list.type, ...new Set(typed.map(({ type }) => type))]).toEqual(['list', 'string']);
		expect(Object.keys(node.methods.listSearch)).toContain(list.typeOptions?.searchListMethod);
	}
});
