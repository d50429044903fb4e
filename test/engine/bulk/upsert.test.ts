import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { DialectChange } from '../../../platform';
import type { NodeResult } from '../../support/engine/runNode';
import { CONTINUE, INPUT_ITEM, productItems, useBulkShop } from './bulkShop';

const shop = useBulkShop();
const ONLY_IF_CHANGED = { onlyIfChanged: true };

const titles = (items: IDataObject[]) => items.map(({ title }) => title);
const fails = ({ json }: NodeResult) => json.map((item) => 'error' in item);
/** Writes these products to the shop and resets the request counters. */
const written = async (items: IDataObject[]) => {
	await shop.upsert(items);
	await shop.control.resetCounters();
};
/** The same products; one of them has another title. */
const renamed = (count: number, at: number) =>
	productItems(count).map((item, n) => (n === at ? { ...item, title: 'Other' } : item));

it('sends each SKU once, in the order of the first items, and the last item of a SKU counts; another case is another SKU', async () => {
	const sku = fc.constantFrom('a', 'A', 'b', 'c');
	const item = fc.record({ sku, title: fc.constantFrom('x', 'y', 'z') });
	const items = fc.array(item, { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(items, fc.integer({ min: 1, max: 3 }), async (all, batchSize) => {
			await shop.control.resetCounters();
			const { json } = await shop.upsert(all, { batchSize });
			const lastOf = new Map(all.map(({ sku: key, title }) => [key, title]));
			const sent = (await shop.batches()).flat();
			expect(new Map(sent.map(({ sku: key, title }) => [key, title]))).toEqual(lastOf);
			expect(sent).toHaveLength(lastOf.size);
			expect(titles(json)).toEqual(all.map(({ sku: key }) => lastOf.get(key)));
		}),
		{ numRuns: 30 },
	);
});

describe('an output item', () => {
	const IN_SHORT = ['id', 'sku', 'title', 'result', 'updated_at'];

	it('has the ID, SKU, title, what was done and when; a hint has the counts', async () => {
		await written(productItems(3));
		const { json, hint } = await shop.upsert(renamed(4, 0), ONLY_IF_CHANGED);
		const results = ['updated', 'unchanged', 'unchanged', 'created'];
		expect(json.map(({ result }) => result)).toEqual(results);
		expect(Object.keys(json[0])).toEqual(IN_SHORT);
		expect(json[1]).toMatchObject({ sku: 'SKU-1', title: 'Product 1', skipped: true });
		expect(hint).toContain('Created: 1, updated: 1, unchanged: 2.');
	});

	it('is the whole product with Whole Record', async () => {
		const { json } = await shop.upsert(
			productItems(1),
			{},
			{},
			{ requestOptions: { wholeRecord: true } },
		);
		expect(json).toMatchObject([{ variants: [{ sku: 'SKU-0' }], result: 'created' }]);
	});
});

/** Products of which every third has no title, so it cannot be created. */
const withBad = (count: number) =>
	productItems(count).map((item, n) => (n % 3 === 1 ? { sku: item.sku } : item));

describe('a partial success', () => {
	const REFUSED = 'The platform refused this product';

	it('gives an error item for each refused product, with Continue On Fail', async () => {
		const result = await shop.upsert(withBad(9), {}, CONTINUE);
		expect(fails(result)).toEqual(Array.from({ length: 9 }, (_, n) => n % 3 === 1));
		const errorDetails = { status: 400, code: 'INVALID_PARAMETER', row: 2 };
		const reason = { error: REFUSED, errorDetails };
		expect(result.items[1]).toMatchObject({ json: reason, pairedItem: { item: 1 } });
		expect(result.failures[1]?.description).toContain('SKU “SKU-1”');
	});

	it('otherwise gives one error that says how many failed, why, and what was done', async () => {
		const { error } = await shop.upsert(withBad(9));
		expect(error?.message).toBe(`${REFUSED} (sku “SKU-1”)`);
		expect(error?.description).toContain(
			'6 of 9 items were done: 0, 2 to 3, 5 to 6, 8. 3 failed; this is the first.',
		);
		expect(error?.context).toMatchObject({
			row: 2,
			record: { sku: 'SKU-1' },
			done: [1, 3, 4, 6, 7, 9],
			mayBeApplied: [],
		});
		expect(await shop.count()).toBe(6);
	});
});

it.each<[DialectChange, string]>([
	[{ batchStatus: 'ok', batchKeys: 'sku', batchOrder: 'mixed', batchItems: 'more' }, '.x..x..'],
	[{ batchBody: 'nested', batchKeys: 'nothing', batchResult: 'flags' }, '.x..x..'],
	[{ batchItems: 'fewer' }, '.x?.x?.'],
	[{ batchItems: 'noBody' }, '???????'],
	[{ batchItems: 'failures', batchBody: 'results' }, '?x??x??'],
])(
	'the readings of “per-item results” are taken, but what has no result is not confirmed, never done: %j',
	async (dialect, expected) => {
		await shop.control.configure({ dialect });
		const { failures } = await shop.upsert(withBad(7), {}, CONTINUE);
		const of = (failure?: { message: string }) =>
			/not confirmed|^.$/.exec(failure?.message ?? '.')?.[0] ?? 'x';
		expect(failures.map(of).join('').replaceAll('not confirmed', '?')).toBe(expected);
	},
);

describe('a platform without batches', () => {
	beforeEach(async () => await shop.takesBatches(false));

	it.each(['notImplemented', 'notFound', 'forbidden', 'methodNotAllowed', 'badRequest'] as const)(
		'that says so by %s gets the products one by one',
		async (inDevelopmentError) => {
			await shop.control.configure({ dialect: { inDevelopmentError } });
			// The node learns it from the first batch and tries no other; a 400 may be about the content of this one.
			const options = { batchSize: 1 };
			await shop.upsert(productItems(3), options);
			const { json, hint } = await shop.upsert(renamed(3, 1), options);
			expect(titles(json)).toEqual(titles(renamed(3, 1)));
			expect(hint).toContain('6 requests');
			expect(await shop.count()).toBe(3);
			expect(await shop.requests()).toMatchObject({
				'POST /products/batch': inDevelopmentError === 'badRequest' ? 6 : 2,
				'GET /products': 6,
				'POST /products': 3,
				'PATCH /products/{id}': 3,
			});
			await shop.control.resetCounters();
			const { error } = await shop.upsert(productItems(150), { ifBatchNotAvailable: 'stop' });
			expect(`${error?.message} ${error?.description}`).toMatch(/not (be )?released/);
			expect(await shop.requests()).toEqual({ 'POST /products/batch': 1 });
		},
	);

	it.each([
		['answers are lost', 30, { fault: 'lostAnswer' as const, probability: 0.3, seed: 5 }, {}],
		[
			'n8n runs the node again after a lost answer',
			5,
			// The first request asks for a batch.
			{ script: ['404', 'ok', ...Array<string>(8).fill('lostAnswer')] },
			{ retryOnFail: { maxTries: 2 } },
		],
	])('has each product once although %s', async (_what, count, fault, more) => {
		await shop.control.setFaults([{ method: 'POST', path: '/products', ...fault }]);
		const requestOptions = { maxRequestsAtOnce: 2 };
		const { json } = await shop.upsert(productItems(count), {}, more, { requestOptions });
		expect(titles(json)).toEqual(titles(productItems(count)));
		expect((await shop.control.counters()).replays).toBeGreaterThan(0);
		expect(titles(await shop.all('product')).sort()).toEqual(titles(productItems(count)).sort());
	});
});

describe('Only If Changed', () => {
	const skipped = ({ json }: NodeResult) => json.map((item) => item.skipped);

	it('refuses an item whose SKU two products have, wherever they are in the list', async () => {
		await written(productItems(600));
		await shop.addTwin('SKU-0');
		const result = await shop.upsert(productItems(5), ONLY_IF_CHANGED, CONTINUE);
		expect(skipped(result)).toEqual([undefined, true, true, true, true]);
		expect(result.failures[0]?.message).toContain('“SKU-0” names 2 products: “Product 0”, “Twin”');
	});

	it('compares what the rows of one SKU say together, and marks the one that does not count', async () => {
		await written(productItems(1));
		const items = [{ sku: 'SKU-0', title: 'Other' }, ...productItems(1)];
		const { json } = await shop.upsert(items, ONLY_IF_CHANGED);
		expect(json).toMatchObject([
			{ skipped: true, superseded: true, countingRow: 2 },
			{ skipped: true },
		]);
	});
});

describe('Dry Run', () => {
	const dryRun = async (items: IDataObject[], more: IDataObject = {}, parameters = {}) => {
		await shop.control.resetCounters();
		const result = await shop.upsert(items, { dryRun: true, ...more }, {}, parameters);
		const { items: output, json, hints } = result;
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		return { rows: json, hint: hints[0].message };
	};

	it('writes nothing, and gives a row an item with the old and the new value', async () => {
		await written(productItems(4));
		const { rows, hint } = await dryRun(renamed(5, 1));
		const of = (n: number) => ({ dryRun: true, sku: `SKU-${n}`, title: `Product ${n}` });
		expect(rows[0]).toEqual({ ...of(0), result: 'no change' });
		const change = { field: 'title', old: 'Product 1', new: 'Other' };
		expect(rows[1]).toEqual({ ...of(1), result: 'would change', ...change });
		expect(rows[4]).toMatchObject({ result: 'would create', old: null, new: 'Product 4' });
		expect(await shop.requests()).toEqual({ 'GET /products': 1 });
		expect(hint).toContain('Dry run: nothing was written. It would be 1 request,');
	});

	it('names each field that would change, and the prices of the variant that the SKU names', async () => {
		const price = (amount: number) => ({ amount, currency: 'EUR' });
		const item = { ...productItems(1)[0], prices: [price(1)] };
		await shop.upsert([item], {}, {}, INPUT_ITEM);
		const { rows } = await dryRun(
			[{ ...item, title: 'Other', prices: [price(2)] }],
			{},
			INPUT_ITEM,
		);
		const field = 'variants SKU-0 prices EUR';
		expect(rows[0]).toMatchObject({
			field: `title, ${field}`,
			old: { title: 'Product 0', [field]: price(1) },
			new: { title: 'Other', [field]: price(2) },
		});
		expect((await dryRun([item], {}, INPUT_ITEM)).rows[0].result).toBe('no change');
	});

	it('counts only the requests that Only If Changed would send', async () => {
		await written(productItems(150));
		const { hint: all } = await dryRun(productItems(150));
		expect(all).toContain('It would be 2 requests,');
		expect(all).toContain('Without batches, it is up to 150 requests.');
		const { hint } = await dryRun(renamed(150, 7), ONLY_IF_CHANGED);
		expect(hint).toContain('It would be 1 request,');
	});

	it('tells of new products without a title, unless the items only name SKUs, to look which are there', async () => {
		const hints = async (items: IDataObject[], parameters = {}) =>
			(await shop.upsert(items, { dryRun: true }, {}, parameters)).hints.map(
				({ message }) => message,
			);
		const [named, titled] = [{ sku: 'NEW-0' }, { sku: 'NEW-1', title: 'New' }];
		const told = expect.stringContaining('New products without a title');
		expect(await hints([named, { sku: 'NEW-1' }])).not.toContainEqual(told);
		const toldOfFirst = 'New products without a title: row 1.';
		expect(await hints([named, titled])).toContain(toldOfFirst);
		const priced = { ...named, price: '5', currency: 'EUR' };
		expect(await hints([priced], INPUT_ITEM)).toContain(toldOfFirst);
	});
});
