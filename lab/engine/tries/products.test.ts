import type { IDataObject } from 'n8n-workflow';

import { until } from '../../../platform/support/until';
import { byId, byMode } from '../../../test/support/parameters';
import type { Product } from '../products';
import { failureOf, recordsOf, requests, run, set } from './engine';

/** What the engine itself has under a SKU. */
async function productOf(sku: string) {
	const [variant] = await recordsOf<{ product: EngineProduct }>(
		'productVariants',
		'product { id name slug enabled description collections { name } variants { sku name prices { price currencyCode } } }',
		{ sku: { eq: sku } },
	);
	return variant?.product;
}

type EngineProduct = Product & { description: string };

/** `[price in EUR, price in USD]` of a SKU. */
const pricesOf = async (sku: string): Promise<Array<number | undefined>> => {
	const variant = (await productOf(sku)).variants.find((one) => one.sku === sku);
	return ['EUR', 'USD'].map(
		(code) => variant?.prices.find(({ currencyCode }) => currencyCode === code)?.price,
	);
};

const TABLE = 'TA-1001';
const LAMP = 'LA-1002';
const rows = (count: number, prefix: string): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({
		sku: `${prefix}-${n}`,
		title: `${prefix} product ${n}`,
		description: `The ${n}th`,
	}));

const variant = (sku: string, amount: string) => ({
	sku,
	title: `Size ${sku}`,
	prices: { price: [{ amount, currency: 'EUR' }] },
});

it('a product is created with all that was entered', async () => {
	const { error, json } = await run('product.create', {
		title: 'Wool “blanket”',
		additionalFields: {
			handle: 'wool-blanket',
			status: 'published',
			description: '<p>Warm</p>',
			variants: { variant: [variant('WB-1', '19.99'), variant('WB-2', '1299.5')] },
		},
	});
	expect([error?.message, json[0]?.title]).toEqual([undefined, 'Wool “blanket”']);
	const product = await productOf('WB-1');
	expect(product).toMatchObject({
		slug: 'wool-blanket',
		enabled: true,
		description: '<p>Warm</p>',
	});
	expect([(await pricesOf('WB-1'))[0], (await pricesOf('WB-2'))[0]]).toEqual([1_999, 129_950]);
});

describe('what is there already', () => {
	let table: EngineProduct;
	let lamp: EngineProduct;
	beforeEach(async () => {
		[table, lamp] = [await productOf(TABLE), await productOf(LAMP)];
	});
	const tableIs = async (change: object) =>
		expect(await productOf(TABLE)).toEqual({ ...table, ...change });

	it.each([
		['title', { title: 'A new “title”' }, { name: 'A new “title”' }],
		['description', { description: '<b>New</b>' }, { description: '<b>New</b>' }],
		['handle', { handle: 'new-handle' }, { slug: 'new-handle' }],
		['status', { status: 'draft' }, { enabled: false }],
		['status again', { status: 'published' }, { enabled: true }],
	])('an update writes the %s, and nothing else', async (_name, updateFields, change) => {
		const { error, hint } = await run('product.update', {
			productId: byId(`prod_${table.id}`),
			updateFields,
		});
		expect([error?.message, hint]).toEqual([undefined, '']);
		await tableIs(change);
	});

	it('a cleared description is empty, and nothing else changes', async () => {
		await run('product.update', {
			productId: byId(`prod_${table.id}`),
			clearFields: ['description'],
		});
		await tableIs({ description: '' });
	});

	it('a new variant stands beside those that are there', async () => {
		const { error } = await run('product.update', {
			productId: byId(`prod_${lamp.id}`),
			updateFields: { variants: { variant: [variant('NEW-1', '5')] } },
		});
		expect(error?.message).toBeUndefined();
		const { variants } = await productOf(LAMP);
		expect(variants.map(({ sku }) => sku)).toEqual([
			...lamp.variants.map(({ sku }) => sku),
			'NEW-1',
		]);
		expect(variants.filter(({ sku }) => sku !== 'NEW-1')).toEqual(lamp.variants);
	});

	it.each([
		['by its handle', () => byMode('handle', lamp.slug)],
		['by its ID', () => byId(`prod_${lamp.id}`)],
	])('it is found %s', async (_name, productId) => {
		const { json } = await run('product.get', { productId: productId() });
		expect(json[0]).toMatchObject({
			id: `prod_${lamp.id}`,
			title: lamp.name,
			description: lamp.description,
		});
	});

	it.each(['ID', 'handle'])('an unknown %s is refused by name', async (mode) => {
		const value = mode === 'ID' ? byId('prod_999999') : byMode('handle', 'not-there');
		expect(failureOf(await run('product.get', { productId: value }))).toMatch(
			/prod_999999|not-there/,
		);
	});

	it.each([
		['EUR', '12.34', 1_234],
		['USD', '99', 9_900],
		['EUR', '0.01', 1],
	])('a price in %s of %s is set, and no other', async (currency, amount, minor) => {
		const before = await pricesOf(LAMP);
		const parameters = { sku: byMode('sku', LAMP), amount, currency };
		const { error, json, hint } = await run('product.setPrices', parameters);
		expect([error?.message, json.length]).toEqual([undefined, 1]);
		expect(hint).not.toMatch(/other values/);
		const [eur, usd] = before;
		expect(await pricesOf(LAMP)).toEqual(currency === 'EUR' ? [minor, usd] : [eur, minor]);
		expect(await productOf(LAMP)).toMatchObject({
			name: lamp.name,
			slug: lamp.slug,
			collections: lamp.collections,
		});
	});

	it('an unknown SKU has no price to set', async () => {
		const parameters = { sku: byMode('sku', 'NOT-THERE'), amount: '1', currency: 'EUR' };
		expect(failureOf(await run('product.setPrices', parameters))).toContain('NOT-THERE');
	});

	it('a currency that the shop does not have is refused in the platform’s words', async () => {
		const parameters = { sku: byMode('sku', LAMP), amount: '1', currency: 'CHF' };
		expect(failureOf(await run('product.setPrices', parameters))).toContain(
			'not available in this channel',
		);
	});
});

