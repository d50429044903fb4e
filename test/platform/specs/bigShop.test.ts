import { Collection, compare, type Place, type Range } from '../shop/collection';
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

/** When a record was made and changed last, and by which write. */
type Known = { made: number; changed: number; write: number };

it('a collection behaves as a plain list that is written to, in any range and direction of both orders', () => {
	const time = fc.nat({ max: 20 });
	const steps = fc.array(
		fc.tuple(fc.constantFrom('add', 'replace', 'remove'), fc.nat({ max: 15 }), time),
		{ maxLength: 40 },
	);
	const ranges = fc.record(
		{
			order: fc.constantFrom('created', 'updated'),
			descending: fc.boolean(),
			after: fc.tuple(fc.oneof(fc.constant(0), time), fc.nat({ max: 20 })),
			createdFrom: time,
			createdUntil: time,
			updatedFrom: time,
		},
		{ requiredKeys: ['order', 'descending'] },
	);
	fc.assert(
		fc.property(fc.nat({ max: 10 }), steps, ranges, (size, list, range) => {
			let now = size;
			const times = { createdAt: (n: number) => n, updatedAt: (n: number) => n + 0.5 };
			const source = { size, count: size, generate: (n: number) => ({ n }), ...times };
			const collection = new Collection(source, () => now);
			const plain = new Map<number, Known>(
				Array.from({ length: size }, (_, n) => [n, { made: n, changed: n + 0.5, write: n }]),
			);
			let [next, writes] = [size, size];
			for (const [kind, n, changed] of list) {
				const known = plain.get(n);
				now++;
				if (kind === 'add') {
					collection.add((index) => ({ n: index }), changed);
					plain.set(next++, { made: now, changed, write: writes++ });
				} else if (known && kind === 'remove') {
					collection.remove(n);
					plain.delete(n);
					writes++;
				} else if (known) {
					collection.replace(n, (old) => ({ ...old }), changed);
					plain.set(n, { ...known, changed, write: writes++ });
				}
			}
			const {
				order,
				descending,
				after,
				createdFrom = 0,
				createdUntil = now,
				updatedFrom = 0,
			} = range;
			const isWithin = ([, { made, changed }]: [number, Known]) =>
				made >= createdFrom && made <= createdUntil && changed >= updatedFrom;
			const placeOf = ([n, { changed, write }]: [number, Known]): Place =>
				order === 'created' ? [0, n] : [changed, write];
			const sign = descending ? -1 : 1;
			const expected = [...plain]
				.filter(isWithin)
				.map((one) => ({ n: one[0], place: placeOf(one) }))
				.sort((one, other) => sign * compare(one.place, other.place))
				.filter(({ place }) => !after || sign * compare(place, after) > 0);
			const found = [...collection.entries(range as Range)];
			expect(found.map(({ value, place }) => ({ ...value, place }))).toEqual(expected);
			expect(collection.count).toBe(plain.size);
		}),
		{ numRuns: 2_000 },
	);
});
