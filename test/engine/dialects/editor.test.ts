import { editing } from '../operations/loadOptions';
import type { Fixtures } from '../operations/shop';
import { chosenDialects } from './chosen';
import { openDialectShop, type DialectShop } from './dialectShop';

type Search = keyof ReturnType<typeof editing>['node']['methods']['listSearch'];

describe.each(chosenDialects().map((one) => [one.name, one.dialect] as const))(
	'the editor, in the dialect %s',
	(_name, dialect) => {
		let shop: DialectShop;
		let fixtures: Fixtures;
		beforeAll(async () => {
			shop = await openDialectShop(dialect);
			fixtures = await shop.fresh();
		});
		afterAll(async () => await shop.close());

		/** Every entry of a list, page by page, as a user scrolls. */
		async function entries(name: Search, filter?: string) {
			const { node, context } = editing(shop.platform);
			const found: Array<{ name: string; value: unknown }> = [];
			let token: string | undefined;
			do {
				const page = await node.methods.listSearch[name].call(context, filter, token);
				found.push(...(page.results as typeof found));
				token = page.paginationToken as string | undefined;
			} while (token !== undefined);
			return found;
		}

		it.each([
			['searchProducts', 'product', 12],
			['searchOrders', 'order', 40],
			['searchCustomers', 'customer', 8],
			['searchWebhooks', 'webhook', 1],
		] as const)(
			'%s offers every record once, under a name of its own',
			async (search, kind, count) => {
				const found = await entries(search);
				expect(found.map(({ value }) => value)).toContain(fixtures[kind]);
				expect(new Set(found.map(({ value }) => value)).size).toBe(count);
				expect(found).toHaveLength(count);
				expect(new Set(found.map(({ name }) => name)).size).toBe(count);
			},
		);

		it('searchProducts finds by words', async () => {
			const { title } = await shop.record('products', fixtures.product);
			const found = await entries('searchProducts', String(title));
			expect(found.map(({ value }) => value)).toContain(fixtures.product);
		});

		it('getCategories offers every category under its name', async () => {
			const { node, context } = editing(shop.platform);
			const found = await node.methods.loadOptions.getCategories.call(context);
			const plain = await shop.plainList('/categories?limit=250');
			expect(found.map(({ value }) => value).sort()).toEqual(plain.map(({ id }) => id).sort());
			expect(found.map(({ name }) => name).sort()).toEqual(plain.map(({ name }) => name).sort());
		});
	},
);
