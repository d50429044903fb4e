import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { BASE_URL, stubApi, type StubRequest } from '../../support/engine';
import { runOperation } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { node, search, type Search, searchAll } from './loadOptions';
import { useShop, type Fixtures } from './shop';

const { shop, fixtures } = useShop();

const found = async (name: Search, filter?: string) =>
	(await search(shop.platform, name, { filter })).results;
const valuesOf = (results: Array<{ value: unknown }>) => results.map(({ value }) => value);
const queries = async () =>
	(await shop.targets()).map((one) => [...new URL(one.slice(4), 'http://x').searchParams]);

describe('From List', () => {
	it.each<[Search, keyof Fixtures, RegExp]>([
		['searchProducts', 'product', /.+ · (draft|published) · [A-Z]+-\d+-1( \(\+ \d+\))?/],
		[
			'searchOrders',
			'order',
			/^#\d+ · .+ · [\d.]+ [A-Z]{3} · paid · changed \d+ [A-Z][a-z]+ \d{4}$/,
		],
		['searchCustomers', 'customer', /^[^@]+ · cust_/],
		['searchWebhooks', 'webhook', /^Fixture · https:\/\/.+ · \w+ · wh_/],
	])('%s shows a name and enough to tell two apart', async (name, fixture, label) => {
		const results = await found(name);
		expect(results.find(({ value }) => value === fixtures[fixture])?.name).toMatch(label);
	});

	it.each(['cancel', 'fulfill', 'refund'])(
		'searchOrders of %s begins with the orders that allow it',
		async (operation) => {
			const forbidden = {
				cancel: ['cancelled', 'fulfilled'],
				fulfill: ['cancelled', 'created', 'fulfilled'],
				refund: ['cancelled', 'created'],
			}[operation];
			const { results } = await search(shop.platform, 'searchOrders', {
				parameters: { operation },
			});
			const allowed = results.map(
				({ name }) => !forbidden?.some((one) => name.includes(` · ${one} · `)),
			);
			expect(allowed).toContain(true);
			expect(allowed).toContain(false);
			expect(allowed).toEqual([...allowed].sort((a, b) => Number(b) - Number(a)));
		},
	);

	it.each<[Search, string, object]>([
		['searchProducts', 'linen', { limit: '50', q: 'linen' }],
		['searchOrders', 'ord_', { limit: '50', q: 'ord_', sort: 'updated_at:desc' }],
		['searchCustomers', '', { limit: '50' }],
		['searchCustomers', 'ada', { limit: '50', q: 'ada' }],
		['searchWebhooks', 'receiver', {}],
		['searchSkus', 'linen', { limit: '50', q: 'linen' }],
		['searchLevelSkus', 'LIN', { limit: '250' }],
		['searchLocations', 'main', { limit: '250' }],
	])('%s asks the platform for what it can search', async (name, words, query) => {
		await found(name, words);
		expect(Object.fromEntries((await queries())[0])).toEqual(query);
	});

	it('shows orders in the platform’s order if it does not sort by the last change', async () => {
		const ids = valuesOf(await found('searchOrders'));
		await shop.control.configure({ dialect: { sort: 'refused' } });
		const unsorted = valuesOf(await found('searchOrders'));
		await shop.control.configure({ dialect: { sort: 'taken' } });
		expect([...unsorted].sort()).toEqual([...ids].sort());
		expect(unsorted).not.toEqual(ids);
	});

	it('finds a customer among more than can be read while somebody waits', async () => {
		await shop.control.reset({ customers: 1_010 });
		const [last] = await shop.list('/customers?limit=1&sort=created_at:desc');
		expect(valuesOf(await found('searchCustomers', String(last.email)))).toEqual([last.id]);
	});

	describe('whose platform finds only by e-mail, or takes no notice of words', () => {
		const ada = { id: 'cust_1', first_name: 'Ada', last_name: 'Berg' };
		const zoe = { id: 'cust_8', first_name: 'Zoe', last_name: 'Voss' };
		const access = { baseUrl: BASE_URL, apiKey: 'k' };
		const page = (data: IDataObject[], next_cursor: string | null): [number, IDataObject] => [
			200,
			{ data, pagination: { has_more: next_cursor !== null, next_cursor } },
		];
		const asked = (sent: StubRequest[]) => sent.map(({ query: { q, cursor } }) => [q, cursor]);

		it('customers are searched here, and the list goes on so when it is scrolled', async () => {
			const sent = stubApi({
				'GET /customers': ({ query: { q, cursor } }) => {
					if (q !== undefined) return page([], null);
					return cursor === undefined ? page([ada], 'c2') : page([zoe], 'c3');
				},
			});
			const filter = 'ada berg';
			const { results, paginationToken } = await search(access, 'searchCustomers', { filter });
			expect(valuesOf(results)).toEqual(['cust_1']);
			const token = String(paginationToken);
			const next = await search(access, 'searchCustomers', { filter, token });
			expect(next.results).toEqual([]);
			expect(asked(sent).slice(0, 3)).toEqual([
				[filter, undefined],
				[undefined, undefined],
				[undefined, 'c2'],
			]);
		});

		it('only the customers that match are shown', async () => {
			stubApi({ 'GET /customers': () => page([zoe, ada], null) });
			const { results } = await search(access, 'searchCustomers', { filter: 'ada' });
			expect(valuesOf(results)).toEqual(['cust_1']);
		});
	});

	it.each<[Search, string]>([
		['searchOrders', '/orders'],
		['searchProducts', '/products'],
	])('%s believes the platform’s search, with one request', async (name, path) => {
		const sent = stubApi({ [`GET ${path}`]: [[200, { data: [] }]] });
		const access = { baseUrl: BASE_URL, apiKey: 'k' };
		const { results } = await search(access, name, { filter: 'nothing' });
		expect([results, sent.length]).toEqual([[], 1]);
	});

	it('keeps what it found when the list is scrolled to where nothing matches', async () => {
		const levels = { inventory: 1_300, products: 1_300 };
		await shop.control.reset(levels);
		const [first] = await shop.list('/inventory/levels?limit=1');
		const pages = await searchAll(shop.platform, 'searchLevelSkus', String(first.sku));
		expect(pages.flat().map(({ value }) => value)).toContain(first.sku);
	});

	it('searches customers itself if the platform refuses words, and says where it stopped', async () => {
		await shop.control.reset({ customers: 1_010 });
		await shop.control.configure({ dialect: { unknownParameters: 'asTables' } });
		const all = await shop.list('/customers?limit=250');
		expect(valuesOf(await found('searchCustomers', String(all[240].email)))).toEqual([all[240].id]);
		await expect(found('searchCustomers', 'nobody@nowhere.example')).rejects.toThrow(
			'Searched the first 1000 customers and found no match. Enter it instead.',
		);
		await shop.control.configure({ dialect: { unknownParameters: 'refused' } });
	});

	it('finds an order by its number as the list shows it', async () => {
		const [{ number }] = await shop.list('/orders?limit=1');
		const byNumber = await found('searchOrders', ` #${String(number)} `);
		expect(byNumber.length).toBeGreaterThan(0);
	});

	it('says where a search for names in a long list stopped', async () => {
		const levels = { inventory: 1_010, products: 1_010 };
		await shop.control.reset(levels);
		expect((await shop.list('/inventory/levels?limit=250')).length).toBe(250);
		await expect(found('searchLevelSkus', 'no such SKU')).rejects.toThrow(
			'Searched the first 1000 stock levels and found no match.',
		);
	});

	it('searches webhooks itself, in upper and lower case', async () => {
		expect(await found('searchWebhooks', 'RECEIVER.example')).toHaveLength(1);
		expect(await found('searchWebhooks', 'elsewhere')).toEqual([]);
	});
});

