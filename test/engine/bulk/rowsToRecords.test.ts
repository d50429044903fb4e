import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine';
import { SKU_AND_TITLE } from './bulkShop';
import {
	loseNothing,
	type Product,
	price,
	product,
	serve,
	SHOP,
	skusOf,
	upsert,
	values,
} from './rowsOfFiles';

describe('rows of a file', () => {
	it.each([true, false])(
		'change nothing of the shop that no row names, in any order and with any columns; batches: %s',
		async (batch) => await loseNothing(batch, Number(process.env.ROWS_RUNS ?? 60)),
	);

	it.each<[string, IDataObject]>([
		['name it differently', { title: 'Tee, size M' }],
		['give it different states', { status: 'draft' }],
	])(
		'that are about one product and %s are refused together, also in batches',
		async (_, other) => {
			const { shop, writes } = serve(SHOP);
			const rows = [
				{ sku: 'tee-S', title: 'Tee', status: 'published' },
				{ sku: 'tee-M', title: 'Tee', status: 'published', ...other },
				{ sku: 'mug-one', title: 'Cup', status: 'published' },
			];
			const { failures } = await upsert(rows, 'sku');
			const [name] = Object.keys(other);
			const said = `Row 2 has another “${name}” of the product than row 1`;
			expect(failures.map((failure) => failure?.message)).toEqual([said, said, undefined]);
			expect([writes(), shop.map(({ title }) => title)]).toEqual([1, ['tee', 'Cup', 'cap']]);
		},
	);

	it('that are entered one by one, where nothing is read, are told of if they name one product differently', async () => {
		const { sent } = serve(SHOP);
		const items = ['tee-S', 'tee-M'].map((sku) => ({ sku, title: `Tee, ${sku}` }));
		const { hints } = await runOperation('product.upsert', SKU_AND_TITLE, { items });
		expect(sent).toHaveLength(1);
		expect(hints.map(({ message }) => message).join()).toMatch(
			/say different things of it, and the last one counts: (?:rows|items) 1,? (?:and )?2/,
		);
	});

	it('with a SKU that has lost its zero are refused by name, also where they say no price', async () => {
		const { writes } = serve(
			[product('0123456', '7')].map((entry) => ({
				...entry,
				variants: [{ sku: '012345678905', title: 'One', prices: [] }],
			})),
		);
		const { failures } = await upsert([{ sku: 12345678905, title: 'One' }], 'sku');
		expect(failures[0]?.message).toContain(
			'“12345678905” is not in the shop, but “012345678905” is',
		);
		expect(writes()).toBe(0);
	});

	it('with a SKU that is no shortened number are not taken for one with a zero before it', async () => {
		const variants = [{ sku: '0A-1', title: 'One', prices: [] }];
		const { writes } = serve([{ ...product('tee', 'S'), variants }]);
		const rows = ['0A-1', 'A-1'].map((sku) => ({ sku, title: sku }));
		const { failures } = await upsert(rows, 'sku');
		expect(failures.filter(Boolean)).toEqual([]);
		expect(writes()).toBe(1);
	});

	it('that are about one product and say the same of it, a list included, are not told', async () => {
		const { sent } = serve(SHOP);
		const items = ['tee-S', 'tee-M'].map((sku) => ({
			sku,
			title: 'Tee',
			categories: 'cat_1, cat_2',
		}));
		const { hints } = await upsert(items, 'sku');
		expect(JSON.stringify(sent)).toContain('"categories":["cat_1","cat_2"]');
		expect(hints.map(({ message }) => message).join()).not.toContain('say different things');
	});

	it.each([true, false])(
		'are the product that has the SKU of the row of a parent, and a new size goes there; batches: %s',
		async (batch) => {
			const { shop } = serve(SHOP, { batch });
			const { hints } = await upsert(
				[
					{ item_group_id: 'any', sku: 'tee-S' },
					{ item_group_id: 'any', sku: 'tee-new', 'Variant Title': 'New', price: '12 EUR' },
				],
				'handle',
			);
			expect(shop.map(({ id }) => id)).toEqual(SHOP.map(({ id }) => id));
			expect(skusOf(shop[0])).toEqual(['tee-S', 'tee-M', 'tee-L', 'tee-new']);
			expect(hints.map(({ message }) => message).join()).toContain('made no variant: row 1');
		},
	);

	describe('without a SKU', () => {
		const row = { handle: 'mug', currency: 'EUR' };
		const inUsd = { ...row, currency: 'USD', price: '13.00' };
		const blue = { 'Option1 Value': 'blue', price: '14.00' };

		it.each([true, false])(
			'are the one variant of their product, in each currency; batches: %s',
			async (batch) => {
				const { shop } = serve(SHOP, { batch });
				const { failures } = await upsert([{ ...row, price: '12.00' }, inUsd], 'handle');
				expect(failures.filter(Boolean)).toEqual([]);
				const [variant, ...others] = shop[1].variants;
				expect(others).toEqual([]);
				expect(variant).toMatchObject({
					...{ sku: 'mug-one', title: 'one', weight: 5 },
					prices: [price(1200), price(1300, 'USD')],
				});
			},
		);

		it.each<[string, IDataObject]>([
			['the row with its SKU', { sku: 'mug-one' }],
			['another row without a SKU', {}],
		])(
			'are refused, and not taken for the one variant, if they contradict %s',
			async (_what, of) => {
				const { shop, writes } = serve(SHOP);
				const red = { ...row, ...of, 'Option1 Value': 'red', price: '12.00' };
				const { failures } = await upsert([red, { ...row, ...blue }], 'handle');
				const message = expect.stringContaining("'SKU' is empty");
				expect(failures.map((failure) => failure?.message)).toEqual([message, message]);
				expect([writes(), shop]).toEqual([0, SHOP]);
			},
		);
	});

	it('say one thing, whatever the order of the names in their prices', async () => {
		const { shop } = serve(SHOP);
		const prices = [[{ amount: 1200, currency: 'EUR' }], [{ currency: 'EUR', amount: 1200 }]];
		const items = prices.map((each) => ({ handle: 'mug', prices: each }));
		const { failures } = await upsert(items, 'handle');
		expect(failures.filter(Boolean)).toEqual([]);
		expect(shop[1].variants[0].prices).toEqual([price(1200), price(1100, 'USD')]);
	});

	it.each([new Map([['a', 1]]), /tee/, new Error('none')])(
		'are refused, and not taken for empty, if an expression puts %s into a column',
		async (value) => {
			const { sent } = serve(SHOP);
			const items = [{ sku: 'tee-S', title: value as unknown as IDataObject }];
			const { failures } = await upsert(items, 'sku');
			expect([failures[0]?.message, sent]).toEqual([expect.stringContaining('is not JSON'), []]);
		},
	);

	it('are at most 40 requests to read for 10,000 rows of 4,000 products, and one for every 100 that differ', async () => {
		const products = Array.from({ length: 4000 }, (_, n) => product(`p${n}`, 'a', 'b', 'c'));
		const { sent, shop } = serve(products);
		const items = products.flatMap(({ handle }, n) =>
			['a', 'b', 'c'].slice(0, n % 2 === 0 ? 3 : 2).map((size) => ({
				...{ handle, sku: `${String(handle)}-${size}`, currency: 'EUR' },
				price: n < 250 ? '12.00' : '10.00',
			})),
		);
		const { json } = await upsert(items, 'handle');
		expect(items).toHaveLength(10_000);
		expect(json.filter(({ skipped }) => skipped === true)).toHaveLength(3750);
		expect(sent.filter(({ route }) => route.startsWith('POST'))).toHaveLength(3);
		expect(sent.length).toBeLessThanOrEqual(43);
		expect(values(shop).get('/prod_p0/variants/p0-a/prices/USD/amount')).toBe(1100);
	});

	it.each<[string, IDataObject[], IDataObject]>([
		[
			'a Shopify export',
			[
				{
					...{ Handle: 'vest', Title: 'Vest', 'Body (HTML)': '<p>Warm</p>', Status: 'active' },
					...{ 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant SKU': "'0101" },
					...{ 'Variant Price': '19.00', 'Image Src': 'https://shop.example/1.jpg', Tags: 'a, b' },
				},
				{ Handle: 'vest', 'Option1 Value': 'M', 'Variant SKU': "'0102", 'Variant Price': '21.00' },
				{ Handle: 'vest', 'Image Src': 'https://shop.example/2.jpg' },
			],
			{ currency: 'EUR' },
		],
		[
			'a WooCommerce export',
			[
				{ ID: 7, Type: 'variable', SKU: 'VEST', Name: 'Vest', Parent: '', 'Regular price': '' },
				...['S', 'M'].map((size, n) => ({
					...{ ID: 8 + n, Type: 'variation', SKU: `010${n + 1}`, Name: `Vest - ${size}` },
					...{ Parent: 'VEST', 'Regular price': `${19 + 2 * n}.00`, 'Attribute 1 value(s)': size },
				})),
			],
			{ currency: 'EUR' },
		],
		[
			'a Google feed',
			['S', 'M'].map((size, n) => ({
				...{ id: `010${n + 1}`, item_group_id: 'vest', title: n === 0 ? 'Vest' : `Vest ${size}` },
				...{
					price: `${19 + 2 * n}.00 EUR`,
					availability: 'in stock',
					image_link: 'https://a.example',
				},
			})),
			{},
		],
	])(
		'%s, as it is, is written with variants and prices; a second run writes nothing',
		async (_what, rows, more) => {
			const { shop, writes } = serve(SHOP);
			const { failures } = await upsert(rows, 'handle', more);
			expect(failures.filter(Boolean)).toEqual([]);
			const vest = shop.at(-1);
			expect([shop.length, vest?.title]).toEqual([4, 'Vest']);
			expect(vest?.variants).toMatchObject([
				{ sku: '0101', prices: [price(1900)] },
				{ sku: '0102', prices: [price(2100)] },
			]);
			const written = writes();
			const again = await upsert(rows, 'handle', more);
			expect(again.failures.filter(Boolean)).toEqual([]);
			expect(writes()).toBe(written);
		},
	);

	it.each(['sku', 'handle'])(
		'of its own export come back: unchanged they write nothing, a changed cell writes that cell; per %s',
		async (productPer) => {
			const { shop, writes } = serve(SHOP);
			const parameters = { returnAll: true, options: { output: 'variants' } };
			const { json } = await runOperation('product.getAll', parameters);
			expect((await upsert(json, productPer)).failures.filter(Boolean)).toEqual([]);
			expect([writes(), shop]).toEqual([0, SHOP]);
			expect(json[0]).toMatchObject({ price: 10, price_minor: 1000, currency: 'EUR' });
			const edited = json.map((row) =>
				row.sku !== 'mug-one'
					? row
					: { ...row, title: 'Cup', ...(row.currency === 'EUR' && { price: 12.5 }) },
			);
			const { hints } = await upsert(edited, productPer);
			expect(hints.map(({ message }) => message).join()).not.toContain('price_minor');
			const [, mug] = structuredClone(SHOP) as Product[];
			mug.variants[0].prices = [price(1250), price(1100, 'USD')];
			expect(shop).toEqual(
				SHOP.map((entry) => (entry.id === mug.id ? { ...mug, title: 'Cup' } : entry)),
			);
		},
	);
});
