import { patch, post, put, usePlatform } from './usePlatform';

type Order = {
	id: string;
	total: { amount: number; currency: string };
	line_items: Array<{ line_item_id: string; quantity: number }>;
};

const { control, api } = usePlatform();

const newOrder = async () => (await control.createOrder()).order as unknown as Order;
const paidOrder = async () => {
	const { id } = await newOrder();
	return (await control.payOrder(id)).order as unknown as Order;
};
const pathOf = ({ id }: Order, rest = '') => `/orders/${id}${rest}`;
const linesOf = ({ line_items }: Order) =>
	line_items.map(({ line_item_id, quantity }) => ({ line_item_id, quantity }));

const INVALID = '400 INVALID_PARAMETER';
const REFUSED = '409 INVALID_STATE_TRANSITION';

describe('the order state machine', () => {
	const ALLOWED = ['created paid', 'created cancelled', 'paid fulfilled', 'paid cancelled'];
	const STATES = ['created', 'paid', 'fulfilled', 'cancelled'];
	const moves = STATES.flatMap((from) => STATES.map((to) => [from, to]));

	it.each(moves)('from %s to %s', async (from, to) => {
		const path = pathOf(from === 'created' ? await newOrder() : await paidOrder());
		const move = (status: string) => patch({ status });
		if (from === 'fulfilled' || from === 'cancelled') await api.data(path, move(from));
		if (ALLOWED.includes(`${from} ${to}`)) {
			expect(await api.data(path, move(to))).toMatchObject({ status: to });
		} else {
			expect(await api.refusal(path, move(to))).toBe(REFUSED);
			expect(await api.data(path)).toMatchObject({ status: from });
		}
	});

	it('does not cancel what is partly on its way', async () => {
		const order = await paidOrder();
		const items = [{ ...linesOf(order)[0], quantity: 1 }];
		await api.data(pathOf(order, '/fulfillments'), post({ items }));
		expect(await api.refusal(pathOf(order, '/cancel'), post())).toBe(REFUSED);
	});

	it('pays the oldest unpaid order first, each once, and a new one when none is left', async () => {
		await control.reset({ orders: 30 });
		const unpaid = await api.data<Order[]>('/orders?status=created&limit=250');
		expect(unpaid.length).toBeGreaterThan(0);
		const paid: unknown[] = [];
		while (paid.length < unpaid.length) paid.push((await control.payOrder()).order.id);
		expect(paid).toEqual(unpaid.map(({ id }) => id));
		await control.payOrder();
		expect(await control.records('orders')).toEqual({ count: 31 });
	});
});

describe('an update', () => {
	it('writes the merchant note and free fields, and clears the note', async () => {
		const path = pathOf(await newOrder());
		const warehouse = { shelf: 7 };
		const body = { merchant_note: 'Call first', warehouse };
		expect(await api.data(path, patch(body))).toMatchObject(body);
		const cleared = await api.data(path, patch({ merchant_note: null }));
		expect(cleared).toMatchObject({ merchant_note: null, warehouse });
	});

	it.each(['total', 'line_items', 'id', 'created_at', 'status'])(
		'cannot write %s',
		async (field) => {
			expect(await api.refusal(pathOf(await newOrder()), patch({ [field]: 'x' }))).toBe(INVALID);
		},
	);
});

