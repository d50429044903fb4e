import type { IDataObject } from 'n8n-workflow';

import { type NodeRun, runOperation, type StubAnswer, stubApi } from '../../support/engine';
import { CONTINUE, INPUT_ITEM, useBulkShop } from './bulkShop';

const SINGLE = { ifBatchNotAvailable: 'single' };
const EUR = (amount: number) => [{ amount, currency: 'EUR' }];

describe('variants of one product, sent one by one', () => {
	const shop = useBulkShop();
	const SKUS = ['S', 'M', 'L', 'XL', 'XXL'];

	beforeEach(async () => {
		await shop.takesBatches(false);
		const variantsJson = SKUS.map((sku) => ({ sku, title: sku, prices: EUR(1000) }));
		await shop.run('product.create', { title: 'Shirt', additionalFields: { variantsJson } });
	});

	const product = async () =>
		(await shop.all<IDataObject & { variants: IDataObject[] }>('product'))[0];

	it('keep every price, although each write sends all variants', async () => {
		await shop.control.setFaults([{ fault: 'slow', ms: 30, method: 'PATCH' }]);
		await shop.upsert(
			SKUS.map((sku, n) => ({ sku, prices: EUR(2000 + n) })),
			SINGLE,
			{},
			INPUT_ITEM,
		);
		const { variants } = await product();
		expect(variants.map(({ prices }) => prices)).toEqual(SKUS.map((_, n) => EUR(2000 + n)));
	});

	it('take a write each if one walk shows which of them there are', async () => {
		const rows = Array.from({ length: 300 }, (_, n) => ({
			sku: `P${n}`,
			title: 'New',
			prices: EUR(n),
		}));
		await shop.control.resetCounters();
		await shop.upsert(rows, SINGLE);
		const created = { 'POST /products/batch': 1, 'GET /products': 1, 'POST /products': 300 };
		expect(await shop.requests()).toEqual(created);
		await shop.control.resetCounters();
		const { json } = await shop.upsert(
			rows.map((row) => ({ ...row, prices: EUR(5_000) })),
			SINGLE,
		);
		expect(json.every(({ result }) => result === 'updated')).toBe(true);
		const updated = { 'POST /products/batch': 1, 'GET /products': 2, 'PATCH /products/{id}': 300 };
		expect(await shop.requests()).toEqual(updated);
	});

	it('tell of a price that was entered twice in one product, and the later one counts', async () => {
		const variants = [2000, 3000].map((amount) => ({ sku: 'S', prices: EUR(amount) }));
		const { hint } = await shop.upsert([{ sku: 'S', variants }], SINGLE, {}, INPUT_ITEM);
		expect(hint).toContain('Entered twice, and the later value counts: S: price in EUR.');
		expect((await product()).variants[0].prices).toEqual(EUR(3000));
	});

	it('are refused together if they say different things about the product, by their rows', async () => {
		const items = [
			{ sku: 'S', title: 'Shirt, size S' },
			{ sku: 'M', title: 'Shirt, size M' },
		];
		const { failures } = await shop.upsert(items, SINGLE, CONTINUE);
		const said = 'Row 2 has another “title” of the product than row 1';
		expect(failures.map((failure) => failure?.message)).toEqual([said, said]);
		expect((await product()).title).toBe('Shirt');
	});
});

/** The answers of a platform without batches. */
interface Answers {
	/** The result of its list and its search. */
	found?: IDataObject[];
	/** The answer to the read of a product by its ID. */
	read?: StubAnswer;
	created?: StubAnswer[];
	/** What remains of the key's day when the batch is refused. */
	dayRemaining?: number;
	atOnce?: number;
}

/** Sends items there, one after the other. @returns the writes, and the outcome of each item */
async function upsert(
	items: IDataObject[],
	{ found = [], read = [404], created, dayRemaining = 20_000, atOnce = 1 }: Answers,
	more: Partial<NodeRun> = CONTINUE,
) {
	const budget = {
		'x-ratelimit-limit-day': '20000',
		'x-ratelimit-remaining-day': String(dayRemaining),
	};
	const sent = stubApi({
		'POST /products/batch': [[501, {}, budget]],
		'GET /products': [[200, { data: found }]],
		'GET /products/*': [read],
		'POST /products':
			created ?? (({ body }) => [201, { data: { id: 'prod_new', ...(body as IDataObject) } }]),
		'PATCH *': [[204]],
	});
	const requestOptions = { maxRequestsAtOnce: atOnce };
	const parameters = { ...INPUT_ITEM, options: SINGLE, requestOptions };
	const result = await runOperation('product.upsert', parameters, { items, ...more });
	const singles = sent.filter(({ route }) => route !== 'POST /products/batch');
	const writes = singles.filter(({ route }) => !route.startsWith('GET'));
	const errors = result.failures.map((failure) => failure?.message);
	return { ...result, singles, writes, errors, routes: writes.map(({ route }) => route) };
}

