import type { IDataObject } from 'n8n-workflow';

import { minorToMajor } from '../../../nodes/shared/values/money';
import { byId } from '../../support/engine';
import { CONTINUE, useBulkShop } from './bulkShop';

type Price = IDataObject & { amount: number; currency: string };
type Variant = IDataObject & { sku: string; prices: Price[] };
type Product = IDataObject & { id: string; variants: Variant[] };

const shop = useBulkShop({ products: 300 });
const PATCH = 'PATCH /products/{id}';

let products: Product[];
let first: Variant;
// The shop is the same before each test.
let whole: Product[] | undefined;
beforeEach(async () => {
	whole ??= await shop.all<Product>('product');
	products = structuredClone(whole);
	[first] = products[0].variants;
});

const setPrices = async (items: IDataObject[], options: IDataObject = {}, more = {}, run = {}) => {
	const price = { amount: '={{ $json.price }}', currency: '={{ $json.currency }}' };
	const parameters = { sku: '={{ $json.sku }}', ...price, options, ...more };
	return await shop.run('product.setPrices', parameters, { items, ...run });
};
const MINOR = { amountsAreIn: 'minor' };

/** A row that sets a variant's price, in the currency of its first price. */
const rowOf = ({ sku, prices }: Variant, price: unknown = '5') =>
	({ sku, price, currency: prices[0].currency }) as IDataObject;

/** An amount in major and minor units beside its currency, as a row has it. */
const columns = (name: string, amount: number, currency: string): IDataObject => ({
	[name]: Number(minorToMajor(amount, currency)),
	[`${name}_minor`]: amount,
	currency,
});

const timeless = (some: Product[]) =>
	Object.fromEntries(some.map(({ updated_at: _, ...product }) => [product.id, product]));

it('reads and writes each product once, changes the prices that are named, adds one in another currency, and nothing else', async () => {
	const one = products.find(({ variants }) => variants.length === 3)!;
	const added = { sku: one.variants[0].sku, price: '1.234', currency: 'KWD' };
	const rows = [...one.variants.map((variant) => rowOf(variant)), added];
	const { items, json } = await setPrices(rows);
	const three = { 'GET /products': 3, 'GET /products/{id}': 1, [PATCH]: 1 };
	expect(await shop.requests()).toEqual(three);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	expect(json.map(({ sku }) => sku)).toEqual(rows.map(({ sku }) => sku));
	const [{ sku, prices }] = one.variants;
	const [{ price_minor: amount }] = json;
	expect(json[0]).toEqual({
		...{ sku, price: 5, price_minor: amount, currency: prices[0].currency },
		...{ previous: expect.any(Number) as number, previous_minor: prices[0].amount },
		...{ productId: one.id, productTitle: one.title },
	});
	expect(json[3]).toMatchObject({ price: 1.234, price_minor: 1234, previous: null });
	for (const variant of one.variants) variant.prices[0].amount = amount as number;
	one.variants[0].prices.push({ amount: 1234, currency: 'KWD' });
	expect(timeless(await shop.all('product'))).toEqual(timeless(products));
});

it.each<[string, number, IDataObject]>([
	['is not read again before its write', 0, {}],
	['is read again if it may be old by then', 10, { requestOptions: { maxRetryWait: 0 } }],
])('a product that the walk through the catalog has shown %s', async (_what, reads, more) => {
	const rows = products.slice(0, 10).map(({ variants }) => rowOf(variants[0]));
	const { json } = await setPrices(rows, {}, more);
	expect(json.map(({ price }) => price)).toEqual(rows.map(() => 5));
	const { 'GET /products/{id}': read = 0, ...others } = await shop.requests();
	expect([read, others]).toEqual([reads, { 'GET /products': 2, [PATCH]: 10 }]);
	for (const [n, { price_minor: amount }] of json.entries())
		products[n].variants[0].prices[0].amount = amount as number;
	expect(timeless(await shop.all('product'))).toEqual(timeless(products));
});

it('a product that another execution writes meanwhile is read after it', async () => {
	const [{ id, variants }] = products;
	const rows = products.slice(0, 10).map((product) => rowOf(product.variants[0]));
	await shop.control.setFaults([{ fault: 'slow', ms: 300, method: 'PATCH' }]);
	const variantsJson = [{ sku: variants[0].sku, title: 'Renamed' }];
	const parameters = { productId: byId(id), updateFields: { variantsJson } };
	await Promise.all([shop.run('product.update', parameters), setPrices(rows)]);
	const [now] = await shop.all<Product>('product');
	expect(now.variants[0]).toMatchObject({ title: 'Renamed', prices: [{}] });
	expect(now.variants[0].prices[0].amount).not.toBe(variants[0].prices[0].amount);
});

it('fails only the items with an unknown SKU, by name; writes nothing if the run is set to stop', async () => {
	const rows = [rowOf(first), { ...rowOf(first), sku: 'NO-SUCH' }];
	const stopped = await setPrices(rows);
	expect(stopped.error?.message).toContain('NO-SUCH');
	expect(await shop.requests()).not.toHaveProperty([PATCH]);
	const { failures, items } = await setPrices(rows, {}, {}, CONTINUE);
	const unknown = "'SKU' “NO-SUCH” names no variant of any product";
	expect(failures.map((failure) => failure?.message)).toEqual([undefined, unknown]);
	expect(items[1].pairedItem).toEqual({ item: 1 });
});

