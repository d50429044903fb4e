import type { IDataObject } from 'n8n-workflow';

import { INPUT_ITEM, productItems, useBulkShop, type BulkShop } from './bulkShop';

let shop: BulkShop;

useBulkShop((opened) => {
	shop = opened;
});

const CONTINUE = { onError: 'continueRegularOutput' as const };
const titles = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.title);

describe('Create or Update', () => {
	it('sends 100 items in a request, and gives an item for each in their order', async () => {
		const { items, error } = await shop.run('product.upsert', productItems(250), INPUT_ITEM);
		expect(error).toBeUndefined();
		expect(await shop.requests()).toEqual({ 'POST /products/batch': 3 });
		expect(titles(items)).toEqual(productItems(250).map(({ title }) => title));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect((await shop.platform.control.records('products')).count).toBe(250);
	});

	it('puts as many into a request as the option says', async () => {
		await shop.run('product.upsert', productItems(10), {
			...INPUT_ITEM,
			options: { batchSize: 4 },
		});
		expect((await shop.batches()).map((batch) => batch.length).sort()).toEqual([2, 4, 4]);
	});

	it('sends an item’s own fields as they are, without those that are empty', async () => {
		const item = {
			sku: 17,
			title: 'Mug',
			description: '',
			handle: null,
			prices: [{ amount: 500, currency: 'EUR' }],
		};
		await shop.run('product.upsert', [item], INPUT_ITEM);
		expect(await shop.batches()).toEqual([
			[{ op: 'upsert', sku: '17', title: 'Mug', prices: [{ amount: 500, currency: 'EUR' }] }],
		]);
	});

	it('keeps the order of items of one SKU', async () => {
		const items = [...productItems(3), { sku: 'SKU-1', title: 'Last' }];
		const { items: output } = await shop.run('product.upsert', items, INPUT_ITEM);
		expect((await shop.batches()).map((batch) => batch.map(({ sku }) => sku))).toEqual([
			['SKU-0', 'SKU-1', 'SKU-2'],
			['SKU-1'],
		]);
		expect(titles(output)[3]).toBe('Last');
		expect((await shop.platform.control.records('products')).count).toBe(3);
	});

	it.each([
		['no SKU', { title: 'None' }, 'sku” is empty'],
		['another operation', { sku: 'A', op: 'delete' }, 'can only be “upsert”'],
		[
			'a number that is not finite',
			{ sku: 'A', stock: Number.NaN },
			'stock” is NaN, which is no number',
		],
	])('finds %s before anything is sent', async (_what, bad, message) => {
		const { error } = await shop.run('product.upsert', [...productItems(150), bad], INPUT_ITEM);
		expect(error?.message).toContain(message);
		expect(await shop.requests()).toEqual({});
	});

	it.each([
		['Batch Size', { batchSize: 101 }],
		['If Batch Is Not Available', { ifBatchNotAvailable: 'maybe' }],
	])('refuses a wrong %s before anything is sent', async (field, options) => {
		const { error } = await shop.run('product.upsert', productItems(2), { ...INPUT_ITEM, options });
		expect(error?.message).toContain(`“${field}`);
		expect(await shop.requests()).toEqual({});
	});
});

