import fc from 'fast-check';
import { idsOf, type Page } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

const { platform, api } = usePlatform({
	products: 61,
	orders: 23,
	customers: 10,
	minuteBudget: 1_000_000,
});

/** Every record of a list, whatever its shape, as text. */
const recordsOf = (pages: readonly Page[]) =>
	pages.flatMap(({ data }) => data.map((record) => JSON.stringify(record)));

describe('a page', () => {
	it('has 25 records unless told otherwise, and says so', async () => {
		const { json } = await api.send('/products');
		const { data, pagination } = json as Page;
		expect(data).toHaveLength(25);
		expect(pagination).toMatchObject({ limit: 25, has_more: true });
	});

	it.each([
		...['0', '251', '-1', '1.5', 'ten', '1e2', '%201', ''].map((limit) => `limit=${limit}`),
		...['offset=0', 'page=2', 'limit=1&limit=2', 'status=', 'sort=', 'cursor='],
	])('refuses %s', async (query) => {
		expect(await api.refusal(`/products?${query}`)).toBe('400 INVALID_PARAMETER');
	});

	it('refuses a cursor that is made up, cut, changed, or of another list or query', async () => {
		const { json } = await api.send('/products?limit=2&status=published');
		const cursor = (json as Page).pagination.next_cursor!;
		const swapped = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`;
		for (const query of [
			'/products?cursor=garbage',
			'/products?cursor=eyJhIjoxfQ%3D%3D',
			`/products?status=published&cursor=${cursor.slice(0, -1)}`,
			`/products?status=published&cursor=${swapped}`,
			`/products?cursor=${cursor}`,
			`/products?status=published&sort=updated_at:asc&cursor=${cursor}`,
			`/orders?cursor=${cursor}`,
		]) {
			expect(await api.refusal(query)).toBe('400 INVALID_PARAMETER');
		}
		const next = await api.send(`/products?cursor=${cursor}&limit=9&status=published`);
		expect((next.json as Page).data).toHaveLength(9);
	});
});

describe('a walk', () => {
	const LISTS = [
		'/products',
		'/orders',
		'/customers',
		'/categories',
		'/inventory/levels',
		'/events',
	];

	it('yields each record exactly once for any limit, on every list', async () => {
		const whole = new Map<string, string[]>();
		for (const list of LISTS) whole.set(list, recordsOf(await api.walk(list, 250)));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...LISTS),
				fc.integer({ min: 1, max: 250 }),
				async (list, limit) => {
					const pages = await api.walk(list, limit);
					expect(recordsOf(pages)).toEqual(whole.get(list));
					expect(pages.every(({ data }) => data.length <= limit)).toBe(true);
					expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).toBe(true);
				},
			),
			{ numRuns: 25, seed: 7 },
		);
		expect(new Set(whole.get('/products')).size).toBe(61);
		expect(new Set(whole.get('/inventory/levels')).size).toBe(
			(await platform.control.records('inventory')).count,
		);
	});

	it('yields the same records in every order', async () => {
		const byDefault = new Set(idsOf(await api.walk('/products', 10)));
		for (const field of ['created_at', 'updated_at', 'title']) {
			const up = idsOf(await api.walk(`/products?sort=${field}:asc`, 7));
			const down = idsOf(await api.walk(`/products?sort=${field}:desc`, 9));
			expect(new Set(up)).toEqual(byDefault);
			expect(down).toEqual([...up].reverse());
		}
	});

	it('in the order of change shows what was written last at the end', async () => {
		const ids = idsOf(await api.walk('/customers', 3));
		for (const id of [ids[4], ids[1], ids[4]]) {
			await api.data(`/customers/${id}`, { method: 'PATCH', body: { phone: '1' } });
		}
		const walked = idsOf(await api.walk('/customers?sort=updated_at:asc', 3));
		expect(walked).toHaveLength(ids.length);
		expect(walked.slice(-2)).toEqual([ids[1], ids[4]]);
	});

	it('goes on past records that are deleted and made during it', async () => {
		const first = (await api.send('/products?limit=10')).json as Page;
		await api.send(`/products/${String(first.data[3].id)}`, { method: 'DELETE' });
		const made = await api.data('/products', { method: 'POST', body: { title: 'Late' } });
		const rest: string[] = [];
		let cursor = first.pagination.next_cursor;
		while (cursor !== null) {
			const page: Page = (await api.send(`/products?limit=10&cursor=${cursor}`)).json as Page;
			rest.push(...idsOf([page]));
			cursor = page.pagination.next_cursor;
		}
		expect(rest).toHaveLength(52);
		expect(rest.at(-1)).toBe(made.id);
		expect(rest).not.toContain(first.data[0].id);
	});
});
