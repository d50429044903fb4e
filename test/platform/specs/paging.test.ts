import fc from 'fast-check';
import { idsOf, type Page } from '../../support/apiClient';
import { INVALID, patch, post, remove, usePlatform } from './usePlatform';

type Product = {
	id: string;
	title: string;
	status: string;
	created_at: string;
	updated_at: string;
	variants: Array<{ sku: string }>;
};

const { control, api } = usePlatform({
	products: 61,
	orders: 60,
	customers: 10,
	minuteBudget: 1_000_000,
});
beforeEach(async () => await control.reset());

const page = async (path: string) => (await api.send(path)).json as Page;
const found = async (path: string, limit = 100) => idsOf(await api.walk(path, limit));

describe('a page', () => {
	it('has 25 records unless told otherwise, and says so', async () => {
		const { data, pagination } = await page('/products');
		expect(data).toHaveLength(25);
		expect(pagination).toMatchObject({ limit: 25, has_more: true });
	});

	it.each([
		...['0', '251', '-1', '1.5', 'ten', '1e2', '%201', ''].map((limit) => `limit=${limit}`),
		...['offset=0', 'page=2', 'limit=1&limit=2', 'status=', 'sort=', 'cursor=', 'status=paid'],
		...['yesterday', '2026-13-01T00:00:00Z', '1700000000', '2026-01-01T00:00:00'].map(
			(time) => `updated_since=${time}`,
		),
		...['price:asc', 'created_at', 'created_at:up', 'constructor:asc', 'title:asc:desc'].map(
			(sort) => `sort=${sort}`,
		),
	])('refuses %s', async (query) => {
		expect(await api.refusal(`/products?${query}`)).toBe(INVALID);
	});

	it('refuses a cursor that is made up, cut, changed, or of another list or query', async () => {
		const { pagination } = await page('/products?limit=2&status=published');
		const cursor = pagination.next_cursor!;
		const swapped = cursor.startsWith('A') ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`;
		for (const query of [
			'/products?cursor=garbage',
			`/products?status=published&cursor=${cursor.slice(0, -1)}`,
			`/products?status=published&cursor=${swapped}`,
			`/products?status=published&sort=updated_at:asc&cursor=${cursor}`,
			`/orders?status=published&cursor=${cursor}`,
		]) {
			expect(await api.refusal(query)).toBe(INVALID);
		}
		const next = await page(`/products?cursor=${cursor}&limit=9&status=published`);
		expect(next.data).toHaveLength(9);
	});
});

describe('a walk', () => {
	const LISTS = 'products orders customers categories inventory/levels events'.split(' ');

	it('yields each record exactly once for any limit, on every list', async () => {
		const textsOf = (pages: readonly Page[]) =>
			pages.flatMap(({ data }) => data.map((record) => JSON.stringify(record)));
		const whole = new Map<string, string[]>();
		for (const list of LISTS) whole.set(list, textsOf(await api.walk(`/${list}`, 250)));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...LISTS),
				fc.integer({ min: 1, max: 250 }),
				async (list, limit) => {
					const pages = await api.walk(`/${list}`, limit);
					expect(textsOf(pages)).toEqual(whole.get(list));
					expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).toBe(true);
				},
			),
			{ numRuns: 25, seed: 7 },
		);
		expect(new Set(whole.get('products')).size).toBe(61);
		const { count } = await control.records('inventory');
		expect(new Set(whole.get('inventory/levels')).size).toBe(count);
	});

	it('yields the same records in every order', async () => {
		const byDefault = new Set(await found('/products', 10));
		for (const field of ['created_at', 'updated_at', 'title']) {
			const up = await found(`/products?sort=${field}:asc`, 7);
			expect(new Set(up)).toEqual(byDefault);
			expect(await found(`/products?sort=${field}:desc`, 9)).toEqual([...up].reverse());
		}
	});

	it('goes on past records that are deleted and made during it', async () => {
		const { data, pagination } = await page('/products?limit=10');
		await api.send(`/products/${String(data[3].id)}`, remove());
		const made = await api.data('/products', post({ title: 'Late' }));
		const rest = [];
		for (let cursor = pagination.next_cursor; cursor !== null;) {
			const next: Page = await page(`/products?limit=10&cursor=${cursor}`);
			rest.push(...idsOf([next]));
			cursor = next.pagination.next_cursor;
		}
		expect(rest).toHaveLength(52);
		expect(rest.at(-1)).toBe(made.id);
		expect(rest).not.toContain(data[0].id);
	});
});

describe('a list of products', () => {
	let products: Product[];
	beforeEach(async () => (products = await api.data<Product[]>('/products?limit=250')));
	const where = (test: (product: Product) => boolean) => products.filter(test).map(({ id }) => id);

	it('is filtered by status, and by times, both ends included', async () => {
		const drafts = where(({ status }) => status === 'draft');
		expect(drafts.length).toBeGreaterThan(0);
		expect(await found('/products?status=draft')).toEqual(drafts);
		const [from, until] = [products[20].created_at, products[40].created_at];
		const between = where(({ created_at }) => created_at >= from && created_at <= until);
		for (const sort of ['created_at', 'updated_at', 'title']) {
			const query = `created_since=${from}&created_until=${until}&sort=${sort}:asc`;
			expect((await found(`/products?${query}`)).sort()).toEqual([...between].sort());
		}
		const changed = products[50].updated_at;
		const since = where(({ updated_at }) => updated_at >= changed);
		expect(await found(`/products?updated_since=${changed}`)).toEqual(since);
		const backwards = await found(`/products?updated_since=${changed}&sort=updated_at:desc`);
		expect(backwards).toEqual(since.reverse());
	});

	it('is searched by SKU and by text', async () => {
		const { id, variants, title } = products[31];
		expect(await found(`/products?sku=${variants[0].sku}`)).toEqual([id]);
		expect(await found('/products?sku=NONE')).toEqual([]);
		expect(await found(`/products?q=${encodeURIComponent(title.toUpperCase())}`)).toEqual(
			where((product) => product.title === title),
		);
	});

	it('shows a change to who asks for what changed since', async () => {
		const since = new Date().toISOString();
		expect(await found(`/products?updated_since=${since}`)).toEqual([]);
		const [{ id }] = products;
		await api.data(`/products/${id}`, patch({ title: 'Renamed' }));
		expect(await found(`/products?updated_since=${since}`)).toEqual([id]);
		expect(await found('/products?q=renamed')).toEqual([id]);
	});
});

it('a list of orders is filtered by the SKU of a line, and leaves out what only get includes', async () => {
	const { data } = await page('/orders?status=cancelled&limit=250');
	expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['cancelled']));
	const [{ id }] = data;
	const whole = await api.data<{ line_items: Array<{ sku: string }> }>(`/orders/${String(id)}`);
	expect(await found(`/orders?sku=${whole.line_items[0].sku}`)).toContain(id);
	const extra = Object.keys(whole).filter((field) => !(field in data[0]));
	expect(extra.sort()).toEqual(['fulfillment_state', 'line_items', 'payment_summary', 'totals']);
});

it('orders have amounts in currencies with no, two and three decimals', async () => {
	const totals = (await page('/orders?limit=250')).data.map(
		({ total }) => total as { amount: number; currency: string },
	);
	const currencies = totals.map(({ currency }) => currency);
	expect(currencies).toEqual(expect.arrayContaining(['EUR', 'JPY', 'KWD']));
	expect(totals.every(({ amount }) => Number.isInteger(amount))).toBe(true);
});

it('a customer has no consent that nobody gave', async () => {
	const customer = await api.data('/customers', post({ email: 'new@customer.example' }));
	const none = { accepts_email_marketing: false, accepts_sms_marketing: false };
	expect(customer).toMatchObject(none);
});