describe('what an item says', () => {
	const full = { ...INPUT_ITEM, simplify: false };
	const changed = (n: number) => ({ ...productItems(4)[n], title: 'Other' });

	it('is in short the ID, SKU, title, what was done and when, and a hint has the counts', async () => {
		await shop.run('product.upsert', productItems(3), INPUT_ITEM);
		const items = [changed(0), ...productItems(4).slice(1)];
		const { items: output, hints } = await shop.run('product.upsert', items, {
			...INPUT_ITEM,
			options: { onlyIfChanged: true },
		});
		expect(output.map(({ json }) => json.result)).toEqual([
			'updated',
			'unchanged',
			'unchanged',
			'created',
		]);
		expect(Object.keys(output[0].json)).toEqual(['id', 'sku', 'title', 'result', 'updated_at']);
		expect(output[1].json).toMatchObject({ sku: 'SKU-1', title: 'Product 1', skipped: true });
		expect(hints.map(({ message }) => message)).toContain('Created: 1, updated: 1, unchanged: 2.');
	});

	it('is all of the product where Simplify is off', async () => {
		const { items: output } = await shop.run('product.upsert', productItems(1), full);
		expect(output[0].json).toMatchObject({ variants: [{ sku: 'SKU-0' }], result: 'created' });
	});

	it('is the same one by one', async () => {
		await shop.platform.control.configure({ inDevelopment: { batch: false } });
		await shop.run('product.upsert', productItems(1), INPUT_ITEM);
		const { items: output } = await shop.run('product.upsert', productItems(2), INPUT_ITEM);
		expect(output.map(({ json }) => json.result)).toEqual(['updated', 'created']);
		expect(Object.keys(output[0].json)).toEqual(['id', 'sku', 'title', 'result', 'updated_at']);
	});
});

/** Every third has no title, so it cannot be created. */
const withBad = (count: number) =>
	productItems(count).map((item, n) => (n % 3 === 1 ? { sku: item.sku } : item));