it('every locator starts with From List, has a search, and has another mode', () => {
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

describe('names that other records contain', () => {
	it('are the SKUs that match, each with its product and variant', async () => {
		const { title, variants } = await shop.read(`/products/${fixtures.product}`);
		const [variant] = variants as IDataObject[];
		const names = (await found('searchSkus', fixtures.sku)).map(({ name }) => name);
		expect(names).toContain(`${fixtures.sku} · ${String(title)} · ${String(variant.title)}`);
		expect(names.filter((name) => !name.includes(fixtures.sku))).toEqual([]);
	});

	it('are the SKUs and the locations of stock levels, each once', async () => {
		const levels = await shop.list('/inventory/levels?limit=250');
		const valuesOf = (name: string) => [...new Set(levels.map((level) => level[name]))].sort();
		const values = async (name: Search) => (await found(name)).map(({ value }) => value).sort();
		expect(await values('searchLevelSkus')).toEqual(valuesOf('sku'));
		expect(await values('searchLocations')).toEqual(valuesOf('location_id'));
	});

	it.each<[string, unknown]>([
		['From List', { __rl: true, mode: 'list', value: 'A', cachedResultName: 'A · Shirt' }],
		['by SKU', { __rl: true, mode: 'sku', value: 'A' }],
		['as the text that an expression gives', 'A'],
	])('are sent as they are, chosen %s', async (_way, sku) => {
		const locationId = byId('sloc_1');
		const sent = stubApi({ '*': [[200, { data: { sku: 'A', location_id: 'sloc_1' } }]] });
		await runOperation('inventory.set', { sku, locationId, quantity: 1 } as IDataObject);
		expect(sent[0].body).toMatchObject({ sku: 'A', location_id: 'sloc_1', quantity: 1 });
	});
});
