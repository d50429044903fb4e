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
		options: {},
		parameter: (_name: string, fallback: unknown) => fallback,
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

/** Sends items over a shop, and gives what was seen of it. */
async function singles(shop: Shop, ...items: HeldItem[]) {
	const { call, seen } = runOver(shop);
	await sendSingles(call, items, (item, record, result) =>
		call.done([item], { sku: item.sku, ...record, result, written: record === undefined }),
	);
	const sentFor = seen.sent.map(({ items: of }) => of[0]);
	const methods = seen.sent.map(({ request }) => request.method);
	return { ...seen, sentFor, methods, doneOf: seen.done.map(([item]) => item) };
}

it('creates a product of which no variant has the SKU, with its prices at the variant', async () => {
	const item = write(0, 'XL', { title: 'New', prices: PRICES });
	const { lookUps, sent } = await singles({ products: [shirt] }, item);
	expect(lookUps).toEqual(['XL']);
	const body = { title: 'New', variants: [{ sku: 'XL', prices: PRICES }] };
	const created = { method: 'POST', path: '/products', body };
	expect(sent.map(({ request }) => request)).toEqual([created]);
});

it('updates the product that has the SKU, and sends its other variants as they are', async () => {
	const items = [write(0, 'L', { title: 'Other' }), write(1, 'M', { prices: PRICES })];
	const { sent } = await singles({ products: [shirt] }, ...items);
	const [title, prices] = sent.map(({ request }) => request);
	expect(title).toMatchObject({
		method: 'PATCH',
		path: '/products/{productId}',
		pathParams: { productId: 'p-1' },
		body: { title: 'Other' },
	});
	const variants = [{ ...shirt.variants[0], prices: PRICES }, shirt.variants[1]];
	expect(prices.body).toEqual({ variants });
});

it('writes nothing where a SKU names several products, and goes on with the others', async () => {
	const products = [shirt, { ...shirt, id: 'p-2' }];
	const items = [write(0, 'M', { title: 'A' }), write(1, 'XL', { title: 'B' })];
	const { failed, doneOf, sentFor } = await singles({ products }, ...items);
	expect(failed).toEqual([[0, expect.stringContaining('“M” names 2 products')]]);
	expect([doneOf, sentFor]).toEqual([[1], [1]]);
});

it('keeps the order of one SKU, with other SKUs beside it', async () => {
	const items = ['A', 'B', 'A', 'c'].map((sku, at) => write(at, sku));
	const { sentFor, doneOf } = await singles({ maxInFlight: 4 }, ...items);
	expect(sentFor.slice(0, 2)).toEqual([0, 1]);
	for (const order of [sentFor, doneOf]) {
		expect([...order].sort()).toEqual([0, 1, 2, 3]);
		expect(order.indexOf(0)).toBeLessThan(order.indexOf(2));
	}
});

