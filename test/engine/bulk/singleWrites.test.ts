import type { IDataObject } from 'n8n-workflow';

import { apiClient } from '../../support/apiClient';
import { openBulkShop, type BulkShop } from './bulkShop';

const LOCATION = 'sloc_main';

let shop: BulkShop;
let products: IDataObject[];
let levels: IDataObject[];

beforeAll(async () => {
	shop = await openBulkShop({ products: 300 });
});
beforeEach(async () => {
	await shop.reset();
	products = (
		await shop.run('product.getAll', [{}], { returnAll: true, simplify: false })
	).items.map(({ json }) => json);
	levels = (await shop.run('inventory.getAll', [{}], { returnAll: true })).items.map(
		({ json }) => json,
	);
	await shop.platform.control.resetCounters();
});
afterAll(async () => await shop.close());

const update = (options: IDataObject) => ({
	productId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	updateFields: { title: '={{ $json.title }}' },
	options,
});
const set = (options: IDataObject) => ({
	sku: '={{ $json.sku }}',
	locationId: '={{ $json.location_id }}',
	quantity: '={{ $json.quantity }}',
	options,
});

describe('Only If Changed', () => {
	it('updates only the products that differ, after one walk through the list', async () => {
		const items = products.map(({ id, title }, n) => ({ id, title: n === 7 ? 'Other' : title }));
		const { items: output, error } = await shop.run(
			'product.update',
			items as IDataObject[],
			update({ onlyIfChanged: true }),
		);
		expect(error).toBeUndefined();
		expect(await shop.requests()).toEqual({ 'GET /products': 2, 'PATCH /products/{id}': 1 });
		expect(output.map(({ json }) => json.skipped ?? false)).toEqual(items.map((_, n) => n !== 7));
		expect(output.map(({ json }) => json.id)).toEqual(products.map(({ id }) => id));
	});

	it('gets few products one by one, by ID or by handle', async () => {
		const [first, second] = products;
		const byHandle = {
			...update({ onlyIfChanged: true }),
			productId: { __rl: true, mode: 'handle', value: '={{ $json.handle }}' },
		};
		await shop.run('product.update', [first], update({ onlyIfChanged: true }));
		await shop.run('product.update', [second], byHandle);
		expect(await shop.requests()).toEqual({ 'GET /products/{id}': 1, 'GET /products': 1 });
	});

	it('sets only the stock levels that differ', async () => {
		const items = levels.map((level, n) => (n === 3 ? { ...level, quantity: 4711 } : level));
		const { items: output, error } = await shop.run(
			'inventory.set',
			items,
			set({ onlyIfChanged: true }),
		);
		expect(error).toBeUndefined();
		const counts = await shop.requests();
		expect(counts['PUT /inventory/levels']).toBe(1);
		expect(counts['GET /inventory/levels']).toBe(Math.ceil(levels.length / 250));
		expect(output.filter(({ json }) => json.skipped === true)).toHaveLength(levels.length - 1);
	});

	it('sends nothing where an item cannot be read', async () => {
		const bad = { ...levels[0], quantity: 'many' };
		const { error } = await shop.run(
			'inventory.set',
			[...levels, bad],
			set({ onlyIfChanged: true }),
		);
		expect(error?.message).toContain('“Quantity”');
		expect(await shop.requests()).toEqual({});
	});
});

describe('Set over many items', () => {
	it('keeps the order of each SKU and location, several at once', async () => {
		await shop.platform.control.setFaults([{ fault: 'slow', ms: 5, method: 'PUT' }]);
		const skus = [...new Set(levels.map(({ sku }) => String(sku)))].slice(0, 20);
		const items = Array.from({ length: 200 }, (_, n) => ({
			sku: skus[n % 20],
			location_id: LOCATION,
			quantity: n,
		}));
		const { error } = await shop.run('inventory.set', items, set({}));
		expect(error).toBeUndefined();
		const sent = (await shop.platform.control.requests())
			.filter(({ method }) => method === 'PUT')
			.map(({ body }) => JSON.parse(body ?? '{}') as { sku: string; quantity: number });
		for (const sku of skus) {
			const quantities = sent.filter((one) => one.sku === sku).map(({ quantity }) => quantity);
			expect(quantities).toEqual([...quantities].sort((a, b) => a - b));
			expect(quantities).toHaveLength(10);
		}
		expect((await shop.platform.control.counters()).maxInFlight).toBeGreaterThan(1);
	});
});

