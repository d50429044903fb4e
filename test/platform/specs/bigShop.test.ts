import { Collection } from '../shop/collection';
import fc from 'fast-check';
import { idsOf, type Page } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

const MILLION = 1_000_000;
const MEGABYTE = 1024 * 1024;

describe('a shop of a million products', () => {
	const { control, api } = usePlatform({
		products: MILLION,
		orders: 300_000,
		validate: false,
		minuteBudget: MILLION,
	});

	it('is there at once, to its last record', async () => {
		expect(await control.records('products')).toEqual({ count: MILLION });
		const { json } = await api.send('/products?limit=3&sort=created_at:desc');
		const [last] = (json as Page).data;
		expect(last.handle).toMatch(/-999999$/);
		expect(await api.data(`/products/${String(last.id)}`)).toEqual(last);
		const [{ sku }] = last.variants as Array<{ sku: string }>;
		expect(await api.data(`/products?sku=${sku}`)).toEqual([last]);
		expect(await api.data(`/products?updated_since=${String(last.updated_at)}`)).toEqual([last]);
	});

	it('takes no more memory the further it is walked, and no id comes twice', async () => {
		const ids = new Set<string>();
		let at = '';
		let before = 0;
		for (let n = 0; n < 200; n++) {
			if (n === 40) before = process.memoryUsage().heapUsed;
			const page = (await api.send(`/products?limit=250${at}`)).json as Page;
			for (const id of idsOf([page])) ids.add(id);
			at = `&cursor=${page.pagination.next_cursor}`;
		}
		expect(ids.size).toBe(50_000);
		expect((process.memoryUsage().heapUsed - before) / MEGABYTE).toBeLessThan(150);
	}, 20_000);
});

it('a collection behaves as a plain list that is written to, in both orders and directions', () => {
	const steps = fc.array(
		fc.tuple(fc.constantFrom('add', 'replace', 'remove'), fc.nat({ max: 15 })),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(fc.nat({ max: 10 }), steps, (size, list) => {
			let now = 1_000;
			const times = { createdAt: (n: number) => n, updatedAt: (n: number) => n + 0.5 };
			const source = { size, count: size, generate: (n: number) => ({ n }), ...times };
			const collection = new Collection(source, () => now++);
			/** What there is, by its index: when it was written last. */
			const plain = new Map(Array.from({ length: size }, (_, n) => [n, n]));
			let next = size;
			for (const [n, [kind, at]] of list.entries()) {
				if (kind === 'add') {
					collection.add((index) => ({ n: index }));
					plain.set(next++, 100 + n);
				} else if (plain.has(at) && kind === 'remove') {
					collection.remove(at);
					plain.delete(at);
				} else if (plain.has(at)) {
					collection.replace(at, (old) => ({ ...old }));
					plain.set(at, 100 + n);
				}
			}
			const byIndex = [...plain.keys()].sort((a, b) => a - b);
			const byWrite = [...plain].sort((a, b) => a[1] - b[1]).map(([n]) => n);
			const read = (order: 'created' | 'updated', descending: boolean) =>
				[...collection.entries({ order, descending })].map(({ value }) => value.n);
			expect(collection.count).toBe(plain.size);
			expect(read('created', false)).toEqual(byIndex);
			expect(read('created', true)).toEqual([...byIndex].reverse());
			expect(read('updated', false)).toEqual(byWrite);
			expect(read('updated', true)).toEqual([...byWrite].reverse());
		}),
	);
});
