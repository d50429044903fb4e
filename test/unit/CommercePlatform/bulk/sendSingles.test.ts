import type { IDataObject } from 'n8n-workflow';

import { sendSingles } from '../../../../nodes/CommercePlatform/bulk/singles';
import { upsertProducts } from '../../../../nodes/CommercePlatform/bulk/upsert';
import { HeldItem } from '../../../../nodes/CommercePlatform/run/heldItem';
import type { BatchCall } from '../../../../nodes/CommercePlatform/run/operation';
import type { PlatformRequest } from '../../../../nodes/shared/api/request';
import { PlatformError } from '../../../../nodes/shared/errors/errors';

interface Shop {
	products?: IDataObject[];
	maxInFlight?: number;
	/** What becomes of a write; `undefined` for an answer without a record. */
	answer?: (request: PlatformRequest) => IDataObject | undefined;
	/** Whether the run has failed, asked before each step. */
	stopsAfter?: number;
	/** An API key of its own where it is left out. */
	credentialId?: string;
	/** What reading a product gives: what was written last with its ID, or else the first, where it is left out. */
	shown?: IDataObject | (() => Error);
}

const GET = { method: 'GET' as const, path: '/products/{productId}' };
let keys = 0;

/** A run over a shop's products: what is asked for, sent and said. */
function runOver({
	products = [],
	maxInFlight = 4,
	answer = ({ body }) => ({ id: 'p-new', ...body }),
	stopsAfter = Number.POSITIVE_INFINITY,
	credentialId = `key-${++keys}`,
	shown,
}: Shop = {}) {
	const seen = {
		lookUps: [] as unknown[],
		sent: [] as Array<{ request: PlatformRequest; items: readonly number[] }>,
		done: [] as Array<[number, IDataObject]>,
		failed: [] as Array<[number, string]>,
		progress: [] as number[],
		/** Hints, and what had been sent when each was given. */
		hints: [] as Array<{ text: string; sent: number; lookUps: number }>,
		most: 0,
	};
	const hint = (text: string) =>
		void seen.hints.push({ text, sent: seen.sent.length, lookUps: seen.lookUps.length });
	const made = ['A', 'a', 'B', 'C'].map((sku) => ({ sku }));
	let underWay = 0;
	async function* pages({ query }: PlatformRequest) {
		seen.lookUps.push(query?.sku);
		await Promise.resolve();
		yield { records: products, hasMore: false };
	}
	const call = {
		items: [],
		client: {
			host: 'shop',
			credentialId,
			pages,
			request: async () => {
				if (typeof shown === 'function') throw shown();
				const record = shown ?? products[0] ?? { id: 'p-new', variants: made };
				return await Promise.resolve({ record, status: 200, headers: {} });
			},
			options: { maxInFlight },
			rateLimit: () => ({}),
		},
		send: async (request: PlatformRequest, items: readonly HeldItem[]) => {
			seen.sent.push({ request, items: items.map(({ itemIndex }) => itemIndex) });
			seen.most = Math.max(seen.most, ++underWay);
			// Long enough for everything that may overtake it.
			for (let turn = 0; turn < 20; turn++) await Promise.resolve();
			underWay--;
			return { record: answer(request) };
		},
		done: ([item]: HeldItem[], record: IDataObject) =>
			void seen.done.push([item.itemIndex, record]),
		failed: ([item]: HeldItem[], error: Error) =>
			void seen.failed.push([item.itemIndex, error.message]),
		refused: () => undefined,
		unclear: () => undefined,
		stopped: () => seen.sent.length >= stopsAfter,
		report: { hint, progress: (done: number) => void seen.progress.push(done) },
	};
	return { seen, call: call as unknown as BatchCall };
}

const write = (itemIndex: number, sku: string, fields: IDataObject = {}) =>
	new HeldItem(itemIndex, { sku, ...fields }, () => ({ sku, ...fields }));

const shirt = {
	id: 'p-1',
	title: 'Shirt',
	variants: [
		{ id: 'v-1', sku: 'M', prices: [{ amount: 1, currency: 'EUR' }] },
		{ id: 'v-2', sku: 'L', prices: [{ amount: 2, currency: 'EUR' }] },
	],
};
const PRICES = [{ amount: 5, currency: 'EUR' }];

const singles = async (call: BatchCall, items: HeldItem[]) =>
	await sendSingles(call, items, (item, record, result) =>
		call.done([item], { sku: item.sku, ...record, result, written: record === undefined }),
	);

it('creates a product of which no variant has the SKU, with its prices at the variant', async () => {
	const { call, seen } = runOver({ products: [shirt] });
	await singles(call, [write(0, 'XL', { title: 'New', prices: PRICES })]);
	expect(seen.lookUps).toEqual(['XL']);
	expect(seen.sent.map(({ request }) => request)).toEqual([
		{
			method: 'POST',
			path: '/products',
			body: { title: 'New', variants: [{ sku: 'XL', prices: PRICES }] },
		},
	]);
});

