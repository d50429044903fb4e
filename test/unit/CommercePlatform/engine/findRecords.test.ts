import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { findRecords, writesWithoutChange } from '../../../../nodes/CommercePlatform/runner/lookup';
import type { RecordSource } from '../../../../nodes/CommercePlatform/runner/operation';
import type { PlatformClient } from '../../../../nodes/shared/rest/client';
import { systemClock } from '../../../../nodes/shared/rest/clock';
import type { PaginateOptions } from '../../../../nodes/shared/rest/pages';
import type { PlatformRequest } from '../../../../nodes/shared/rest/request';

const PAGE = 250;

/** Products, which are found by the SKUs of their variants. */
const productsBySku: RecordSource = {
	list: () => ({ method: 'GET', path: '/products' }),
	requestFor: (sku) => ({ method: 'GET', path: '/products', query: { sku } }),
	keysOf: ({ variants }) => (variants as IDataObject[]).map(({ sku }) => String(sku)),
};

const product = (n: number): IDataObject => ({ id: `p-${n}`, variants: [{ sku: `S-${n}` }] });

/** A client of a platform with these products; it counts the requests by kind. */
function shopOf(products: IDataObject[], takesSku: boolean) {
	const requests = { list: 0, single: 0 };
	async function* pages({ query }: PlatformRequest, { maxPages = Infinity }: PaginateOptions = {}) {
		const sku = query?.sku;
		const found =
			sku === undefined || !takesSku
				? products
				: products.filter((one) => productsBySku.keysOf(one).includes(String(sku)));
		for (let at = 0; at === 0 || at < Math.min(found.length, maxPages * PAGE); at += PAGE) {
			requests[sku === undefined ? 'list' : 'single']++;
			await Promise.resolve();
			yield { records: found.slice(at, at + PAGE), hasMore: at + PAGE < found.length };
		}
	}
	/** Reads a record by its ID. */
	const request = async ({ pathParams }: PlatformRequest) => {
		requests.single++;
		return await Promise.resolve({ record: products.find(({ id }) => id === pathParams?.id) });
	};
	const client = { pages, request, clock: systemClock, options: { maxInFlight: 4 } };
	return { requests, client: client as unknown as PlatformClient };
}

async function find(
	products: IDataObject[],
	wanted: string[],
	source: RecordSource = productsBySku,
	takesSku = true,
) {
	const { client, requests } = shopOf(products, takesSku);
	const progress: string[] = [];
	const report = {
		progress: (done: number, total?: number) => void progress.push(`${done} of ${total}`),
	};
	const records = await findRecords({ client, report }, source, wanted);
	const ids = [...records].map(([key, some]) => [key, some.map(({ id }) => id)]);
	return { found: Object.fromEntries(ids) as Record<string, unknown[]>, requests, progress };
}

const shop = (count: number) => Array.from({ length: count }, (_, n) => product(n));

/** Each SKU belongs to its own product. */
const ownOf = (skus: string[]) =>
	Object.fromEntries(skus.map((sku) => [sku, [sku.replace('S-', 'p-')]]));

const many = Array.from({ length: 300 }, (_, n) => `S-${n}`);
const farApart = ['S-1', 'S-2', 'S-3', 'S-4', 'S-9000', 'S-9001'];

it('walks through the whole list for many, since another product may have a SKU as well', async () => {
	const twin = { id: 'p-twin', variants: [{ sku: 'S-0' }] };
	const { found, requests } = await find([...shop(2_000), twin], many);
	expect(found).toEqual({ ...ownOf(many), 'S-0': ['p-0', 'p-twin'] });
	expect(requests).toEqual({ list: 9, single: 0 });
});

it.each([
	['among others, on a later page', shop(1_000)],
	['as the only one', []],
])('walks on past a record without keys, which has none: %s', async (_what, others) => {
	const bare = { id: 'p-bare' };
	const products = [...others, bare];
	const skus = Array.from({ length: 1_000 }, (_, n) => `S-${n}`);
	const source: RecordSource = {
		...productsBySku,
		keysOf: ({ variants = [] }) => (variants as IDataObject[]).map(({ sku }) => String(sku)),
		isShort: ({ variants }) => variants === undefined,
	};
	const { requests } = await find(products, skus, source);
	expect(requests.list + requests.single).toBeLessThanOrEqual(6);
});

