import { categories, searchAll, type Search } from '../operations/loadOptions';
import { useShop } from '../operations/shop';
import { inEachDialect } from './chosen';

inEachDialect('the editor', (dialect) => {
	const { shop, fixtures } = useShop('each', dialect);
	const entries = async (name: Search, filter?: string) =>
		(await searchAll(shop.platform, name, filter)).flat();

	it.each([
		['searchProducts', 'product', 12],
		['searchOrders', 'order', 40],
		['searchCustomers', 'customer', 8],
		['searchWebhooks', 'webhook', 1],
	] as const)('%s offers every record once, under a name of its own', async (name, kind, count) => {
		const found = await entries(name);
		expect(found.map(({ value }) => value)).toContain(fixtures[kind]);
		expect(found).toHaveLength(count);
		expect(new Set(found.map(({ value }) => value)).size).toBe(count);
		expect(new Set(found.map((one) => one.name)).size).toBe(count);
	});

	it('searchProducts finds by words', async () => {
		const { title } = await shop.record('products', fixtures.product);
		const found = await entries('searchProducts', String(title));
		expect(found.map(({ value }) => value)).toContain(fixtures.product);
	});

	it('searchCustomers finds by words, also where the list takes none', async () => {
		const found = await entries('searchCustomers', fixtures.customer);
		expect(found.map(({ value }) => value)).toEqual([fixtures.customer]);
	});

	it('getCategories offers every category under its name, by name', async () => {
		const found = await categories(shop.platform);
		const known = found.map(async ({ value }) => await shop.record('categories', String(value)));
		const names = (await Promise.all(known)).map(({ name }) => String(name));
		expect(found.map(({ name }) => name)).toEqual(names.sort((a, b) => a.localeCompare(b)));
		expect(new Set(found.map(({ value }) => value)).size).toBe(5);
	});
});
