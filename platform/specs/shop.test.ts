import { until } from '../support/until';
import { patch, post, put, remove, usePlatform } from './usePlatform';

type Level = { sku: string; location_id: string; quantity: number; version: number };

const { control, api } = usePlatform({ inDevelopment: { batch: true } });
beforeEach(async () => await control.reset());

const LEVELS = '/inventory/levels';

describe('an order', () => {
	const ALLOWED = ['created paid', 'created cancelled', 'paid fulfilled', 'paid cancelled'];
	const STATES = ['created', 'paid', 'fulfilled', 'cancelled'];

	it.each(STATES.flatMap((from) => STATES.map((to) => [from, to])))(
		'goes from %s to %s, or is refused',
		async (from, to) => {
			const { order } = await (from === 'created' ? control.createOrder() : control.payOrder());
			const path = `/orders/${order.id}`;
			if (order.status !== from) await api.data(path, patch({ status: from }));
			const isAllowed = ALLOWED.includes(`${from} ${to}`);
			expect((await api.send(path, patch({ status: to }))).status).toBe(isAllowed ? 200 : 409);
			expect(await api.data(path)).toMatchObject({ status: isAllowed ? to : from });
		},
	);

	it('is paid: the oldest unpaid one first, each once, and a new one if none is left', async () => {
		await control.reset({ orders: 30 });
		const unpaid = await api.data<Array<{ id: string }>>('/orders?status=created&limit=250');
		for (const { id } of unpaid) expect((await control.payOrder()).order.id).toBe(id);
		await control.payOrder();
		expect(await control.records('orders')).toEqual({ count: 31 });
	});

	it('is shipped in parts, cannot be cancelled afterwards, and is refunded in parts', async () => {
		const { id, line_items, total } = (await control.payOrder()).order;
		const path = `/orders/${id}`;
		const pieces = line_items.flatMap(({ line_item_id, quantity }) =>
			Array.from({ length: quantity }, () => ({ line_item_id, quantity: 1 })),
		);
		for (const [n, piece] of pieces.entries()) {
			if (n > 0) {
				const state = { fulfilled_quantity: n, open_quantity: pieces.length - n };
				const parts = { status: 'paid', fulfillment_state: { status: 'partial', ...state } };
				expect(await api.data(path)).toMatchObject(parts);
				expect((await api.send(`${path}/cancel`, post())).status).toBe(409);
			}
			const part = { carrier: 'dhl', tracking_number: 'T', items: [piece] };
			expect(await api.data(`${path}/fulfillments`, post(part))).toMatchObject(part);
		}
		const one = { amount: 1, currency: total.currency, reason: 'late' };
		expect(await api.data(`${path}/refunds`, post(one))).toMatchObject(one);
		const rest = await api.data(`${path}/refunds`, post());
		expect(rest).toMatchObject({ amount: total.amount - 1 });
		const back = { payment_summary: { status: 'refunded', refunded: total } };
		expect(await api.data(path)).toMatchObject({ status: 'fulfilled', ...back });
	});

	it('is not refunded without a payment provider', async () => {
		const { id } = (await control.payOrder()).order;
		await control.configure({ paymentProviderLinked: false });
		const refusal = await api.refusal(`/orders/${id}/refunds`, post());
		expect(refusal).toBe('403 PAYMENT_PROVIDER_REQUIRED');
	});
});

describe('a stock level', () => {
	it('is set by the later write, with any clock offset, and guarded by its version', async () => {
		const [{ sku, location_id, version }] = await api.data<Level[]>(`${LEVELS}?limit=1`);
		const set = async (updated_at: string, quantity: number, ifMatch = '*') => {
			const body = { sku, location_id, quantity, updated_at };
			return await api.send(LEVELS, put(body, { 'if-match': ifMatch }));
		};
		const { headers, json } = await set('2030-01-01T12:00:00+02:00', 7, `"${version}"`);
		const written = { quantity: 7, version: version + 1, updated_at: '2030-01-01T10:00:00.000Z' };
		expect([headers.etag, json]).toMatchObject([`"${version + 1}"`, { data: written }]);
		expect((await set('2030-01-01T11:00:00Z', 8, `"${version}"`)).status).toBe(409);
		expect((await set('2030-01-01T09:59:59Z', 8)).status).toBe(409);
		expect((await set('2030-01-01T10:00:00Z', 9)).status).toBe(200);
		const adjusted = await api.data(`${LEVELS}/adjust`, post({ sku, location_id, delta: -9 }));
		expect(adjusted).toMatchObject({ quantity: 0, version: version + 3 });
	});

	it('exists at each location for the SKUs of a new product, and goes with it', async () => {
		const variants = [{ sku: 'KITE-1', prices: [{ amount: 1, currency: 'KWD' }] }];
		const product = await api.data('/products', post({ title: 'Kite', variants }));
		const levels = await api.data<Level[]>(`${LEVELS}?sku=KITE-1`);
		expect(levels.map(({ location_id }) => location_id)).toEqual(['sloc_main', 'sloc_outlet']);
		expect(await api.data(`${LEVELS}?sku=KITE-1&location_id=sloc_outlet`)).toEqual([levels[1]]);
		await api.send(`/products/${String(product.id)}`, remove());
		expect(await api.data(`${LEVELS}?sku=KITE-1`)).toEqual([]);
	});
});

const upserts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ op: 'upsert', sku: `N-${n}`, title: `New ${n}` }));

it.each([
	['starter', 100],
	['enterprise', 500],
] as const)('a batch of the plan %s holds %d operations', async (plan, most) => {
	const { apiKey } = await control.createKey({ plan });
	const statusOf = async (operations: object[]) =>
		(await api.send('/products/batch', { ...post({ operations }), apiKey })).status;
	expect(await statusOf(upserts(most))).toBe(200);
	expect(await statusOf(upserts(most + 1))).toBe(400);
});

it('a catalog import runs in the background, and names the failed operations', async () => {
	const operations = [...upserts(600), { op: 'upsert', sku: '', title: 'none' }];
	const job = await api.data<{ id: string }>('/jobs/catalog-import', post({ operations }));
	expect(job).toMatchObject({ status: 'queued', total: 601, processed: 0 });
	await control.configure({ dialect: { createStatus: 'ok' } });
	expect((await api.send('/jobs/catalog-import', post({ operations: [] }))).status).toBe(200);
	const done = await until('the import to end', 10_000, async () => {
		const record = await control.record('jobs', job.id);
		return record?.status === 'completed' ? record : undefined;
	});
	const errors = [{ index: 600, code: 'INVALID_PARAMETER' }];
	expect(done).toMatchObject({ processed: 601, succeeded: 600, failed: 1, errors });
	expect(await control.records('products')).toEqual({ count: 900 });
});