describe('a partial success', () => {
	it('is an error item for each product that was refused, with Continue On Fail', async () => {
		const { items } = await shop.run('product.upsert', withBad(9), INPUT_ITEM, CONTINUE);
		expect(items.map(({ json }) => 'error' in json)).toEqual(
			Array.from({ length: 9 }, (_, n) => n % 3 === 1),
		);
		expect(items[1].json).toMatchObject({
			error: 'The platform refused this product',
			status: 400,
			code: 'INVALID_PARAMETER',
		});
		expect(items[1].json.description).toContain('SKU “SKU-1”');
		expect(items[1].pairedItem).toEqual({ item: 1 });
	});

	it('goes to the error output, where the node has one', async () => {
		const { items, errorItems } = await shop.run('product.upsert', withBad(9), INPUT_ITEM, {
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(6);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			[1, 4, 7].map((item) => ({ item })),
		);
	});

	it('otherwise is one error that says how many failed, why, and what was done', async () => {
		const { error } = await shop.run('product.upsert', withBad(9), INPUT_ITEM);
		expect(error?.message).toBe('The platform refused this product');
		expect(error?.description).toContain('3 items failed: The platform refused this product.');
		expect(error?.description).toContain('6 of 9 items were done before it stopped.');
		expect((await shop.platform.control.records('products')).count).toBe(6);
	});
});

const dialect = async (change: Record<string, string>) =>
	await shop.platform.control.configure({ dialect: change });

describe('the readings of “per-item results”', () => {
	const outcomes = async () => {
		const { items } = await shop.run('product.upsert', withBad(7), INPUT_ITEM, CONTINUE);
		expect(items).toHaveLength(7);
		return items.map(({ json }) =>
			'error' in json ? (String(json.error).includes('not confirmed') ? '?' : 'x') : '.',
		);
	};
	const RIGHT = '.x..x..';

	it.each(
		Object.entries({
			batchStatus: ['multiStatusForErrors', 'ok', 'multiStatus'],
			batchBody: ['data', 'results', 'nested', 'bare'],
			batchOrder: ['asSent', 'reversed', 'mixed'],
			batchItems: ['all', 'more'],
			batchKeys: ['indexAndSku', 'sku', 'index', 'indexFromOne', 'nothing'],
			batchResult: ['status', 'words', 'flags'],
		}).flatMap(([name, values]) => values.map((value) => [name, value])),
	)('%s: %s', async (name, value) => {
		await dialect({ [name]: value });
		expect((await outcomes()).join('')).toBe(RIGHT);
	});

	it('takes what has no result as not confirmed, never as done', async () => {
		await dialect({ batchItems: 'fewer' });
		expect((await outcomes()).join('')).toBe('.x?.x?.');
		await dialect({ batchItems: 'none' });
		expect((await outcomes()).join('')).toBe('???????');
		await dialect({ batchItems: 'noBody' });
		expect((await outcomes()).join('')).toBe('???????');
		for (const batchBody of ['results', 'nested']) {
			await dialect({ batchItems: 'failures', batchBody });
			expect((await outcomes()).join('')).toBe('?x??x??');
		}
	});
});

describe('a platform without batches', () => {
	const ERRORS = ['notImplemented', 'notFound', 'forbidden', 'methodNotAllowed', 'badRequest'];
	beforeEach(async () => {
		await shop.platform.control.configure({ inDevelopment: { batch: false } });
	});

	it.each(ERRORS)('is told by the error: %s', async (inDevelopmentError) => {
		await dialect({ inDevelopmentError });
		const options = { ifBatchNotAvailable: 'stop' };
		const { error } = await shop.run('product.upsert', productItems(150), {
			...INPUT_ITEM,
			options,
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/not released|not be released/);
		expect(await shop.requests()).toEqual({ 'POST /products/batch': 1 });
	});

	it.each(ERRORS)('is done without, one by one, by default: %s', async (inDevelopmentError) => {
		await dialect({ inDevelopmentError });
		const first = await shop.run('product.upsert', productItems(5), INPUT_ITEM);
		expect(first.error).toBeUndefined();
		expect(titles(first.items)).toEqual(productItems(5).map(({ title }) => title));
		const renamed = productItems(5).map((item) => ({
			...item,
			title: `New ${String(item.title)}`,
		}));
		const second = await shop.run('product.upsert', renamed, INPUT_ITEM);
		expect(titles(second.items)).toEqual(renamed.map(({ title }) => title));
		expect(second.hints.map(({ message }) => message).join(' ')).toContain('10 requests');
		expect((await shop.platform.control.records('products')).count).toBe(5);
		expect(await shop.requests()).toMatchObject({
			'GET /products': 10,
			'POST /products': 5,
			'PATCH /products/{id}': 5,
		});
	});
});

describe('products one by one', () => {
	const options = { ifBatchNotAvailable: 'single' };
	const parameters = { ...INPUT_ITEM, options, requests: { maxRequestsAtOnce: 2 } };
	const titlesInShop = async () => {
		const { items } = await shop.run('product.getAll', [{}], { returnAll: true, simplify: false });
		return items.map(({ json }) => json.title).sort();
	};
	beforeEach(async () => {
		await shop.platform.control.configure({ inDevelopment: { batch: false } });
	});

	it('are there once each although answers are lost', async () => {
		await shop.platform.control.setFaults([
			{ method: 'POST', path: '/products', fault: 'lostAnswer', probability: 0.3, seed: 5 },
		]);
		const { items, error } = await shop.run('product.upsert', productItems(30), parameters);
		expect(error).toBeUndefined();
		expect(titles(items)).toEqual(productItems(30).map(({ title }) => title));
		expect((await shop.platform.control.counters()).replays).toBeGreaterThan(3);
		expect(await titlesInShop()).toEqual(
			productItems(30)
				.map(({ title }) => title)
				.sort(),
		);
	}, 30_000);

	it('are there once each although n8n runs the node again after a lost answer', async () => {
		await shop.platform.control.setFaults([
			{
				method: 'POST',
				path: '/products',
				// The first request asks for a batch.
				script: ['404', 'ok', ...Array<string>(8).fill('lostAnswer')],
			},
		]);
		const { items, error } = await shop.run('product.upsert', productItems(5), parameters, {
			retryOnFail: { maxTries: 2 },
		});
		expect(error).toBeUndefined();
		expect(titles(items)).toEqual(productItems(5).map(({ title }) => title));
		expect(await titlesInShop()).toHaveLength(5);
	}, 30_000);
});

describe('Only If Changed', () => {
	const options = { onlyIfChanged: true };

	it('sends no write where nothing changed, and marks what was skipped', async () => {
		await shop.run('product.upsert', productItems(600), INPUT_ITEM);
		await shop.platform.control.resetCounters();
		const { items } = await shop.run('product.upsert', productItems(600), {
			...INPUT_ITEM,
			options,
		});
		expect(await shop.requests()).toEqual({ 'GET /products': 3 });
		expect(items).toHaveLength(600);
		expect(items.every(({ json }) => json.skipped === true)).toBe(true);
		expect(titles(items)).toEqual(productItems(600).map(({ title }) => title));
	});

	it('writes what another product further down the list has the SKU of as well', async () => {
		await shop.run('product.upsert', productItems(600), INPUT_ITEM);
		await shop.addTwin('SKU-0');
		const { items } = await shop.run('product.upsert', productItems(5), {
			...INPUT_ITEM,
			options,
		});
		expect(items.map(({ json }) => json.skipped)).toEqual([undefined, true, true, true, true]);
	});

	it('gets few products one by one', async () => {
		await shop.run('product.upsert', productItems(600), INPUT_ITEM);
		await shop.platform.control.resetCounters();
		await shop.run('product.upsert', productItems(2), { ...INPUT_ITEM, options });
		expect(await shop.requests()).toEqual({ 'GET /products': 2 });
	});

	it('writes what changed and what is new, and nothing else', async () => {
		await shop.run('product.upsert', productItems(20), INPUT_ITEM);
		await shop.platform.control.resetCounters();
		const items = productItems(21).map((item, n) => (n === 3 ? { ...item, title: 'Other' } : item));
		const { items: output } = await shop.run('product.upsert', items, { ...INPUT_ITEM, options });
		expect((await shop.batches())[0].map(({ sku }) => sku)).toEqual(['SKU-3', 'SKU-20']);
		expect(output.filter(({ json }) => json.skipped === true)).toHaveLength(19);
	});

	it('writes every later item of SKUs that the shop may take for one', async () => {
		await shop.run('product.upsert', productItems(1), INPUT_ITEM);
		const items = [{ sku: 'sku-0 ', title: 'Other' }, ...productItems(1)];
		const { items: output } = await shop.run('product.upsert', items, { ...INPUT_ITEM, options });
		expect(output.map(({ json }) => json.skipped)).toEqual([undefined, undefined]);
	});

	it('writes every later item of a SKU of which an earlier one is written', async () => {
		await shop.run('product.upsert', productItems(1), INPUT_ITEM);
		const items = [{ sku: 'SKU-0', title: 'Other' }, ...productItems(1)];
		await shop.run('product.upsert', items, { ...INPUT_ITEM, options });
		const { items: output } = await shop.run('product.upsert', productItems(1), {
			...INPUT_ITEM,
			options,
		});
		expect(output[0].json).toMatchObject({ title: 'Product 0', skipped: true });
	});
});

describe('Dry Run', () => {
	const dry = { ...INPUT_ITEM, options: { dryRun: true } };
	const rows = async (items: IDataObject[], parameters: IDataObject = dry) => {
		await shop.platform.control.resetCounters();
		const { items: output, hints, error } = await shop.run('product.upsert', items, parameters);
		expect(error).toBeUndefined();
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		return { rows: output.map(({ json }) => json), hint: hints.map(({ message }) => message)[0] };
	};

	it('writes nothing, and gives a row an item with the old and the new value', async () => {
		await shop.run('product.upsert', productItems(4), INPUT_ITEM);
		const items = productItems(5).map((item, n) => (n === 1 ? { ...item, title: 'Other' } : item));
		const { rows: found, hint } = await rows(items);
		expect(found[0]).toEqual({
			dryRun: true,
			sku: 'SKU-0',
			title: 'Product 0',
			result: 'no change',
		});
		expect(found[1]).toEqual({
			dryRun: true,
			sku: 'SKU-1',
			title: 'Product 1',
			result: 'would change',
			field: 'title',
			old: 'Product 1',
			new: 'Other',
		});
		expect(found[4]).toMatchObject({ result: 'would create', old: null, new: 'Product 4' });
		expect(await shop.requests()).toEqual({ 'GET /products': 1 });
		expect(hint).toContain('Dry run: nothing was written. It would be 1 request,');
	});

	it('names each field that would change, and the prices of the variant that the SKU names', async () => {
		const prices = (amount: number) => [{ amount, currency: 'EUR' }];
		await shop.run('product.upsert', [{ ...productItems(1)[0], prices: prices(1) }], INPUT_ITEM);
		const item = { sku: 'SKU-0', title: 'Other', prices: prices(2) };
		const { rows: found } = await rows([item, { sku: 'SKU-0', prices: prices(1) }]);
		expect(found[0]).toMatchObject({
			field: 'title, prices EUR',
			old: { title: 'Product 0', 'prices EUR': { amount: 1, currency: 'EUR' } },
			new: { title: 'Other', 'prices EUR': { amount: 2, currency: 'EUR' } },
		});
		expect(found[1].result).toBe('no change');
	});

	it('counts the requests of what Only If Changed would send alone', async () => {
		await shop.run('product.upsert', productItems(150), INPUT_ITEM);
		const { hint } = await rows(productItems(150), dry);
		expect(hint).toContain('It would be 2 requests,');
		const options = { dryRun: true, onlyIfChanged: true };
		const changed = productItems(150).map((item, n) => (n < 50 ? { ...item, title: 'x' } : item));
		expect((await rows(changed, { ...INPUT_ITEM, options })).hint).toContain(
			'It would be 1 request,',
		);
	});

	it('tells a SKU that several products have', async () => {
		await shop.run('product.upsert', productItems(5), INPUT_ITEM);
		await shop.addTwin('SKU-0');
		const { rows: found } = await rows(productItems(5));
		expect(found.map(({ result }) => result)).toEqual([
			'names 2 products',
			...Array<string>(4).fill('no change'),
		]);
	});
});

describe('writes that are repeated', () => {
	const FAULTS = {
		method: 'POST',
		path: '/products/batch',
		probability: 0.2,
		seed: 7,
		anyOf: [
			{ fault: 'status' as const, status: 429, retryAfter: 0 },
			{ fault: 'status' as const, status: 503 },
			{ fault: 'reset' as const },
			{ fault: 'lostAnswer' as const },
		],
	};
	const appliedOnce = async () => {
		const { writesByIdempotencyKey } = await shop.platform.control.counters();
		expect(Object.values(writesByIdempotencyKey).every((times) => times === 1)).toBe(true);
	};

	it('are applied once although one request in five fails', async () => {
		await shop.platform.control.setFaults([FAULTS]);
		const { items, error } = await shop.run('product.upsert', productItems(2_000), INPUT_ITEM);
		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(2_000);
		expect((await shop.platform.control.records('products')).count).toBe(2_000);
		await appliedOnce();
	});

	it('have the same keys when n8n runs the node again, and leave out what is done', async () => {
		await shop.platform.control.setFaults([
			{
				method: 'POST',
				path: '/products/batch',
				script: ['ok', 'ok', ...Array<string>(8).fill('lostAnswer')],
			},
		]);
		const { items, error } = await shop.run(
			'product.upsert',
			productItems(250),
			{ ...INPUT_ITEM, requests: { maxRequestsAtOnce: 1 } },
			{ retryOnFail: { maxTries: 2 } },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(250);
		await appliedOnce();
		const keys = (await shop.platform.control.requests()).map(
			({ headers }) => headers['idempotency-key'],
		);
		expect(new Set(keys).size).toBe(3);
		expect((await shop.platform.control.records('products')).count).toBe(250);
	});

	it('are sent in smaller batches where the platform says that a body is too large', async () => {
		await shop.platform.control.setFaults([
			{ method: 'POST', path: '/products/batch', script: ['413'] },
		]);
		const { items, error } = await shop.run('product.upsert', productItems(10), INPUT_ITEM);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(10);
		expect((await shop.batches()).map((batch) => batch.length)).toEqual([10, 5, 5]);
	});
});

it('leaves the platform without a contract violation', async () => {
	expect((await shop.platform.control.counters()).violations).toEqual([]);
});
