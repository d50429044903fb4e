import type { IDataObject } from 'n8n-workflow';

import { openBulkShop, type BulkShop } from './bulkShop';

type Priced = IDataObject & { amount: number; currency: string };
type Variant = IDataObject & { sku: string; prices: Priced[] };
type Product = IDataObject & { id: string; variants: Variant[] };

let shop: BulkShop;
let products: Product[];

beforeAll(async () => {
	shop = await openBulkShop({ products: 300 });
});
beforeEach(async () => {
	await shop.reset();
	products = await all();
});
afterAll(async () => await shop.close());

async function all(): Promise<Product[]> {
	const { items } = await shop.run('product.getAll', [{}], { returnAll: true, simplify: false });
	await shop.platform.control.resetCounters();
	return items.map(({ json }) => json as Product);
}

const FIELDS = {
	sku: '={{ $json.sku }}',
	amount: '={{ $json.price }}',
	currency: '={{ $json.currency }}',
};

const setPrices = async (items: IDataObject[], options: IDataObject = {}, more = {}) =>
	await shop.run('product.setPrices', items, { ...FIELDS, options, ...more });

/** A row for each variant of some products, all to cost the same. */
const rowsOf = (some: Product[], price: string) =>
	some.flatMap(({ variants }) =>
		variants.map(({ sku, prices }) => ({ sku, price, currency: prices[0].currency })),
	);

/** The shop with the first price of some variants at an amount, everything else as it was. */
const withPrice = (skus: string[], amount: number): Product[] =>
	products.map((product) => ({
		...product,
		variants: product.variants.map((variant) =>
			skus.includes(variant.sku)
				? {
						...variant,
						prices: variant.prices.map((one, n) => (n === 0 ? { ...one, amount } : one)),
					}
				: variant,
		),
	}));

const timeless = (some: Product[]) =>
	Object.fromEntries(some.map(({ updated_at: _, ...product }) => [product.id, product]));

const withVariants = (count: number) =>
	products.filter(({ variants }) => variants.length === count);

it('reads and writes each product once, and changes nothing but the prices that are named', async () => {
	const [one] = withVariants(3);
	const rows = rowsOf([one], '5');
	const { items, error } = await setPrices(rows);
	expect(error).toBeUndefined();
	expect(await shop.requests()).toEqual({
		'GET /products': 3,
		'GET /products/{id}': 1,
		'PATCH /products/{id}': 1,
	});
	expect(items.map(({ json }) => json.sku)).toEqual(rows.map(({ sku }) => sku));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	const [first] = one.variants;
	const amount = items[0].json.amount as number;
	expect(items[0].json).toEqual({
		sku: first.sku,
		amount,
		decimal: 5,
		currency: first.prices[0].currency,
		previous: { ...first.prices[0], decimal: expect.any(Number) as number },
		productId: one.id,
		productTitle: one.title,
	});
	const skus = rows.map(({ sku }) => sku);
	expect(timeless(await all())).toEqual(timeless(withPrice(skus, amount)));
});

it('finds many products by one walk through the list', async () => {
	const some = products.slice(0, 40);
	await setPrices(rowsOf(some, '7'));
	expect(await shop.requests()).toEqual({
		'GET /products': 2,
		'GET /products/{id}': 40,
		'PATCH /products/{id}': 40,
	});
});

it('fails only the items whose SKU is unknown, by name, with Continue On Fail', async () => {
	const [row] = rowsOf(products, '5');
	const rows = [row, { ...row, sku: 'NO-SUCH' }];
	const run = await shop.run(
		'product.setPrices',
		rows,
		{ ...FIELDS },
		{ onError: 'continueRegularOutput' },
	);
	expect(run.items.map(({ json }) => json.error)).toEqual([
		undefined,
		'“SKU” “NO-SUCH” names no variant of any product',
	]);
	expect(run.items[1].pairedItem).toEqual({ item: 1 });
});

it.each([1, 5])(
	'fails the item of a SKU that a product on a later page has as well, among %d SKUs',
	async (count) => {
		const rows = products.slice(0, count).map((product) => rowsOf([product], '5')[0]);
		await shop.addTwin(rows[0].sku);
		const stopped = await setPrices(rows);
		expect(stopped.error?.message).toContain(`“${rows[0].sku}” names 2 products`);
		expect(await shop.requests()).not.toHaveProperty(['PATCH /products/{id}']);
		const { items } = await shop.run('product.setPrices', rows, FIELDS, {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.error !== undefined)).toEqual(rows.map((_, n) => n === 0));
	},
);

