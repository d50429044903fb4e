import fc from 'fast-check';

import {
	batchBody,
	groupBatches,
	splitImport,
} from '../../../../nodes/CommercePlatform/products/batches';
import type { BulkItem } from '../../../../nodes/CommercePlatform/runner/operation';
import { bulkItems } from '../../../support/bulkItems';

const operations = (skus: string[]) => bulkItems(skus.map((sku) => ({ sku, title: `“${sku}”` })));
const indexes = (bodies: BulkItem[][]) =>
	bodies.map((body) => body.map(({ itemIndexes: [itemIndex] }) => itemIndex));
const sizeOf = (body: BulkItem[]) => Buffer.byteLength(JSON.stringify(batchBody(body)));

it('batches: time is proportional to the operations', () => {
	const skus = Array.from({ length: 100_000 }, (_, n) => `S-${n}`);
	const startedMs = performance.now();
	expect([...groupBatches(operations(skus))]).toHaveLength(1_000);
	expect(performance.now() - startedMs).toBeLessThan(5_000);
});

it('import jobs are also split by the size of their bodies, even if some products are longer', async () => {
	const titles = Array.from({ length: 200 }, (_, n) => 'x'.repeat(n < 20 ? 500 : 5));
	const products = titles.map((title, n) => ({ sku: `S-${n}`, title }));
	const jobs = await splitImport(bulkItems(products), 1_000, 5_000);
	expect(Math.max(...jobs.map(sizeOf))).toBeLessThanOrEqual(5_000);
	expect(jobs.length).toBeLessThanOrEqual(7);
});

describe('whatever the operations', () => {
	const sku = fc.nat(15).map((n) => `S-${n}`);
	const skus = fc.array(sku, { maxLength: 200 });
	const bounds = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 60, max: 600 }));

	/** Each item is there once, no body is empty, and each body keeps the input order. */
	function expectWhole(bodies: BulkItem[][], count: number) {
		const all = indexes(bodies);
		expect(all.flat().sort(byNumber)).toEqual(Array.from({ length: count }, (_, n) => n));
		for (const inside of all) {
			expect(inside.length).toBeGreaterThan(0);
			expect(inside).toEqual([...inside].sort(byNumber));
		}
	}

	it('batches keep every bound, and the order', () => {
		fc.assert(
			fc.property(skus, bounds, (all, [maxOperations, maxBytes]) => {
				const batches = [...groupBatches(operations(all), maxOperations, maxBytes)];
				expectWhole(batches, all.length);
				expect(indexes(batches).flat()).toEqual(all.map((_, n) => n));
				for (const batch of batches) {
					expect(batch.length).toBeLessThanOrEqual(maxOperations);
					if (batch.length > 1) expect(sizeOf(batch)).toBeLessThanOrEqual(maxBytes);
				}
			}),
		);
	});

	it('import jobs keep the operations of a SKU together', async () => {
		await fc.assert(
			fc.asyncProperty(skus, bounds, async (all, [maxOperations, maxBytes]) => {
				const jobs = await splitImport(operations(all), maxOperations, maxBytes);
				expectWhole(jobs, all.length);
				const ofJobs = jobs.flatMap((job) => [...new Set(job.map(({ fields }) => fields.sku))]);
				expect(ofJobs).toHaveLength(new Set(all).size);
			}),
		);
	});
});

const byNumber = (a: number, b: number) => a - b;