describe.each([true, false])('many products, batches there: %s', (batch) => {
	const prefix = batch ? 'BATCH' : 'ALONE';
	const single = batch ? {} : { ifBatchNotAvailable: 'single' };
	beforeAll(async () => await set({ batch }));
	afterAll(async () => await set({ batch: true }));

	const upsert = async (items: IDataObject[], options: object = {}) =>
		await run(
			'product.upsert',
			{ specifyProduct: 'autoMapInputData', options: { ...single, ...options } },
			items,
		);

	it('new ones are there once each, as entered', async () => {
		const { error, items } = await upsert(rows(8, prefix));
		expect([error?.message, items.length]).toEqual([undefined, 8]);
		for (const { sku, title, description } of rows(8, prefix))
			expect(await productOf(String(sku))).toMatchObject({
				name: title,
				description,
				variants: [{ sku }],
			});
	});

	it('a second run changes what differs, and makes no second product', async () => {
		const before = await productOf(`${prefix}-0`);
		await upsert([{ sku: `${prefix}-0`, title: 'Changed' }]);
		expect(await productOf(`${prefix}-0`)).toEqual({ ...before, name: 'Changed' });
	});

	it('equal ones are not written with Only If Changed', async () => {
		await requests();
		await upsert(rows(8, prefix).slice(1), { onlyIfChanged: true });
		expect((await requests()).filter((request) => !request.startsWith('GET'))).toEqual([]);
	});

	it('a dry run writes nothing', async () => {
		const { items } = await upsert(rows(3, `${prefix}-DRY`), { dryRun: true });
		expect([items.length, await productOf(`${prefix}-DRY-0`)]).toEqual([3, undefined]);
	});

	it('one that the engine refuses names itself, and the others are written', async () => {
		const items = rows(3, `${prefix}-BAD`);
		items[1].status = 'archived';
		const result = await run(
			'product.upsert',
			{ specifyProduct: 'autoMapInputData', options: single },
			items,
		);
		expect(failureOf(result)).toMatch(/status|BAD-1/);
		expect((await productOf(`${prefix}-BAD-0`))?.name).toBe(items[0].title);
		expect((await productOf(`${prefix}-BAD-2`))?.name).toBe(items[2].title);
	});
});

it('an import gives the job, and the engine has the products', async () => {
	const { error, json } = await run(
		'product.importCatalog',
		{ specifyProduct: 'autoMapInputData' },
		rows(5, 'IMPORT'),
	);
	expect([error?.message, json.length > 0]).toEqual([undefined, true]);
	expect(JSON.stringify(json)).toContain('catalog-import');
	await until(
		'the import',
		20_000,
		async () => (await productOf('IMPORT-4')) !== undefined || undefined,
	);
});

it('a deleted product is gone, and a second delete says so', async () => {
	await run('product.create', {
		title: 'Short-lived',
		additionalFields: { variants: { variant: [variant('GONE-1', '1')] } },
	});
	const { id } = await productOf('GONE-1');
	const { json } = await run('product.delete', { productId: byId(`prod_${id}`) });
	expect([json[0], await productOf('GONE-1')]).toEqual([
		{ id: `prod_${id}`, deleted: true },
		undefined,
	]);
	expect(failureOf(await run('product.delete', { productId: byId(`prod_${id}`) }))).toContain(id);
});