it('writes nothing where a SKU is unknown and the run is to stop', async () => {
	const [row] = rowsOf(products, '5');
	const { error } = await setPrices([row, { ...row, sku: 'NO-SUCH' }]);
	expect(error?.message).toContain('NO-SUCH');
	expect(await shop.requests()).not.toHaveProperty(['PATCH /products/{id}']);
});

it('lets the last of two items for one price count, and says so', async () => {
	const [row] = rowsOf(products, '5');
	const { items, hints } = await setPrices([row, { ...row, price: '6' }]);
	expect(items.map(({ json }) => json.amount)).toEqual([
		items[1].json.amount,
		items[1].json.amount,
	]);
	expect(JSON.stringify(hints)).toContain('The last one counts');
	expect((await shop.requests())['PATCH /products/{id}']).toBe(1);
});

it('adds a currency that the variant does not have', async () => {
	const [{ variants, id }] = products;
	const [{ sku, prices }] = variants;
	const { items } = await setPrices([{ sku, price: '1.234', currency: 'KWD' }]);
	expect(items[0].json).toMatchObject({ amount: 1234, previous: null });
	const now = (await all()).find((one) => one.id === id);
	expect(now?.variants[0].prices).toEqual([...prices, { amount: 1234, currency: 'KWD' }]);
});

it('leaves out what has its price already', async () => {
	const [{ variants }] = products;
	const [{ sku, prices }] = variants;
	const row = { sku, price: prices[0].amount, currency: prices[0].currency };
	const { items } = await setPrices([row], { onlyIfChanged: true }, { amountsAreIn: 'minor' });
	expect(items[0].json).toMatchObject({ sku, skipped: true });
	expect(await shop.requests()).toEqual({ 'GET /products': 1 });
});

it('writes nothing in a dry run, and shows each price as it is and as it would be', async () => {
	const [{ variants, title }] = products;
	const [{ sku, prices }] = variants;
	const [{ amount, currency }] = prices;
	const rows = [
		{ sku, price: 500, currency },
		{ sku, price: 123, currency: 'KWD' },
		{ sku: 'NO-SUCH', price: 1, currency },
		{ ...products[1].variants[0].prices[0], sku: products[1].variants[0].sku },
	].map((row) => ({ price: (row as IDataObject).amount, ...row }));
	const { items, hints, error } = await setPrices(
		rows,
		{ dryRun: true },
		{ amountsAreIn: 'minor' },
	);
	expect(error).toBeUndefined();
	const about = { dryRun: true, sku, title, result: 'would change', field: 'price' };
	expect(items.map(({ json }) => json)).toEqual([
		{ ...about, old: { amount, currency }, new: { amount: 500, currency } },
		{ ...about, old: null, new: { amount: 123, currency: 'KWD' } },
		{ dryRun: true, sku: 'NO-SUCH', result: 'unknown SKU' },
		{ dryRun: true, sku: rows[3].sku, title: products[1].title, result: 'no change' },
	]);
	expect(JSON.stringify(hints)).toContain('nothing was written. It would be 2 requests');
	expect(await shop.requests()).toEqual({ 'GET /products': expect.any(Number) as number });
});

it('gives amounts as decimals too where they were entered in major units', async () => {
	const rows = rowsOf(products.slice(0, 1), '5');
	const shown = await setPrices(rows, { dryRun: true });
	expect(shown.items[0].json.new).toMatchObject({ decimal: 5 });
	const { items } = await setPrices(rows);
	expect(items[0].json).toMatchObject({
		decimal: 5,
		previous: { decimal: expect.any(Number) as number },
	});
});

it('refuses a bad price before anything is sent', async () => {
	const [row] = rowsOf(products, '5');
	for (const price of ['5.001', '-1', '', 'free']) {
		const { error } = await setPrices([row, { ...row, currency: 'EUR', price }]);
		expect(error?.message).toContain('“Amount”');
	}
	expect(await shop.requests()).toEqual({});
});
