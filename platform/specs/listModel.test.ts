import fc from 'fast-check';
import type { Page } from '../support/apiClient';
import { compare, type Place } from '../shop/collection';
import type { Product } from '../shop/product';
import { remove, usePlatform } from './usePlatform';

const { control, api } = usePlatform({ minuteBudget: 1_000_000 });

/** A product that is there, when it was made, and the numbers of the writes that made and changed it. */
type Known = { record: Product; madeAt: number; made: number; changed: number };

/** All products, in the order of making. */
async function allProducts(): Promise<Known[]> {
	const { records } = await control.list({ kind: 'products', limit: 500 });
	return (records as unknown as Product[])
		.reverse()
		.map((record, n) => ({ record, madeAt: Date.parse(record.created_at), made: n, changed: n }));
}

/** Times that no product has by itself, with and without an offset from UTC and a fraction of a second. */
const AT_WILL = [
	'2020-01-01T00:00:00Z',
	'2199-01-01T00:00:00Z',
	'2199-01-01T02:00:00.125+02:00',
	'2199-01-01T00:00:00.126Z',
];
/** Few, so that times come twice. */
const nth = fc.nat({ max: 12 });
const status = fc.constantFrom('draft', 'published');
const writes = fc.record({
	kind: fc.constantFrom('add', 'replace', 'remove'),
	nth,
	time: nth,
	fields: fc.record({ title: fc.constantFrom('Kite', 'Ball'), status }),
});
const limits = fc.integer({ min: 1, max: 4 }).map(String);
/** Of the next page. */
const looks = fc.record({ limit: limits }, { requiredKeys: [] });
const SORTS = ['created_at', 'updated_at', 'title'].flatMap((by) => [`${by}:asc`, `${by}:desc`]);
const sorts = fc.record({ sort: fc.constantFrom(...SORTS) }, { requiredKeys: [] });
/** One at most, so that several pages pass. */
const filters = fc.oneof(
	fc.constant({}),
	fc.record({ status }),
	fc.record({ q: fc.constantFrom('kite', 'BALL') }),
	...['sku', 'created_since', 'created_until', 'updated_since'].map((name) =>
		fc.record({ [name]: nth }),
	),
);
type Query = Record<string, string>;

function isAsked({ record, madeAt }: Known, query: Query): boolean {
	const { q = '', sku, created_since, created_until, updated_since } = query;
	return (
		(query.status ?? record.status) === record.status &&
		`${record.title} ${record.handle}`.toLowerCase().includes(q.toLowerCase()) &&
		(!sku || record.variants.some((variant) => variant.sku === sku)) &&
		(!created_since || madeAt >= Date.parse(created_since)) &&
		(!created_until || madeAt <= Date.parse(created_until)) &&
		(!updated_since || Date.parse(record.updated_at) >= Date.parse(updated_since))
	);
}

/** What comes behind a place, in the order that is asked for, each with its place. */
function behind(known: Known[], query: Query, after?: Place) {
	const [by, direction] = (query.sort ?? 'created_at:asc').split(':');
	const sign = direction === 'desc' ? -1 : 1;
	const placeOf = ({ record, made, changed }: Known): Place =>
		by === 'updated_at' ? [record.updated_at, changed] : [by === 'title' ? record.title : 0, made];
	return known
		.filter((one) => isAsked(one, query))
		.map((one) => ({ record: one.record, place: placeOf(one) }))
		.filter(({ place }) => !after || sign * compare(place, after) > 0)
		.sort((one, other) => sign * compare(one.place, other.place));
}

it('a list equals a simple model, for any query and with writes between its pages', async () => {
	const products = fc.constantFrom(0, 5, 30);
	const steps = fc.array(fc.oneof(looks, writes), { maxLength: 30, size: 'max' });
	await fc.assert(
		fc.asyncProperty(products, sorts, filters, steps, async (count, sort, filter, list) => {
			await control.reset({ products: count });
			let known = await allProducts();
			let newestMadeAt = known.at(-1)?.madeAt ?? -Infinity;
			const records = known.map(({ record }) => record);
			const shown = records.flatMap(({ created_at, updated_at }) => [created_at, updated_at]);
			const times = [...AT_WILL, ...shown];
			const skus = ['NONE', ...records.flatMap(({ variants }) => variants.map(({ sku }) => sku))];
			const named = Object.entries(filter).map(([name, value]: [string, string | number]) => {
				const all = name === 'sku' ? skus : times;
				return [name, typeof value === 'string' ? value : all[value % all.length]];
			});
			const query: Query = { ...sort, ...Object.fromEntries(named) };
			let [cursor, after]: [string | undefined, Place | undefined] = [undefined, undefined];
			for (const [n, step] of list.entries()) {
				if (!('kind' in step)) {
					const rest = behind(known, query, after);
					const limit = Number(step.limit ?? 25);
					const search = new URLSearchParams({ ...query, ...step, ...(cursor && { cursor }) });
					const { data, pagination } = (await api.send(`/products?${search}`)).json as Page;
					const expected = rest.slice(0, limit);
					expect(data).toEqual(expected.map(({ record }) => record));
					const { next_cursor, ...said } = pagination;
					expect(said).toEqual({ limit, has_more: rest.length > limit });
					expect(next_cursor !== null).toBe(said.has_more);
					[cursor, after] = next_cursor === null ? [] : [next_cursor, expected[limit - 1].place];
					continue;
				}
				const { fields, time, kind } = step;
				const one = known[step.nth % known.length];
				if (one && kind === 'remove') {
					await api.send(`/products/${one.record.id}`, remove());
					known = known.filter((other) => other !== one);
					continue;
				}
				const id = kind === 'replace' ? one?.record.id : undefined;
				const updatedAt = times[time % times.length];
				const change = { id, fields, updatedAt };
				const written = await control.writeRecord('products', change);
				const record = (await control.record('products', written.id)) as unknown as Product;
				const changed = count + n;
				if (id) {
					Object.assign(one, { record, changed });
					continue;
				}
				newestMadeAt = Math.max(newestMadeAt, Date.parse(updatedAt));
				expect(Date.parse(record.created_at)).toBe(newestMadeAt);
				known.push({ record, madeAt: newestMadeAt, made: changed, changed });
			}
			expect(await control.records('products')).toEqual({ count: known.length });
		}),
		{ numRuns: 200 },
	);
});