const CREATE = 'POST /products';
const shirt = (id: string, ...skus: string[]) => ({ id, variants: skus.map((sku) => ({ sku })) });

describe('one by one, on a platform without batches', () => {
	it('a product of which no variant has the SKU is created, with its prices at the variant', async () => {
		const item = { sku: 'P', title: 'New', prices: EUR(5) };
		const { writes } = await upsert([item], { found: [shirt('prod_1', 'M')] });
		const body = { title: 'New', variants: [{ sku: 'P', prices: EUR(5) }] };
		expect(writes).toMatchObject([{ route: CREATE, body }]);
	});

	it('a product is looked for once more if its create comes longer after that than a request may wait', async () => {
		let reads = 0;
		const sent = stubApi({
			'POST /products/batch': [[501, {}]],
			// Somebody makes Q meanwhile.
			'GET /products': ({ query }) => [
				200,
				{ data: ++reads > 2 && query.sku === 'Q' ? [shirt('prod_2', 'Q')] : [] },
			],
			'POST /products': [[201, { data: { id: 'prod_new' } }]],
		});
		const requestOptions = { maxRequestsAtOnce: 1, maxRetryWait: 0 };
		const parameters = { ...INPUT_ITEM, options: SINGLE, requestOptions };
		const items = ['P', 'Q'].map((sku) => ({ sku, title: 'New' }));
		const { failures } = await runOperation('product.upsert', parameters, { items, ...CONTINUE });
		expect(failures.map((failure) => failure?.message)).toEqual([
			undefined,
			"'SKU' “Q” has come into the shop during this run",
		]);
		expect(sent.filter(({ route }) => route === CREATE)).toHaveLength(1);
	});

	it('a SKU that names several products fails alone, and the others are written', async () => {
		const found = [shirt('prod_1', 'M'), shirt('prod_2', 'M')];
		const { errors, routes } = await upsert([{ sku: 'M' }, { sku: 'Q' }], { found });
		expect(errors).toEqual(["'SKU' “M” names 2 products: “prod_1”, “prod_2”", undefined]);
		expect(routes).toEqual([CREATE]);
	});

	it('a refusal fails only its own item, or stops the run if it is set to stop', async () => {
		const items = ['E1', 'E2', 'E3'].map((sku) => ({ sku }));
		const created: StubAnswer[] = [[201, { data: { id: 'prod_1' } }], [422], [201]];
		const { errors, writes } = await upsert(items, { created });
		expect(errors.map((error) => error !== undefined)).toEqual([false, true, false]);
		expect(writes).toHaveLength(3);
		const others = ['F1', 'F1', 'F2'].map((sku) => ({ sku }));
		const stopped = await upsert(others, { created: [[422]], atOnce: 2 }, {});
		const routes = stopped.singles.map(({ route }) => route);
		expect(routes).toEqual(['GET /products', 'GET /products', CREATE, CREATE]);
	});

	it('an item counts as written if the answer shows no product', async () => {
		const { json } = await upsert([{ sku: 'W' }], { created: [[204]] });
		expect(json).toEqual([{ sku: 'W', result: 'created', written: true }]);
	});

	it.each(['m', 'M-', 'm '])(
		'a SKU in another spelling than the shop’s names another product: %j',
		async (sku) => {
			const found = [shirt('prod_1', 'M')];
			expect((await upsert([{ sku, title: 'Other' }], { found })).routes).toEqual([CREATE]);
			const same = await upsert([{ sku: ' M ', title: 'Other' }], { found });
			expect(same.routes).toEqual(['PATCH /products/prod_1']);
		},
	);

	it('the cost is reported, and nothing is sent if it takes more requests than the day has left', async () => {
		const items = ['D1', 'D2', 'D3'].map((sku) => ({ sku, prices: EUR(1) }));
		// Two are read once more before their prices are merged, the other one is created.
		const found = ['D1', 'D2'].map((sku) => ({ id: sku, variants: [{ sku, prices: [] }] }));
		const { hint } = await upsert(items, { dayRemaining: 5, found });
		expect(hint).toMatch(/one by one, with up to 5 requests\. Batches need one for 100 products/);
		const { errors, writes } = await upsert(items, { dayRemaining: 4, found });
		const said = "'Send One by One' takes up to 5 requests for 3 products, and 4 are left of today";
		expect([errors, writes]).toEqual([[said, said, said], []]);
	});
});