describe('Dry Run of writes that go one by one', () => {
	const dry = { dryRun: true };

	it('shows what each item would change, and what all cost', async () => {
		const items = products.slice(0, 5).map(({ id }) => ({ id, title: 'New' })) as IDataObject[];
		items[1].title = products[1].title;
		const { items: output, hints } = await shop.run('product.update', items, update(dry));
		expect(await shop.requests()).toEqual({ 'GET /products/{id}': 5 });
		const { id, title, variants } = products[4];
		const sku = (variants as IDataObject[]).map((one) => one.sku).join(', ');
		const about = { dryRun: true, id, sku, title, result: 'would change', field: 'title' };
		expect(output[4].json).toEqual({ ...about, old: title, new: 'New' });
		expect(output[4].pairedItem).toEqual({ item: 4 });
		expect(output[1].json).toMatchObject({ result: 'no change' });
		expect(hints.map(({ message }) => message).join(' ')).toContain(
			'Dry run: nothing was written. It would be 5 requests',
		);
	});

	it('shows the one price that a merge would change', async () => {
		const [{ id, variants }] = products as Array<{ id: string; variants: IDataObject[] }>;
		const [{ sku, prices }] = variants;
		const [{ amount, currency }] = prices as IDataObject[];
		const variantsJson = JSON.stringify([{ sku, prices: [{ amount: 7, currency }] }]);
		const { items: output, error } = await shop.run('product.update', [{ id }], {
			...update(dry),
			amountsAreIn: 'minor',
			updateFields: { variantsJson },
		});
		expect(error).toBeUndefined();
		expect(output[0].json).toMatchObject({
			field: `variants ${String(sku)} prices ${String(currency)}`,
			old: { amount, currency },
			new: { amount: 7, currency },
		});
		expect((await shop.requests())['PATCH /products/{id}']).toBeUndefined();
	});

	it.each<[string, () => Promise<IDataObject> | IDataObject, IDataObject, string[]]>([
		['product.create', () => ({ title: 'New' }), { method: 'POST', path: '/products' }, []],
		[
			'product.delete',
			() => ({ productId: { __rl: true, mode: 'handle', value: products[3].handle } }),
			{ method: 'DELETE', path: expect.stringMatching(/^\/products\/prod_/), requests: 2 },
			['GET /products'],
		],
		[
			'order.cancel',
			() => ({ orderId: { __rl: true, mode: 'id', value: 'ord_1' } }),
			{ method: 'POST', path: '/orders/ord_1/cancel' },
			[],
		],
		[
			'webhook.recreate',
			async () => ({
				webhookId: { __rl: true, mode: 'id', value: await newEndpoint() },
				updateFields: { description: 'New' },
			}),
			{ method: 'POST', path: '/webhooks', requests: 3, body: { description: 'New' } },
			['GET /webhooks/{id}'],
		],
	])('%s writes nothing', async (operation, parameters, shown, reads) => {
		const given = await parameters();
		await shop.platform.control.resetCounters();
		const { items, error } = await shop.run(operation, [{}], { ...given, options: dry });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ dryRun: true, ...shown });
		expect(Object.keys(await shop.requests())).toEqual(reads);
	});

	async function newEndpoint(): Promise<string> {
		const body = { url: 'https://r.example/', events: ['order.paid'] };
		const { id } = await apiClient(shop.platform).data('/webhooks', { method: 'POST', body });
		return String(id);
	}

	it('goes before Only If Changed', async () => {
		const items = products.slice(0, 2);
		await shop.run('product.update', items, update({ ...dry, onlyIfChanged: true }));
		expect(Object.keys(await shop.requests())).not.toContain('PATCH /products/{id}');
	});
});

describe('a long run', () => {
	it('says at its end what it cost and what is left of the day, and a cheaper way', async () => {
		const items = products.map(({ id }) => ({ id, title: 'New' })) as IDataObject[];
		const { hints } = await shop.run('product.update', items, update({}));
		const text = hints.map(({ message }) => message).join(' ');
		expect(text).toContain('This run sent 300 requests. 9,999,');
		expect(text).toContain('Create or Update sends up to 100 products in one request');
	});

	it('names no way that is already taken', async () => {
		const items = levels.slice(0, 120).map((level) => ({ ...level, quantity: 4711 }));
		const { hints } = await shop.run('inventory.set', items, set({ onlyIfChanged: true }));
		const text = hints.map(({ message }) => message).join(' ');
		expect(text).toContain('This run sent 1');
		expect(text).not.toContain('Only If Changed');
	});

	it('says nothing where it was short', async () => {
		const { hints } = await shop.run('product.update', products.slice(0, 5), update({}));
		expect(hints).toEqual([]);
	});
});