it('updates the product that has the SKU, and sends its other variants as they are', async () => {
	const { call, seen } = runOver({ products: [shirt] });
	await singles(call, [write(0, 'L', { title: 'Other' }), write(1, 'M', { prices: PRICES })]);
	const [title, prices] = seen.sent.map(({ request }) => request);
	expect(title).toMatchObject({
		method: 'PATCH',
		path: '/products/{productId}',
		pathParams: { productId: 'p-1' },
		body: { title: 'Other' },
	});
	expect(prices.body).toEqual({
		variants: [{ ...shirt.variants[0], prices: PRICES }, shirt.variants[1]],
	});
});

it('writes nothing where a SKU names several products, and goes on with the others', async () => {
	const { call, seen } = runOver({ products: [shirt, { ...shirt, id: 'p-2' }] });
	await singles(call, [write(0, 'M', { title: 'A' }), write(1, 'XL', { title: 'B' })]);
	expect(seen.failed).toEqual([[0, expect.stringContaining('“M” names 2 products')]]);
	expect(seen.done.map(([item]) => item)).toEqual([1]);
	expect(seen.sent).toHaveLength(1);
});

it('keeps the order of one SKU, with other SKUs beside it', async () => {
	const { call, seen } = runOver({ maxInFlight: 4 });
	await singles(call, [write(0, 'A'), write(1, 'B'), write(2, 'A'), write(3, 'c')]);
	const order = seen.sent.map(({ items }) => items[0]);
	expect(order.indexOf(0)).toBeLessThan(order.indexOf(2));
	expect(order.slice(0, 2)).toEqual([0, 1]);
	expect(order).toHaveLength(4);
	expect(seen.done.findIndex(([item]) => item === 0)).toBeLessThan(
		seen.done.findIndex(([item]) => item === 2),
	);
});

