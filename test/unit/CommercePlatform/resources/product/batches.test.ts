import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { importCatalog } from '../../../../../nodes/CommercePlatform/resources/product/importCatalog';
import { upsert } from '../../../../../nodes/CommercePlatform/resources/product/upsert';
import type { BulkCall } from '../../../../../nodes/CommercePlatform/runner/operation';
import type { PlatformRequest } from '../../../../../nodes/shared/rest/request';
import { bulkItems } from '../../../../support/bulkItems';
import { FakeClock } from '../../../fakeClock';

const MIB = 1024 * 1024;

/** The products in each body that a bulk operation sends, and the lengths of the bodies. */
async function bodiesOf(
	run: (call: BulkCall) => Promise<void>,
	products: IDataObject[],
	batchSize?: number,
) {
	const bodies: Array<{ products: IDataObject[]; bytes: number }> = [];
	const report = { hint: jest.fn(), progress: jest.fn(), tellOfRow: jest.fn() };
	const call = {
		items: bulkItems(products),
		options: { batchSize },
		parameter: (_name: string, fallback: unknown) => fallback,
		client: {
			keyOf: (name: string) => name,
			clock: new FakeClock(),
			options: { maxInFlight: 1, retryWrites: 'never' },
		},
		report,
		send: async ({ body = {} }: PlatformRequest) => {
			const operations = body.operations as IDataObject[];
			bodies.push({ products: operations, bytes: Buffer.byteLength(JSON.stringify(body)) });
			const results = operations.map(({ sku }) => ({ sku, status: 200 }));
			return await Promise.resolve({ status: 200, headers: {}, body: { results } });
		},
		done: jest.fn(),
		failed: (_items: unknown, error: Error) => {
			throw error;
		},
		stopped: () => false,
	} as unknown as BulkCall;
	await run(call);
	return bodies;
}

/** Products whose numbers say in which order they were entered. */
const numbered = (products: IDataObject[]) =>
	products.map((product, number) => ({ ...product, number }));

const numbersIn = (bodies: Array<{ products: IDataObject[] }>) =>
	bodies.map(({ products }) => products.map(({ number }) => Number(number)));

it('batches: each product is measured once, however many there are', async () => {
	let measured = 0;
	const toJSON = () => ({ measured: ++measured });
	// A copy of a product has no `toJSON`: only measuring calls it.
	const products = Array.from({ length: 10_000 }, (_, n) =>
		Object.defineProperty({ sku: `S-${n}` }, 'toJSON', { value: toJSON, enumerable: false }),
	);
	expect(await bodiesOf(upsert.run, products)).toHaveLength(100);
	expect(measured).toBe(10_000);
});

it('import jobs are also split by the size of their bodies, even if some products are longer', async () => {
	const titles = Array.from({ length: 200 }, (_, n) => 'x'.repeat(n < 20 ? 900_000 : 9_000));
	const products = titles.map((title, n) => ({ sku: `S-${n}`, title }));
	const jobs = await bodiesOf(importCatalog.run, products, 1_000);
	expect(Math.max(...jobs.map(({ bytes }) => bytes))).toBeLessThanOrEqual(8 * MIB);
	expect(jobs.length).toBeLessThanOrEqual(5);
});

describe('whatever the operations', () => {
	const maxOperations = fc.integer({ min: 1, max: 10 });
	/** Lengths of titles in hundredths of the largest body. */
	const lengths = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

	/** Each product is there once, no body is empty, and each body keeps the input order. */
	function expectWhole(bodies: Array<{ products: IDataObject[] }>, count: number) {
		const all = numbersIn(bodies);
		expect(all.flat().sort(byNumber)).toEqual(Array.from({ length: count }, (_, n) => n));
		for (const inside of all) {
			expect(inside.length).toBeGreaterThan(0);
			expect(inside).toEqual([...inside].sort(byNumber));
		}
	}

	it('batches keep every bound, and the order', async () => {
		await fc.assert(
			fc.asyncProperty(lengths, maxOperations, async (all, most) => {
				const products = all.map((length, n) => ({
					sku: `S-${n}`,
					title: '“'.repeat((length * MIB) / 300),
				}));
				const batches = await bodiesOf(upsert.run, numbered(products), most);
				expectWhole(batches, all.length);
				expect(numbersIn(batches).flat()).toEqual(all.map((_, n) => n));
				for (const { products: inside, bytes } of batches) {
					expect(inside.length).toBeLessThanOrEqual(most);
					if (inside.length > 1) expect(bytes).toBeLessThanOrEqual(MIB);
				}
			}),
			{ numRuns: 40 },
		);
	});

	it('import jobs hold one operation of each SKU, in which its last row counts', async () => {
		const skus = fc.array(
			fc.nat(15).map((n) => `S-${n}`),
			{ maxLength: 200 },
		);
		await fc.assert(
			fc.asyncProperty(skus, maxOperations, async (all, most) => {
				const products = numbered(all.map((sku) => ({ sku })));
				const jobs = await bodiesOf(importCatalog.run, products, most);
				const inFirstOrder = [...new Set(all)];
				expect(jobs.flatMap((job) => job.products.map(({ sku }) => sku))).toEqual(inFirstOrder);
				expect(numbersIn(jobs).flat()).toEqual(inFirstOrder.map((sku) => all.lastIndexOf(sku)));
				for (const job of jobs) expect(job.products.length).toBeLessThanOrEqual(most);
			}),
		);
	});

	it('import jobs are no larger than a server takes, where no SKU is there twice', async () => {
		await fc.assert(
			fc.asyncProperty(lengths, async (all) => {
				const products = all.map((length, n) => ({
					sku: `S-${n}`,
					title: 'x'.repeat((length * 8 * MIB) / 100),
				}));
				for (const { bytes } of await bodiesOf(importCatalog.run, products))
					expect(bytes).toBeLessThanOrEqual(8 * MIB);
			}),
			{ numRuns: 10 },
		);
	});
});

const byNumber = (a: number, b: number) => a - b;
