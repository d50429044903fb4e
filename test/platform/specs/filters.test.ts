import { idsOf, type Page } from '../../support/apiClient';
import { usePlatform } from './usePlatform';

type Product = {
	id: string;
	title: string;
	status: string;
	created_at: string;
	updated_at: string;
	variants: Array<{ sku: string }>;
};

const { platform, api } = usePlatform({ products: 80, orders: 60, minuteBudget: 1_000_000 });
let products: Product[];
beforeAll(async () => {
	products = await api.data<Product[]>('/products?limit=250');
});

const found = async (path: string) => idsOf(await api.walk(path, 100));
const idsWhere = (test: (product: Product) => boolean) => products.filter(test).map(({ id }) => id);

describe('a list of products', () => {
	it('is filtered by status', async () => {
		const drafts = idsWhere(({ status }) => status === 'draft');
		expect(drafts.length).toBeGreaterThan(0);
		expect(await found('/products?status=draft')).toEqual(drafts);
		expect(await api.refusal('/products?status=paid')).toBe('400 INVALID_PARAMETER');
	});

	it('is filtered by times, both ends included', async () => {
		const from = products[20].created_at;
		const until = products[40].created_at;
		expect(await found(`/products?created_since=${from}&created_until=${until}`)).toEqual(
			idsWhere(({ created_at }) => created_at >= from && created_at <= until),
		);
		const changed = products[50].updated_at;
		expect(await found(`/products?updated_since=${changed}`)).toEqual(
			idsWhere(({ updated_at }) => updated_at >= changed),
		);
		expect(await found(`/products?updated_since=${changed}&sort=updated_at:desc`)).toEqual(
			idsWhere(({ updated_at }) => updated_at >= changed).reverse(),
		);
	});

	it.each(['yesterday', '2026-13-01T00:00:00Z', '1700000000', '2026-01-01T00:00:00'])(
		'refuses updated_since=%s',
		async (time) => {
			expect(await api.refusal(`/products?updated_since=${time}`)).toBe('400 INVALID_PARAMETER');
		},
	);

	it('is searched by SKU and by text', async () => {
		const { id, variants, title } = products[31];
		expect(await found(`/products?sku=${variants[0].sku}`)).toEqual([id]);
		expect(await found('/products?sku=NONE')).toEqual([]);
		expect(await found(`/products?q=${encodeURIComponent(title.toUpperCase())}`)).toEqual(
			idsWhere((product) => product.title === title),
		);
	});

	it.each(['price:asc', 'created_at', 'created_at:up', 'constructor:asc', 'created_at:asc:desc'])(
		'refuses sort=%s',
		async (sort) => {
			expect(await api.refusal(`/products?sort=${sort}`)).toBe('400 INVALID_PARAMETER');
		},
	);

	it('shows a change to who asks for what changed since', async () => {
		const since = new Date().toISOString();
		expect(await found(`/products?updated_since=${since}`)).toEqual([]);
		const [{ id }] = products;
		await api.data(`/products/${id}`, { method: 'PATCH', body: { title: 'Renamed' } });
		expect(await found(`/products?updated_since=${since}`)).toEqual([id]);
		expect(await found('/products?q=renamed')).toEqual([id]);
	});
});

describe('a list of orders', () => {
	it('is filtered by status and by the SKU of a line', async () => {
		const { data } = (await api.send('/orders?status=cancelled&limit=250')).json as Page;
		expect(data.length).toBeGreaterThan(0);
		expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['cancelled']));
		const order = await api.data<{ id: string; line_items: Array<{ sku: string }> }>(
			`/orders/${String(data[0].id)}`,
		);
		expect(await found(`/orders?sku=${order.line_items[0].sku}`)).toContain(order.id);
	});

	it('leaves out what only get includes', async () => {
		const [order] = await api.data<Array<Record<string, unknown>>>('/orders?limit=1');
		const whole = await api.data(`/orders/${String(order.id)}`);
		const extra = Object.keys(whole).filter((field) => !(field in order));
		expect(extra.sort()).toEqual(['fulfillment_state', 'line_items', 'payment_summary', 'totals']);
	});

	it('has amounts in currencies with no, two and three decimals', async () => {
		const orders =
			await api.data<Array<{ total: { amount: number; currency: string } }>>('/orders?limit=250');
		const currencies = new Set(orders.map(({ total }) => total.currency));
		expect([...currencies]).toEqual(expect.arrayContaining(['EUR', 'JPY', 'KWD']));
		expect(orders.every(({ total }) => Number.isInteger(total.amount))).toBe(true);
	});
});

describe('personal data', () => {
	it('is masked on a switch, in lists and single records', async () => {
		const [plain] = await api.data<Array<{ id: string; email: string }>>('/customers?limit=1');
		await platform.control.configure({ dialect: { personalData: 'masked' } });
		const [masked] = await api.data<Array<{ id: string; email: string }>>('/customers?limit=1');
		const [order] = await api.data<Array<{ id: string; email: string }>>('/orders?limit=1');
		expect(masked).toMatchObject({ id: plain.id, email: `${plain.email[0]}***@***` });
		expect(await api.data(`/customers/${plain.id}`)).toEqual(masked);
		expect(order.email).toMatch(/^.\*\*\*@\*\*\*$/);
		expect(await api.data(`/orders/${order.id}`)).toMatchObject(order);
		await platform.control.configure({ dialect: { personalData: 'shown' } });
		expect(await api.data(`/customers/${plain.id}`)).toEqual(plain);
	});

	it('carries no consent that nobody gave', async () => {
		const customer = await api.data('/customers', {
			method: 'POST',
			body: { email: 'new@customer.example' },
		});
		expect(customer).toMatchObject({
			accepts_email_marketing: false,
			accepts_sms_marketing: false,
		});
	});
});
