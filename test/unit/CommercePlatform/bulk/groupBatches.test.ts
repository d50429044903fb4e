import fc from 'fast-check';

import { batchBody, groupBatches } from '../../../../nodes/CommercePlatform/bulk/batches';
import { skuKey } from '../../../../nodes/CommercePlatform/bulk/products';
import type { HeldItem } from '../../../../nodes/CommercePlatform/run/heldItem';
import { heldItems } from '../../../support/heldItems';

const grouped = (all: HeldItem[], maxOperations = 100, maxBytes?: number) =>
	groupBatches(all, maxOperations, maxBytes).flat();

const operations = (skus: string[]): HeldItem[] =>
	heldItems(skus.map((sku, itemIndex) => ({ sku, title: `Product ${itemIndex}` })));

const skusOf = (batches: HeldItem[][]) => batches.map((batch) => batch.map(({ sku }) => sku));

const items = (batches: HeldItem[][]) =>
	batches.map((batch) => batch.map(({ itemIndex }) => itemIndex));

const many = (count: number) => operations(Array.from({ length: count }, (_, n) => `S-${n}`));

it('puts 100 operations into a batch', () => {
	const batches = grouped(many(250));
	expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
	expect(items(batches).flat()).toEqual(Array.from({ length: 250 }, (_, n) => n));
});

it('puts fewer into a batch where the user says so', () => {
	const batches = grouped(many(5), 2);
	expect(items(batches)).toEqual([[0, 1], [2, 3], [4]]);
});

it('knows no batch for no operation', () => {
	expect(grouped([])).toEqual([]);
});

it('puts the n-th operation of a SKU into the n-th round of batches', () => {
	const batches = grouped(operations(['a', 'a', 'b', 'c', 'b', 'd', 'a']), 3);
	expect(items(batches)).toEqual([[0, 2, 3], [5], [1, 4], [6]]);
});

it('takes SKUs that differ in case or blanks only for the same', () => {
	expect(skusOf(grouped(operations(['a-1', 'A-1', ' a-1'])))).toEqual([['a-1'], ['A-1'], [' a-1']]);
});

it('sends an operation alone that is larger than a body may be', () => {
	const [large] = heldItems([{ sku: 'large', title: 'x'.repeat(500) }]);
	const batches = grouped([...many(1), large, ...operations(['z'])], 100, 300);
	expect(skusOf(batches)).toEqual([['S-0'], ['large'], ['z']]);
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
			const batches = grouped(operations(all), bounds.maxOperations, bounds.maxBytes);
			expect(items(batches).flat().sort(byNumber)).toEqual(all.map((_, n) => n));
			const lastOf = new Map<string, { item: number; batch: number }>();
			batches.forEach((inside, number) => {
				expect(inside.length).toBeLessThanOrEqual(bounds.maxOperations);
				const bytes = Buffer.byteLength(JSON.stringify(batchBody(inside)));
				if (inside.length > 1) expect(bytes).toBeLessThanOrEqual(bounds.maxBytes);
				const order = inside.map(({ itemIndex }) => itemIndex);
				expect(order).toEqual([...order].sort(byNumber));
				for (const { sku, itemIndex } of inside) {
					const before = lastOf.get(skuKey(sku));
					expect(before?.batch ?? -1).toBeLessThan(number);
					expect(before?.item ?? -1).toBeLessThan(itemIndex);
					lastOf.set(skuKey(sku), { item: itemIndex, batch: number });
				}
			});
		}),
	);
});

it('takes time in proportion to the operations, also where one SKU is always the same', () => {
	const mixed = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 ? 'same' : `S-${n}`));
	const startedMs = performance.now();
	const batches = grouped(operations(mixed));
	expect(items(batches).flat()).toHaveLength(100_000);
	expect(batches).toHaveLength(50_500);
	expect(performance.now() - startedMs).toBeLessThan(5_000);
});

const byNumber = (a: number, b: number) => a - b;