it('has no more under way than the run allows', async () => {
	const { call, seen } = runOver({ maxInFlight: 2 });
	await singles(
		call,
		Array.from({ length: 9 }, (_, n) => write(n, `S-${n}`)),
	);
	expect(seen.most).toBe(2);
	expect(seen.done).toHaveLength(9);
	expect(seen.progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('says of each item by itself what failed it', async () => {
	const answer = ({ body }: PlatformRequest) => {
		if (body?.title === 'bad') throw new Error('refused');
		return { id: 'p' };
	};
	const { call, seen } = runOver({ answer });
	await singles(call, [
		write(4, 'A', { title: 'good' }),
		write(5, 'B', { title: 'bad' }),
		write(6, 'B', { title: 'good' }),
	]);
	expect(seen.failed).toEqual([[5, 'refused']]);
	expect(seen.done.map(([item]) => item)).toEqual([4, 6]);
});

it('says that an item is written where the answer shows no product', async () => {
	const { call, seen } = runOver({ answer: () => undefined });
	await singles(call, [write(0, 'A')]);
	expect(seen.done).toEqual([[0, { sku: 'A', result: 'created', written: true }]]);
});

it('sends each write for its own item, so that its key is its own', async () => {
	const { call, seen } = runOver();
	await singles(call, [write(2, 'A'), write(7, 'A')]);
	expect(seen.sent.map(({ items }) => items)).toEqual([[2], [7]]);
});

it('neither looks up nor writes what an earlier run has done', async () => {
	const { call, seen } = runOver();
	const done = write(0, 'A');
	done.isDone = true;
	await singles(call, [done, write(1, 'B')]);
	expect(seen.lookUps).toEqual(['B']);
	expect(seen.sent.map(({ items }) => items)).toEqual([[1]]);
});

it('starts nothing further once the run has failed', async () => {
	const { call, seen } = runOver({ maxInFlight: 1, stopsAfter: 2 });
	await singles(call, [write(0, 'A'), write(1, 'A'), write(2, 'A'), write(3, 'B')]);
	expect(seen.sent.map(({ items }) => items[0])).toEqual([0, 1]);
	expect(seen.lookUps).toHaveLength(2);
});

describe('a SKU that the shop has in another spelling', () => {
	it.each([
		['m', 'M'],
		['M ', 'M'],
		[' M', 'M'],
		['shirt-l', 'SHIRT-L'],
	])('is refused by name: “%s” where it has “%s”', async (sku, has) => {
		const { call, seen } = runOver({ products: [{ ...shirt, variants: [{ sku: has }] }] });
		await singles(call, [write(0, sku, { title: 'Other' })]);
		expect(seen.sent).toEqual([]);
		expect(seen.failed).toEqual([
			[0, expect.stringContaining(`“${sku}” is not in the shop, but “${has}” is`)],
		]);
	});

	it('does not hold up the product that has it exactly', async () => {
		const loose = { id: 'p-2', variants: [{ sku: 'm' }] };
		const { call, seen } = runOver({ products: [loose, shirt] });
		await singles(call, [write(0, 'M', { title: 'Other' })]);
		expect(seen.sent.map(({ request }) => request.pathParams)).toEqual([{ productId: 'p-1' }]);
	});

	it('is refused as well where this run has created it', async () => {
		const { call, seen } = runOver();
		await singles(call, [write(0, 'a'), write(1, 'A')]);
		expect(seen.sent).toHaveLength(1);
		expect(seen.failed).toEqual([
			[1, expect.stringContaining('“A” is not in the shop, but “a” is')],
		]);
	});
});

it('creates a product once although the platform’s search does not show it yet', async () => {
	const { call, seen } = runOver();
	const variants = [{ sku: 'A' }, { sku: 'B' }];
	await singles(call, [
		write(0, 'A', { title: '1', variants }),
		write(1, 'C', { title: '2' }),
		write(2, 'A', { title: '3' }),
		write(3, 'C', { title: '4' }),
	]);
	expect(seen.sent.map(({ request: { method }, items }) => [method, ...items])).toEqual([
		['POST', 0],
		['POST', 1],
		['PATCH', 2],
		['PATCH', 3],
	]);
	expect(seen.done.map(([, { result }]) => result)).toEqual([
		'created',
		'created',
		'updated',
		'updated',
	]);
});

it('does not create a product again of which the answer showed no ID', async () => {
	const { call, seen } = runOver({ answer: () => undefined });
	await singles(call, [write(0, 'A'), write(1, 'A')]);
	expect(seen.sent).toHaveLength(1);
	expect(seen.failed).toEqual([[1, expect.stringContaining('“A” was created before')]]);
});

describe('what an earlier run has created, while the platform’s search does not show it', () => {
	const createdBefore = async (credentialId: string) =>
		await singles(runOver({ credentialId }).call, [write(0, 'A', { title: '1' })]);
	const methodsOf = ({ sent }: ReturnType<typeof runOver>['seen']) =>
		sent.map(({ request: { method } }) => method);

	it('is updated, not created again', async () => {
		await createdBefore('one key');
		const { call, seen } = runOver({ credentialId: 'one key' });
		await singles(call, [write(0, 'A', { title: '2' })]);
		expect(methodsOf(seen)).toEqual(['PATCH']);
		expect(seen.sent[0].request.pathParams).toEqual({ productId: 'p-new' });
	});

	it('is not known to another API key', async () => {
		await createdBefore('first key');
		const { call, seen } = runOver({ credentialId: 'second key' });
		await singles(call, [write(0, 'A', { title: '2' })]);
		expect(methodsOf(seen)).toEqual(['POST']);
	});

	it.each([
		['deleted', () => new PlatformError('refused', { ...GET, host: 'shop' }, { status: 404 })],
		['given other SKUs', { id: 'p-new', variants: [{ sku: 'Z' }] }],
	])('is created again once it was %s', async (_how, shown) => {
		const credentialId = `key of what was ${_how}`;
		await createdBefore(credentialId);
		const { call, seen } = runOver({ credentialId, shown });
		await singles(call, [write(0, 'A', { title: '2' })]);
		expect(methodsOf(seen)).toEqual(['POST']);
	});
});

/** A run of Create or Update whose batch is refused by this status. */
async function upsertRefused(rateLimit: object) {
	const { call, seen } = runOver({
		answer: ({ method, path, body }) => {
			if (path === '/products') return { id: 'p-new', ...body };
			throw new PlatformError('refused', { method, path, host: 'shop' }, { status: 404 });
		},
	});
	const items = ['A', 'B', 'C'].map((sku, at) => write(at, sku));
	const client = { ...call.client, rateLimit: () => rateLimit } as typeof call.client;
	await upsertProducts(
		{ ...call, client, items },
		{
			limits: { maxOperations: 100, maxBytes: 1_000 },
			ifBatchNotAvailable: 'single',
			onlyIfChanged: false,
			dryRun: false,
			simplify: true,
		},
	);
	return seen;
}

it('tells the cost after the batch was refused, before the first look-up', async () => {
	const seen = await upsertRefused({});
	expect(seen.hints).toEqual([
		{ text: expect.stringContaining('one by one: 6 requests') as string, sent: 1, lookUps: 0 },
		{ text: 'Created: 3, updated: 0, unchanged: 0.', sent: 4, lookUps: 3 },
	]);
	expect(seen.hints[0].text).toContain('POST /products/batch');
	expect(seen.done).toHaveLength(3);
});

it('sends nothing one by one where that takes more requests than the day has left', async () => {
	const seen = await upsertRefused({ limit: 100, dayLimit: 20_000, dayRemaining: 5 });
	expect(seen.lookUps).toEqual([]);
	expect(seen.failed).toHaveLength(3);
	expect(seen.failed[0][1]).toContain(
		'takes up to 6 requests for 3 products, and 5 are left of today',
	);
	expect(
		(await upsertRefused({ limit: 100, dayLimit: 20_000, dayRemaining: 6 })).done,
	).toHaveLength(3);
});
