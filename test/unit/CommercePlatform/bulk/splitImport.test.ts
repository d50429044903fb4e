import fc from 'fast-check';

import { batchBody, splitImport } from '../../../../nodes/CommercePlatform/bulk/batches';
import { skuKey } from '../../../../nodes/CommercePlatform/bulk/products';
import { heldItems } from '../../../support/heldItems';

const operations = (skus: string[]) => heldItems(skus.map((sku) => ({ sku, title: sku })));
const many = (count: number) => operations(Array.from({ length: count }, (_, n) => `S-${n}`));
const sizes = (count: number, maxOperations: number) =>
	splitImport(many(count), maxOperations).map((job) => job.length);

it('makes one job of what fits into one', () => {
	expect(sizes(5_000, 20_000)).toEqual([5_000]);
	expect(sizes(1, 20_000)).toEqual([1]);
});

it('makes as few jobs as possible, of about the same size', () => {
	expect(sizes(20_500, 10_000)).toEqual([6_834, 6_834, 6_832]);
});

it('splits by the size of the body', () => {
	const jobs = splitImport(many(1_000), 1_000, 10_000);
	for (const job of jobs) {
		const body = JSON.stringify(batchBody(job));
		expect(Buffer.byteLength(body)).toBeLessThanOrEqual(10_000);
	}
	expect(jobs.length).toBeLessThanOrEqual(6);
});

it('makes no job of nothing', () => {
	expect(splitImport([], 1, 1)).toEqual([]);
});

it('loses nothing, and keeps the operations of a SKU in one job in their order', () => {
	const skus = fc.array(
		fc.integer({ min: 0, max: 20 }).map((n) => `S-${n}`),
		{ maxLength: 100 },
	);
	fc.assert(
		fc.property(skus, fc.integer({ min: 1, max: 10 }), (all, maxOperations) => {
			const jobs = splitImport(operations(all), maxOperations, 500);
			const indexes = jobs.flat().map(({ itemIndex }) => itemIndex);
			expect([...indexes].sort((a, b) => a - b)).toEqual(all.map((_, n) => n));
			const jobOf = new Map<string, number>();
			jobs.forEach((job, number) => {
				const inside = job.map(({ itemIndex }) => itemIndex);
				expect(inside).toEqual([...inside].sort((a, b) => a - b));
				for (const { sku } of job) {
					expect(jobOf.get(skuKey(sku)) ?? number).toBe(number);
					jobOf.set(skuKey(sku), number);
				}
			});
		}),
	);
});
