import fc from 'fast-check';

import {
	batchBody,
	skuKey,
	type ProductWrite,
} from '../../../../nodes/CommercePlatform/bulk/productWrite';
import { groupBatches, type Batch } from '../../../../nodes/CommercePlatform/bulk/groupBatches';
import { writesOf } from '../../../support/productWrites';

const LIMITS = { maxOperations: 100, maxBytes: 1_000_000 };

const operations = (skus: string[]): ProductWrite[] =>
	writesOf(skus.map((sku, itemIndex) => ({ sku, title: `Product ${itemIndex}` })));

const skusOf = (batches: Batch[]) => batches.map((batch) => batch.operations.map(({ sku }) => sku));

const items = (batches: Batch[]) =>
	batches.map((batch) => batch.operations.map(({ itemIndex }) => itemIndex));

const many = (count: number) => operations(Array.from({ length: count }, (_, n) => `S-${n}`));

it('puts 100 operations into a batch', () => {
	const batches = groupBatches(many(250), LIMITS);
	expect(batches.map((batch) => batch.operations.length)).toEqual([100, 100, 50]);
	expect(items(batches).flat()).toEqual(Array.from({ length: 250 }, (_, n) => n));
});

it('puts fewer into a batch where the user says so', () => {
	const batches = groupBatches(many(5), { ...LIMITS, maxOperations: 2 });
	expect(items(batches)).toEqual([[0, 1], [2, 3], [4]]);
});

it('knows no batch for no operation', () => {
	expect(groupBatches([], LIMITS)).toEqual([]);
});

it('puts the second operation of a SKU into a later batch, and fills the first one up', () => {
	const batches = groupBatches(operations(['a', 'a', 'b', 'c', 'b']), {
		...LIMITS,
		maxOperations: 3,
	});
	expect(skusOf(batches)).toEqual([
		['a', 'b', 'c'],
		['a', 'b'],
	]);
	expect([...batches[1].after]).toEqual([0]);
});

it('takes SKUs that differ in case or blanks only for the same', () => {
	expect(skusOf(groupBatches(operations(['a-1', 'A-1', ' a-1']), LIMITS))).toEqual([
		['a-1'],
		['A-1'],
		[' a-1'],
	]);
});

it('sends an operation alone that is larger than a body may be', () => {
	const [large] = writesOf([{ sku: 'large', title: 'x'.repeat(500) }]);
	const batches = groupBatches([...many(1), large, ...operations(['z'])], {
		maxOperations: 100,
		maxBytes: 300,
	});
	expect(skusOf(batches)).toEqual([['S-0', 'z'], ['large']]);
});

it('counts the bytes of the body as it is sent', () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (skus) => {
			for (const batch of groupBatches(operations(skus), LIMITS)) {
				const body = JSON.stringify(batchBody(batch.operations));
				expect(batch.bytes).toBe(Buffer.byteLength(body));
			}
		}),
	);
});

it('loses nothing, keeps every bound, and keeps the order of each SKU and of each batch', () => {
	const skus = fc.array(
		fc.integer({ min: 0, max: 12 }).map((n) => `S-${n}`),
		{ maxLength: 200 },
	);
	const limits = fc.record({
		maxOperations: fc.integer({ min: 1, max: 10 }),
		maxBytes: fc.integer({ min: 60, max: 600 }),
	});
	fc.assert(
		fc.property(skus, limits, (all, bounds) => {
			const batches = groupBatches(operations(all), bounds);
			expect(items(batches).flat().sort(byNumber)).toEqual(all.map((_, n) => n));
			expect(batches.map(({ number }) => number)).toEqual(batches.map((_, n) => n));
			const lastOf = new Map<string, { item: number; batch: number }>();
			for (const { number, operations: inside, bytes, after } of batches) {
				expect(inside.length).toBeLessThanOrEqual(bounds.maxOperations);
				if (inside.length > 1) expect(bytes).toBeLessThanOrEqual(bounds.maxBytes);
				expect(inside.map(({ itemIndex }) => itemIndex)).toEqual(
					inside.map(({ itemIndex }) => itemIndex).sort(byNumber),
				);
				for (const { sku, itemIndex } of inside) {
					const before = lastOf.get(skuKey(sku));
					if (before !== undefined) {
						expect(before.batch).toBeLessThan(number);
						expect(before.item).toBeLessThan(itemIndex);
						expect(after).toContain(before.batch);
					}
					lastOf.set(skuKey(sku), { item: itemIndex, batch: number });
				}
				for (const earlier of after) expect(earlier).toBeLessThan(number);
			}
		}),
	);
});

it('takes time in proportion to the operations, also where one SKU is always the same', () => {
	const mixed = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 ? 'same' : `S-${n}`));
	const startedMs = performance.now();
	const batches = groupBatches(operations(mixed), LIMITS);
	expect(items(batches).flat()).toHaveLength(100_000);
	expect(batches).toHaveLength(50_000);
	expect(performance.now() - startedMs).toBeLessThan(5_000);
});

const byNumber = (a: number, b: number) => a - b;