describe('a fulfillment', () => {
	it('of parts leaves the order paid, and the last part fulfils it', async () => {
		const order = await paidOrder();
		const [path, whole] = [pathOf(order, '/fulfillments'), linesOf(order)];
		const first = { ...whole[0], quantity: 1 };
		const rest = [{ ...whole[0], quantity: whole[0].quantity - 1 }, ...whole.slice(1)];
		const open = rest.filter(({ quantity }) => quantity > 0);
		const sent = await api.data(
			path,
			post({ carrier: 'dhl', tracking_number: 'T', items: [first] }),
		);
		expect(sent).toMatchObject({ order_id: order.id, carrier: 'dhl', items: [first] });
		if (open.length > 0) {
			const partial = { status: 'paid', fulfillment_state: { status: 'partial' } };
			expect(await api.data(pathOf(order))).toMatchObject(partial);
			await api.data(path, post({ items: open }));
		}
		const done = {
			status: 'fulfilled',
			fulfillment_state: { status: 'fulfilled', open_quantity: 0 },
		};
		expect(await api.data(pathOf(order))).toMatchObject(done);
	});

	it.each<[string, (line: { line_item_id: string; quantity: number }) => object[]]>([
		['more than is open', (line) => [{ ...line, quantity: line.quantity + 1 }]],
		['more than is open, in two parts', (line) => [line, { ...line, quantity: 1 }]],
		['no piece', (line) => [{ ...line, quantity: 0 }]],
		['a line of another order', (line) => [{ ...line, line_item_id: 'li_none' }]],
		['nothing', () => []],
	])('cannot send %s', async (_what, itemsOf) => {
		const order = await paidOrder();
		const request = post({ items: itemsOf(linesOf(order)[0]) });
		expect(await api.refusal(pathOf(order, '/fulfillments'), request)).toBe(INVALID);
		const untouched = { fulfillment_state: { status: 'unfulfilled' } };
		expect(await api.data(pathOf(order))).toMatchObject(untouched);
	});

	it('needs a carrier in lower case and a paid order', async () => {
		const order = await newOrder();
		const [path, items] = [pathOf(order, '/fulfillments'), linesOf(order)];
		expect(await api.refusal(path, post({ carrier: 'DHL', items }))).toBe(INVALID);
		expect(await api.refusal(path, post({ items }))).toBe(REFUSED);
	});
});

describe('a refund', () => {
	it('pays back in parts until nothing is left', async () => {
		const order = await paidOrder();
		const { amount, currency } = order.total;
		const path = pathOf(order, '/refunds');
		const part = { amount: 1, currency, reason: 'late' };
		expect(await api.data(path, post(part))).toMatchObject(part);
		expect(await api.data(path, post())).toMatchObject({ amount: amount - 1 });
		expect(await api.refusal(path, post())).toBe(INVALID);
		const refunded = { payment_summary: { status: 'refunded', refunded: order.total } };
		expect(await api.data(pathOf(order))).toMatchObject(refunded);
	});

	it('needs a payment, an amount with its currency, the right one, and a linked provider', async () => {
		const refusal = async (order: Order, body?: object) =>
			await api.refusal(pathOf(order, '/refunds'), post(body));
		const paid = await paidOrder();
		expect(await refusal(await newOrder())).toBe(REFUSED);
		expect(await refusal(paid, { amount: 1 })).toBe(INVALID);
		expect(await refusal(paid, { currency: 'XXX' })).toBe(INVALID);
		expect(await refusal(paid, { ...paid.total, amount: paid.total.amount + 1 })).toBe(INVALID);
		await control.configure({ paymentProviderLinked: false });
		expect(await refusal(paid)).toBe('403 PAYMENT_PROVIDER_REQUIRED');
		await control.configure({ paymentProviderLinked: true });
	});
});

