import type { INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { editing } from './loadOptions';
import { useShop, type Fixtures, type Shop, WEBHOOK_URL } from './shop';
import { readWire } from './wire';

type Search = keyof ReturnType<typeof editing>['node']['methods']['listSearch'];

let shop: Shop;
let fixtures: Fixtures;

useShop((opened, found) => {
	shop = opened;
	fixtures = found;
});

const search = async (name: Search, filter?: string, token?: string) => {
	const { node, context } = editing(shop.platform);
	return await node.methods.listSearch[name].call(context, filter, token);
};

const lastQuery = async () =>
	(await readWire(await shop.platform.control.requests())).at(-1)?.query;

describe('From List', () => {
	it.each<[Search, keyof Fixtures, RegExp]>([
		['searchProducts', 'product', /.+ · (draft|published) · prod_/],
		['searchOrders', 'order', /^#\d+ · .+ · [\d.]+ [A-Z]{3} · paid · \d+ [A-Z][a-z]+( \d{4})?$/],
		['searchCustomers', 'customer', /.+ · .+@.+ · cust_/],
		['searchWebhooks', 'webhook', /^https:\/\/.+ · Fixture · \w+ · wh_/],
	])('%s shows a name and enough to tell two apart', async (name, fixture, label) => {
		const { results } = await search(name);
		const found = results.find(({ value }) => value === fixtures[fixture]);
		expect(found?.name).toMatch(label);
		expect(new Set(results.map((one) => one.name)).size).toBe(results.length);
	});

	it.each<[Search, string, object]>([
		['searchProducts', 'linen', {}],
		['searchOrders', 'ord_', { sort: 'updated_at:desc' }],
	])('%s leaves the search to the platform', async (name, words, more) => {
		await search(name, words);
		expect(await lastQuery()).toEqual({ limit: '50', q: words, ...more });
	});

	it('shows orders in the platform’s order where it does not sort by the last change', async () => {
		const { results } = await search('searchOrders');
		await shop.platform.control.configure({ dialect: { sort: 'refused' } });
		const unsorted = await search('searchOrders');
		await shop.platform.control.configure({ dialect: { sort: 'taken' } });
		const ids = (list: typeof results) => list.map(({ value }) => value);
		expect([...ids(unsorted.results)].sort()).toEqual([...ids(results)].sort());
		expect(ids(unsorted.results)).not.toEqual(ids(results));
	});

	it('says that it stopped, rather than that there is no such customer', async () => {
		await shop.platform.control.reset({ customers: 260 });
		const stopped = search('searchCustomers', 'nobody@nowhere.example');
		await expect(stopped).rejects.toThrow(
			'Searched the first 200 customers and found no match. Use “Email” or “ID”.',
		);
	});

	it('searches customers here, since their list takes no words', async () => {
		const { results: all } = await search('searchCustomers');
		const { results } = await search('searchCustomers', String(all[3].name).slice(0, 8));
		expect(results.map(({ value }) => value)).toContain(all[3].value);
		expect(results.length).toBeLessThan(all.length);
		expect(await lastQuery()).toEqual({ limit: '50' });
	});

	it('asks for webhooks without any query, and searches them here', async () => {
		expect((await search('searchWebhooks', 'RECEIVER.example')).results).toHaveLength(1);
		expect((await search('searchWebhooks', 'elsewhere')).results).toEqual([]);
		expect(await lastQuery()).toEqual({});
		expect(WEBHOOK_URL).toContain('receiver.example');
	});

	it('walks on by the platform’s cursor', async () => {
		await shop.platform.control.reset({ products: 120 });
		const pages: INodeListSearchResult[] = [];
		let token: string | undefined;
		do {
			const page = await search('searchProducts', undefined, token);
			pages.push(page);
			token = page.paginationToken as string | undefined;
		} while (token !== undefined);
		const ids = pages.flatMap(({ results }) => results.map(({ value }) => value));
		expect(pages.map(({ results }) => results.length)).toEqual([50, 50, 20]);
		expect(new Set(ids).size).toBe(120);
	});

	it('looks through several pages of customers before it shows nothing', async () => {
		await shop.platform.control.reset({ customers: 120 });
		const all = await shop.list('/customers?limit=120');
		const { results } = await search('searchCustomers', String(all[110].email));
		expect(results.map(({ value }) => value)).toEqual([all[110].id]);
	});

	it('says what is wrong with the credential', async () => {
		const { node, context } = editing({ baseUrl: shop.platform.baseUrl, apiKey: 'wrong' });
		await expect(node.methods.listSearch.searchProducts.call(context)).rejects.toThrow(
			'The API key was not accepted',
		);
	});
});

describe('categories to choose from', () => {
	it('come from the shop, by name', async () => {
		const { node, context } = editing(shop.platform);
		const options = await node.methods.loadOptions.getCategories.call(context);
		const categories = await shop.list('/categories');
		expect(options.map(({ name }) => name)).toEqual(
			categories.map(({ name }) => String(name)).sort((a, b) => a.localeCompare(b)),
		);
		expect(options.map(({ value }) => value)).toContain(fixtures.category);
	});
});

describe('the editor', () => {
	const locators = () => {
		const found: INodeProperties[] = [];
		for (const property of editing(shop.platform).node.description.properties)
			if (property.type === 'resourceLocator') found.push(property);
		return found;
	};

	it('starts every locator with From List, and searches with a method that there is', () => {
		const { node } = editing(shop.platform);
		expect(locators().length).toBeGreaterThan(10);
		for (const { default: initial, modes } of locators()) {
			expect(initial).toEqual({ mode: 'list', value: '' });
			const [list, byId] = modes ?? [];
			expect(list.name).toBe('list');
			expect(byId.name).toBe('id');
			expect(Object.keys(node.methods.listSearch)).toContain(list.typeOptions?.searchListMethod);
		}
	});

	it('describes every field, so that an AI agent can fill it', () => {
		const { properties } = editing(shop.platform).node.description;
		const without = properties.flatMap(undescribed);
		expect(without).toEqual([]);
	});
});

/** The fields in and below one that say nothing of themselves. */
function undescribed(property: INodeProperties): string[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values.flatMap(undescribed);
		return 'type' in option ? undescribed(option as INodeProperties) : [];
	});
	// A notice holds no value that could be filled in.
	if (property.type === 'notice') return inner;
	return property.description ? inner : [property.name, ...inner];
}