it('has no more under way than the run allows', async () => {
	const items = Array.from({ length: 9 }, (_, n) => write(n, `S-${n}`));
	const { most, done, progress } = await singles({ maxInFlight: 2 }, ...items);
	expect([most, done.length]).toEqual([2, 9]);
	expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('says of each item by itself what failed it, and sends each for its own item', async () => {
	const answer = ({ body }: PlatformRequest) => {
		if (body?.title === 'bad') throw new Error('refused');
		return { id: 'p' };
	};
	const titles = ['good', 'bad', 'good'];
	const items = titles.map((title, at) => write(at + 4, at === 0 ? 'A' : 'B', { title }));
	const { failed, doneOf, sentFor } = await singles({ answer }, ...items);
	expect(failed).toEqual([[5, 'refused']]);
	expect([doneOf, sentFor]).toEqual([
		[4, 6],
		[4, 5, 6],
	]);
});

it('says that an item is written where the answer shows no product', async () => {
	const { done } = await singles({ answer: () => undefined }, write(0, 'A'));
	expect(done).toEqual([[0, { sku: 'A', result: 'created', written: true }]]);
});

it('starts nothing further once the run has failed', async () => {
	const items = ['A', 'A', 'A', 'B'].map((sku, at) => write(at, sku));
	const { sentFor, lookUps } = await singles({ maxInFlight: 1, stopsAfter: 2 }, ...items);
	expect([sentFor, lookUps.length]).toEqual([[0, 1], 2]);
});

describe('a SKU that the shop has in another spelling', () => {
	const refused = (sku: string, has: string) =>
		expect.stringContaining(`“${sku}” is not in the shop, but “${has}” is`) as string;

	it.each([
		['m', 'M'],
		['M ', 'M'],
		[' M', 'M'],
		['shirt-l', 'SHIRT-L'],
	])('is refused by name: “%s” where it has “%s”', async (sku, has) => {
		const products = [{ ...shirt, variants: [{ sku: has }] }];
		const { sent, failed } = await singles({ products }, write(0, sku, { title: 'Other' }));
		expect([sent, failed]).toEqual([[], [[0, refused(sku, has)]]]);
	});

	it('does not hold up the product that has it exactly', async () => {
		const products = [{ id: 'p-2', variants: [{ sku: 'm' }] }, shirt];
		const { sent } = await singles({ products }, write(0, 'M', { title: 'Other' }));
		expect(sent.map(({ request }) => request.pathParams)).toEqual([{ productId: 'p-1' }]);
	});

	it('is refused as well where this run has created it', async () => {
		const shown = { id: 'p-new', variants: [{ sku: 'a' }] };
		const { sentFor, failed } = await singles({ shown }, write(0, 'a'), write(1, 'A'));
		expect([sentFor, failed]).toEqual([[0], [[1, refused('A', 'a')]]]);
	});
});

it('creates a product once although the platform’s search does not show it yet', async () => {
	const variants = [{ sku: 'A' }, { sku: 'B' }];
	const { methods, sentFor, done } = await singles(
		{},
		write(0, 'A', { title: '1', variants }),
		...['C', 'A', 'C'].map((sku, at) => write(at + 1, sku, { title: `${at}` })),
	);
	expect([methods, sentFor]).toEqual([
		['POST', 'POST', 'PATCH', 'PATCH'],
		[0, 1, 2, 3],
	]);
	const results = done.map(([, { result }]) => result);
	expect(results).toEqual(['created', 'created', 'updated', 'updated']);
});

it('does not create a product again of which the answer showed no ID', async () => {
	const { sentFor, failed } = await singles(
		{ answer: () => undefined },
		write(0, 'A'),
		write(1, 'A'),
	);
	expect(sentFor).toEqual([0]);
	expect(failed).toEqual([[1, expect.stringContaining('“A” was created before')]]);
});

describe('what an earlier run has created, while the platform’s search does not show it', () => {
	const gone = () => new PlatformError('refused', { ...GET, host: 'shop' }, { status: 404 });

	it.each<[string, string, Shop, string]>([
		['is updated, not created again', 'one key', {}, 'PATCH'],
		['is not known to another API key', 'first key', { credentialId: 'second key' }, 'POST'],
		['is created again once it was deleted', 'key of the deleted', { shown: gone }, 'POST'],
		[
			'is created again once it was given other SKUs',
			'key of the changed',
			{ shown: { id: 'p-new', variants: [{ sku: 'Z' }] } },
			'POST',
		],
	])('%s', async (_what, credentialId, shop, method) => {
		await singles({ credentialId }, write(0, 'A', { title: '1' }));
		const again = await singles({ credentialId, ...shop }, write(0, 'A', { title: '2' }));
		expect(again.methods).toEqual([method]);
		if (method === 'PATCH') {
			expect(again.sent[0].request.pathParams).toEqual({ productId: 'p-new' });
		}
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
	await upsertProducts({ ...call, client, items });
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
	const said = 'takes up to 6 requests for 3 products, and 5 are left of today';
	expect(seen.failed[0][1]).toContain(said);
	const enough = await upsertRefused({ limit: 100, dayLimit: 20_000, dayRemaining: 6 });
	expect(enough.done).toHaveLength(3);
});