describe('a stock level', () => {
	type Level = {
		sku: string;
		location_id: string;
		quantity: number;
		updated_at: string;
		version: number;
	};
	const PATH = '/inventory/levels';
	let level: Level;
	beforeEach(async () => {
		await control.reset();
		[level] = await api.data<Level[]>(`${PATH}?limit=1`);
	});

	const set = (change: Partial<Level> = {}, ifMatch?: string) => {
		const body: Partial<Level> = { ...level, updated_at: new Date().toISOString() };
		delete body.version;
		return put({ ...body, ...change }, ifMatch === undefined ? {} : { 'if-match': ifMatch });
	};

	it('is found by SKU and location', async () => {
		const levels = await api.data<Level[]>(`${PATH}?sku=${level.sku}`);
		expect(levels.map(({ location_id }) => location_id)).toEqual(['sloc_main', 'sloc_outlet']);
		const at = async (location: string) =>
			await api.data<Level[]>(`${PATH}?sku=${level.sku}&location_id=${location}`);
		expect([await at('sloc_outlet'), await at('sloc_none')]).toEqual([[levels[1]], []]);
	});

	it('is set absolutely, and the later writer wins, in any offset of the clock', async () => {
		const written = await api.data<Level>(PATH, set({ quantity: 77 }));
		expect(written).toMatchObject({ quantity: 77, version: level.version + 1 });
		const id = `${level.sku}@${level.location_id}`;
		expect(await control.record('inventory', id)).toEqual(written);
		expect(await api.refusal(PATH, set({ updated_at: level.updated_at }))).toBe('409 CONFLICT');
		const noon = await api.data(PATH, set({ updated_at: '2030-01-01T12:00:00+02:00' }));
		expect(noon).toMatchObject({ updated_at: '2030-01-01T10:00:00.000Z' });
		const same = set({ quantity: 2, updated_at: '2030-01-01T10:00:00Z' });
		expect(await api.data(PATH, same)).toMatchObject({ quantity: 2 });
		const older = set({ updated_at: '2030-01-01T09:59:59Z' });
		expect(await api.refusal(PATH, older)).toBe('409 CONFLICT');
	});

	it('is guarded by If-Match on its version', async () => {
		const tag = `"${level.version}"`;
		const { status, headers } = await api.send(PATH, set({}, tag));
		expect([status, headers.etag]).toEqual([200, `"${level.version + 1}"`]);
		expect(await api.refusal(PATH, set({}, tag))).toBe('409 CONFLICT');
		expect((await api.send(PATH, set({}, '*'))).status).toBe(200);
	});

	it('is adjusted by a difference, but not below zero', async () => {
		const { sku, location_id, quantity } = level;
		const adjust = (delta: number) => post({ sku, location_id, delta, reason: 'count' });
		const path = `${PATH}/adjust`;
		expect(await api.data(path, adjust(3))).toMatchObject({ quantity: quantity + 3 });
		expect(await api.data(path, adjust(-quantity - 3))).toMatchObject({ quantity: 0 });
		expect(await api.refusal(path, adjust(-1))).toBe(INVALID);
	});

	it.each([
		[{ quantity: -1 }, INVALID],
		[{ quantity: 1.5 }, INVALID],
		[{ updated_at: 'now' }, INVALID],
		[{ sku: 'NONE' }, '404 NOT_FOUND'],
		[{ location_id: 'sloc_none' }, '404 NOT_FOUND'],
	])('refuses %j', async (change, refusal) => {
		expect(await api.refusal(PATH, set(change))).toBe(refusal);
	});

	it('exists for the SKUs of a new product, and goes with it', async () => {
		const variants = [{ sku: 'KITE-1', prices: [{ amount: 1, currency: 'KWD' }] }];
		const product = await api.data('/products', post({ title: 'Kite', variants }));
		expect(await api.data<Level[]>(`${PATH}?sku=KITE-1`)).toHaveLength(2);
		const old = set({ sku: 'KITE-1', quantity: 4, updated_at: '2020-01-01T00:00:00Z' });
		expect(await api.data<Level>(PATH, old)).toMatchObject({ quantity: 4 });
		await api.send(`/products/${String(product.id)}`, { method: 'DELETE' });
		expect(await api.data<Level[]>(`${PATH}?sku=KITE-1`)).toEqual([]);
	});

	it('changed by the shop itself is an event', async () => {
		const { sku, location_id } = level;
		const changed = await control.setStock({ sku, location_id, quantity: 9 });
		expect(changed.level).toMatchObject({ quantity: 9 });
		const { count } = await control.records('events');
		const event = await control.record('events', `evt_${String(count).padStart(12, '0')}`);
		expect(event).toMatchObject({ event: 'inventory.changed', payload: { sku, quantity: 9 } });
	});
});