describe('a product that is read before it is written', () => {
	const OTHER = '{"sku":"B","gtin":"0123","weight":1.1,"prices":[{"amount":5,"currency":"USD"}]}';
	const PRODUCT = `{"data":{"id":"prod_1","variants":[{"sku":"A","title":"a","prices":[]},${OTHER}]}}`;
	const FOUND = [{ id: 'prod_1', sku: 'A', title: 'Shirt' }];

	const update = async (item: IDataObject, read: string, found: IDataObject[]) => {
		const answers: Answers = { found, read: [200, read, { etag: '"7"' }] };
		return await upsert([{ sku: 'A', ...item }], answers, {});
	};

	const priced = { prices: EUR(1999) };

	it.each([[priced], [{ variants: [{ sku: 'A', ...priced }] }]])(
		'keeps the variants that neither the list nor %j shows, digit for digit',
		async (item) => {
			const { writes } = await update({ title: 'New', ...item }, PRODUCT, FOUND);
			const own = '{"sku":"A","title":"a","prices":[{"amount":1999,"currency":"EUR"}]}';
			const text = `{"title":"New","variants":[${own},${OTHER}]}`;
			expect(writes).toMatchObject([{ text, headers: { 'if-match': '"7"' } }]);
		},
	);

	it.each<[string, IDataObject, string?, IDataObject[]?]>([
		// If the read does not show the only variant.
		["'Variants' cannot be merged", { prices: EUR(1999) }, '{"data":{"id":"prod_1"}}'],
		// Of two prices one would be lost, whether the product exists or not.
		...[[], FOUND].map((found): [string, IDataObject, string, IDataObject[]] => [
			"'Input Item' has both 'variants' and a title or price of a variant",
			{ prices: EUR(1), variants: [{ sku: 'A' }] },
			PRODUCT,
			found,
		]),
		["'Product: variants' must be a list of objects", { variants: 'A' }],
		["'SKU' is empty, and the product has 2 variants", { variants: [{ title: 'a' }] }],
		["'variants[0].prices[0].currency' is not a currency", { prices: [{ amount: 1 }] }],
		[
			"'variants[0].prices[0].currency' is not a currency",
			{ prices: [{ amount: 1, currency: null }] },
		],
		["'variants[0].prices[0].amount' is empty", { prices: [{ currency: 'EUR' }] }],
	])('is not written: %s', async (message, item, read = PRODUCT, found = FOUND) => {
		const { error, writes } = await update(item, read, found);
		expect(error?.message).toContain(message);
		expect(writes).toEqual([]);
	});
});

describe('a product that could not be found again, or not with certainty', () => {
	const COUNT = 1_500;
	const shop = useBulkShop({ products: COUNT });
	beforeEach(async () => await shop.takesBatches(false));

	it('is not created if none of its variants has the SKU', async () => {
		const product = { sku: 'SHIRT', title: 'Shirt', variants: [{ sku: 'M' }, { sku: 'L' }] };
		const { error } = await shop.upsert([product], SINGLE, {}, INPUT_ITEM);
		expect(error?.message).toContain(
			"'SKU' “SHIRT” is not the SKU of one of the product’s variants",
		);
		expect(await shop.count()).toBe(COUNT);
	});

	it('is looked for in the whole list if the search does not end: found there, or created', async () => {
		await shop.control.configure({ dialect: { skuSearch: 'ignored' } });
		const { id, variants } = (await shop.all<IDataObject & { variants: IDataObject[] }>('product'))[
			COUNT - 1
		];
		const { json } = await shop.upsert([{ sku: variants[0].sku, title: 'New' }], SINGLE);
		expect(json).toMatchObject([{ id, result: 'updated' }]);
		await shop.upsert([{ sku: 'A', title: 'A' }], SINGLE);
		expect(await shop.count()).toBe(COUNT + 1);
	});

	it('is found among those that have other SKUs', async () => {
		await shop.control.configure({ dialect: { skuSearch: 'words' } });
		const [{ id, variants }] = await shop.all<{ id: string; variants: IDataObject[] }>('product');
		const { json } = await shop.upsert([{ sku: variants[0].sku, title: 'New' }], SINGLE);
		expect(json).toMatchObject([{ id, title: 'New' }]);
	});
});