it.each([1, 5])(
	'fails the item if a product on a later page has its SKU as well, among %d SKUs',
	async (count) => {
		const rows = products.slice(0, count).map(({ variants }) => rowOf(variants[0]));
		await shop.addTwin(first.sku);
		const stopped = await setPrices(rows);
		expect(stopped.error?.message).toContain(`“${first.sku}” names 2 products`);
		expect(await shop.requests()).not.toHaveProperty([PATCH]);
		const { json } = await setPrices(rows, {}, {}, CONTINUE);
		expect(json.map(({ error }) => error !== undefined)).toEqual(rows.map((_, n) => n === 0));
	},
);

it('lets the last of two items for one price count, and says so', async () => {
	const { json, hint } = await setPrices([rowOf(first, '5'), rowOf(first, '6')]);
	expect(json.map(({ price }) => price)).toEqual([6, 6]);
	expect(hint).toContain('rows 1 and 2. Where they differ, the last of them counts.');
	expect((await shop.requests())[PATCH]).toBe(1);
});

it('leaves out prices that are already set, unless all are to be written', async () => {
	const row = rowOf(first, first.prices[0].amount);
	const { json, hint } = await setPrices([row], MINOR);
	expect(json).toMatchObject([{ sku: first.sku, skipped: true }]);
	expect(hint).toContain('1 of 1 prices were so already.');
	expect(await shop.requests()).toEqual({ 'GET /products': 1 });
	await setPrices([row], { onlyIfChanged: false, ...MINOR });
	expect((await shop.requests())[PATCH]).toBe(1);
});

it('writes nothing in a dry run, and shows each price as it is and as it would be', async () => {
	const [{ title }, next] = products;
	const [{ sku, prices }] = next.variants;
	const [{ amount, currency }] = first.prices;
	const rows = [
		rowOf(first, 500),
		{ sku: first.sku, price: 123, currency: 'KWD' },
		{ ...rowOf(first, 1), sku: 'NO-SUCH' },
		rowOf(next.variants[0], prices[0].amount),
	];
	const { json, hint } = await setPrices(rows, { dryRun: true, ...MINOR });
	const about = { dryRun: true, sku: first.sku, title, result: 'would change', field: 'price' };
	expect(json).toEqual([
		{ ...about, ...columns('old', amount, currency), ...columns('new', 500, currency) },
		{ ...about, old: null, ...columns('new', 123, 'KWD') },
		{ dryRun: true, sku: 'NO-SUCH', result: 'unknown SKU' },
		{ dryRun: true, sku, title: next.title, result: 'no change' },
	]);
	expect(hint).toContain('nothing was written. It would be 2 requests');
	expect(await shop.requests()).toEqual({ 'GET /products': expect.any(Number) as number });
});

it('says if a variant had no price in a currency, since the currency may be mistyped', async () => {
	const [{ currency }] = first.prices;
	const other = first.prices.some((price) => price.currency === 'CHF') ? 'NOK' : 'CHF';
	const { hint } = await setPrices([{ ...rowOf(first), currency: other }]);
	expect(hint).toContain(`A price in ${other} was added to a variant that had prices in `);
	expect(hint).toContain(currency);
	const again = await setPrices([{ ...rowOf(first), currency: other }]);
	expect(again.hint).not.toContain('was added');
});

it('tells of a price of 0, of prices that were so, and of prices that are 100 times the old ones', async () => {
	const { amount } = first.prices[0];
	const same = await setPrices([rowOf(first, amount)], MINOR);
	expect(same.hint).toContain('1 of 1 prices were so already.');
	const dry = await setPrices([rowOf(first, 100 * amount)], { dryRun: true, ...MINOR });
	expect(dry.hint).toContain('1 of 1 new prices are exactly 100 times the old ones.');
	expect((await setPrices([rowOf(first, 0)], MINOR)).hint).toContain('Price of 0: row 1.');
});

it('takes its own output back, so a sale ends with the prices from before it', async () => {
	const rows = products.slice(0, 6).map(({ variants: [variant] }) => rowOf(variant, '7'));
	const { json } = await setPrices(rows, { onlyIfChanged: false });
	expect(json.map(({ price }) => price)).toEqual(rows.map(() => 7));
	const back = json.map(({ previous, ...row }) => ({ ...row, price: previous }));
	await setPrices(back);
	expect(timeless(await shop.all('product'))).toEqual(timeless(products));
	const again = await setPrices(back);
	expect(again.json.map(({ price, previous }) => price === previous)).toEqual(rows.map(() => true));
	expect(again.hint).toContain('6 of 6 prices were so already.');
});

it('refuses a number that has lost the zero of a SKU, by name', async () => {
	await shop.post('/products', {
		title: 'Tin',
		variants: [{ sku: '012345678905', title: 'Only', prices: [{ amount: 1, currency: 'EUR' }] }],
	});
	const row = { sku: 12345678905, price: '5', currency: 'EUR' };
	const { failures } = await setPrices([row], {}, {}, CONTINUE);
	expect(failures[0]?.message).toContain('“12345678905” is not in the shop, but “012345678905” is');
});