it('gives up a walk that has cost as much as single requests would, and asks for every SKU', async () => {
	const twin = { id: 'p-twin', variants: [{ sku: 'S-1' }] };
	const { found, requests } = await find([...shop(10_000), twin], farApart);
	expect(found).toEqual({ ...ownOf(farApart), 'S-1': ['p-1', 'p-twin'] });
	expect(requests).toEqual({ list: 6, single: 6 });
});

it('walks through the list if a search by SKU has not ended after four pages', async () => {
	const products = [...shop(2_000), { id: 'p-twin', variants: [{ sku: 'S-3' }] }];
	const { found, requests } = await find(products, ['S-3', 'S-1999'], productsBySku, false);
	expect(found).toEqual({ 'S-3': ['p-3', 'p-twin'], 'S-1999': ['p-1999'] });
	expect(requests).toEqual({ list: 9, single: 8 });
});

it('returns every record of a key once, under each of its keys', async () => {
	const twins = [
		{ id: 'p-a', variants: [{ sku: 'A' }, { sku: 'B' }, { sku: 'other' }] },
		{ id: 'p-b', variants: [{ sku: 'A' }, { sku: 'A' }] },
	];
	const { found } = await find(twins, ['A', 'B', 'C', 'D', 'E']);
	expect(found).toEqual({ A: ['p-a', 'p-b'], B: ['p-a'], C: [], D: [], E: [] });
});

it('keeps of each record only what the source wants, however it was found', async () => {
	const source = { ...productsBySku, kept: ({ id }: IDataObject) => ({ id }) };
	for (const wanted of [['S-1'], many]) {
		const { client } = shopOf(shop(300), true);
		const report = { progress: () => {} };
		const records = await findRecords({ client, report }, source, wanted);
		expect(records.get('S-1')).toEqual([{ id: 'p-1' }]);
	}
});

/** A shop in which each key names one record at most, and has its own endpoint. */
const unique = { ...productsBySku, isUnique: () => true };

it('finds every existing record, and never costs more than twice the cheaper way', async () => {
	const sizes = fc.nat({ max: 8_000 });
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 60 }), sizes, sizes, async (wanted, from, size) => {
			const skus = Array.from({ length: wanted }, (_, n) => `S-${from + n}`);
			const { found, requests } = await find(shop(size), skus, unique);
			const isThere = (sku: string) => Number(sku.slice(2)) < size;
			expect(Object.values(found).flat()).toHaveLength(skus.filter(isThere).length);
			const pages = Math.ceil((skus.every(isThere) ? from + wanted : size) / PAGE);
			const cheaper = Math.min(wanted, Math.max(1, pages));
			expect(requests.list + requests.single).toBeLessThanOrEqual(2 * cheaper + 4);
		}),
		{ numRuns: 50 },
	);
});

it('reports its progress after each request', async () => {
	const list = await find(shop(600), ['S-1', 'S-2', 'S-3', 'S-4', 'S-599']);
	expect(list.progress).toEqual(['250 of undefined', '500 of undefined', '600 of undefined']);
	const single = await find(shop(600), ['S-1', 'S-2']);
	expect(single.progress).toEqual(['1 of 2', '2 of 2']);
});

it('sends a write that changes nothing if an earlier one writes to the same key', async () => {
	const small = (sku: string) => ({ id: `p-${sku}`, title: 'Shirt', variants: [{ sku }] });
	const { client } = shopOf(['A-1', 'B-1'].map(small), true);
	const writes = ['A-1', 'A-1', 'B-1'].map((sku, n) => ({
		sku,
		title: n === 0 ? 'New' : 'Shirt',
	}));
	const changes = {
		source: productsBySku,
		keyOf: ({ sku }: (typeof writes)[number]) => sku,
		isUnchanged: ({ title }: (typeof writes)[number], record: IDataObject) =>
			record.title === title,
	};
	const report = { progress: () => undefined };
	const records = await findRecords({ client, report }, productsBySku, ['A-1', 'B-1']);
	const unchanged = writesWithoutChange(records, changes, writes);
	expect([...unchanged].map(({ sku }) => sku)).toEqual(['B-1']);
});
