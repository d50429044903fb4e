import type { IDataObject } from 'n8n-workflow';

import { findCurrent } from '../../../../nodes/CommercePlatform/bulk/findCurrent';
import { productsBySku } from '../../../../nodes/CommercePlatform/bulk/productSource';
import type { PlatformClient } from '../../../../nodes/shared/api/client';
import type { PlatformRequest } from '../../../../nodes/shared/api/request';

const PAGE = 250;

const product = (n: number): IDataObject => ({ id: `p-${n}`, variants: [{ sku: `S-${n}` }] });

/** A client whose platform has these products; counts the requests by kind. */
function shopOf(products: IDataObject[]) {
	const requests = { list: 0, single: 0 };
	async function* pages({ query }: PlatformRequest) {
		const sku = query?.sku;
		const found =
			sku === undefined
				? products
				: products.filter((one) => productsBySku.keysOf(one).includes(String(sku)));
		for (let at = 0; at === 0 || at < found.length; at += PAGE) {
			requests[sku === undefined ? 'list' : 'single']++;
			await Promise.resolve();
			yield { records: found.slice(at, at + PAGE), hasMore: at + PAGE < found.length };
		}
	}
	return { requests, client: { pages, options: { maxInFlight: 4 } } as unknown as PlatformClient };
}

async function find(products: IDataObject[], wanted: string[]) {
	const { client, requests } = shopOf(products);
	const found: Array<[unknown, string[]]> = [];
	await findCurrent(client, productsBySku, wanted, ({ id }, keys) => found.push([id, keys]));
	return { found, requests };
}

const shop = (count: number) => Array.from({ length: count }, (_, n) => product(n));

it('gets few records one by one', async () => {
	const { found, requests } = await find(shop(2_000), ['S-3', 'S-1999']);
	expect(found).toEqual([
		['p-3', ['S-3']],
		['p-1999', ['S-1999']],
	]);
	expect(requests).toEqual({ list: 0, single: 2 });
});

it('walks through the list for many, and no further than to the last of them', async () => {
	const wanted = Array.from({ length: 300 }, (_, n) => `S-${n}`);
	const { found, requests } = await find(shop(2_000), wanted);
	expect(found.map(([, keys]) => keys).flat()).toEqual(wanted);
	expect(requests).toEqual({ list: 2, single: 0 });
});

it('gives a walk up once it has cost as much as the missing ones would', async () => {
	const { found, requests } = await find(shop(10_000), [
		'S-1',
		'S-2',
		'S-3',
		'S-4',
		'S-9000',
		'S-9001',
	]);
	expect(found).toHaveLength(6);
	expect(requests).toEqual({ list: 2, single: 2 });
});

it('gives a record once for all of its keys, and every record of a key', async () => {
	const twins = [
		{ id: 'p-a', variants: [{ sku: 'A' }, { sku: 'B' }, { sku: 'other' }] },
		{ id: 'p-b', variants: [{ sku: 'A' }] },
	];
	const { found } = await find(twins, ['A', 'B', 'C', 'D', 'E']);
	expect(found.slice(0, 2)).toEqual([
		['p-a', ['A', 'B']],
		['p-b', ['A']],
	]);
});
