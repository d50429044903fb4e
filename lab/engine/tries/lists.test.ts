import { byMode } from '../../../test/support/parameters';
import { STATES, statusOf } from '../orderRecord';
import { search, searchAll, type Search } from '../../../test/engine/operations/loadOptions';
import { access, recordsOf, requests, run } from './engine';

/** How many records the engine has, with a filter of its own. */
const countOf = async (list: string, filter?: object): Promise<number> =>
	(await recordsOf(list, 'id', filter)).length;

const LISTS: Array<[operation: string, list: string]> = [
	['order.getAll', 'orders'],
	['product.getAll', 'products'],
	['customer.getAll', 'customers'],
	['category.getAll', 'collections'],
];

it.each(LISTS)('%s, Return All, gives each record once', async (operation, list) => {
	const { json } = await run(operation, { returnAll: true });
	expect(new Set(json.map(({ id }) => id)).size).toBe(await countOf(list));
	expect(json).toHaveLength(await countOf(list));
});

it.each(LISTS)('%s gives as many as the limit says, and asks once', async (operation) => {
	await requests();
	expect((await run(operation, { limit: 7 })).json).toHaveLength(7);
	expect(await requests()).toHaveLength(1);
});

it.each(LISTS.slice(0, 1))(
	'%s gives the same once more, sorted by what changed',
	async (operation, list) => {
		for (const direction of ['asc', 'desc']) {
			const sort = { by: { field: 'updated_at', direction } };
			const parameters = { returnAll: true, simplify: false, options: { sort } };
			const { json } = await run(operation, parameters);
			const times = json.map((record) => String(record.updated_at));
			const ordered = [...times].sort();
			expect(times).toEqual(direction === 'asc' ? ordered : ordered.reverse());
			expect(times).toHaveLength(await countOf(list));
		}
	},
);

it.each(STATES)('orders by the status of %s are those that the engine has in it', async (state) => {
	const { json } = await run('order.getAll', {
		returnAll: true,
		filters: { status: statusOf(state) },
	});
	expect(json).toHaveLength(await countOf('orders', { state: { eq: state } }));
	for (const { status } of json) expect(status).toBe(statusOf(state));
});

it.each(['draft', 'published'])('products by the status %s', async (status) => {
	const { json } = await run('product.getAll', { returnAll: true, filters: { status } });
	expect(json).toHaveLength(await countOf('products', { enabled: { eq: status === 'published' } }));
});

it.each(['order.getAll', 'product.getAll'])(
	'%s by a SKU finds it, and an unknown one nothing',
	async (operation) => {
		const sku = 'LA-1002';
		expect((await run('product.getAll', { filters: { sku } })).json).toHaveLength(1);
		expect((await run(operation, { filters: { sku: 'NOT-THERE' } })).json).toEqual([]);
	},
);

it('a search finds products by their title', async () => {
	const { json } = await run('product.getAll', { returnAll: true, filters: { q: 'Walnut' } });
	expect(json).toHaveLength(await countOf('products', { name: { contains: 'Walnut' } }));
});

it('orders of a time are those that the engine has in it', async () => {
	const orders = await recordsOf<{ createdAt: string }>('orders', 'createdAt');
	const times = orders.map(({ createdAt }) => createdAt);
	const middle = times[60];
	const count = async (filters: object) =>
		(await run('order.getAll', { returnAll: true, filters })).json.length;
	expect([await count({ created_since: middle }), await count({ created_until: middle })]).toEqual([
		times.filter((time) => time >= middle).length,
		times.filter((time) => time <= middle).length,
	]);
});

it('totals of orders add up to what the engine has, by currency', async () => {
	const orders = await recordsOf<{ totalWithTax: number; currencyCode: string }>(
		'orders',
		'totalWithTax currencyCode',
		{ state: { eq: 'Shipped' } },
	);
	const parameters = { returnAll: true, filters: { status: 'fulfilled' } };
	const sums: Record<string, number> = {};
	for (const { currencyCode, totalWithTax } of orders)
		sums[currencyCode] = (sums[currencyCode] ?? 0) + totalWithTax;
	const { json } = await run('order.getAll', { ...parameters, options: { output: 'totals' } });
	expect(
		Object.fromEntries(json.map(({ currency, total_minor: total }) => [currency, total])),
	).toEqual(sums);
});

const SEARCHES: Array<[Search, string]> = [
	['searchOrders', 'orders'],
	['searchProducts', 'products'],
	['searchCustomers', 'customers'],
];
it.each(SEARCHES)('%s: From List goes on to the last record', async (name, list) => {
	expect((await searchAll(access, name)).flat()).toHaveLength(await countOf(list));
});

it.each<[Search, string, RegExp]>([
	['searchProducts', 'Walnut Rug 3', /Walnut Rug 3/],
	['searchCustomers', 'Sample1', /Sample1/],
	['searchSkus', 'LA-1002', /LA-1002/],
	['searchLocations', 'outlet', /sloc_outlet_store/],
])('%s: a search in From List finds “%s”', async (name, filter, label) => {
	const { results } = await search(access, name, { filter });
	expect(results.map(({ name: shown }) => shown).join()).toMatch(label);
});

it('thirty unknown numbers read no page twice', async () => {
	await requests();
	const items = Array.from({ length: 30 }, (_, n) => ({ number: `UNKNOWN${n}` }));
	const orderId = byMode('number', '={{ $json.number }}');
	await run('order.get', { orderId }, items);
	const asked = await requests();
	expect(new Set(asked).size).toBe(asked.length);
	expect(asked.length).toBeLessThanOrEqual(34);
});
