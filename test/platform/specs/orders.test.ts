import { usePlatform } from './usePlatform';

type Order = {
	id: string;
	status: string;
	total: { amount: number; currency: string };
	line_items: Array<{ line_item_id: string; quantity: number; fulfilled_quantity: number }>;
	payment_summary: { status: string; refunded: { amount: number } };
	fulfillment_state: { status: string; open_quantity: number };
};

const { platform, api } = usePlatform();

const post = (path: string, body?: unknown) => ({ path, request: { method: 'POST', body } });
const newOrder = async () => (await platform.control.createOrder()).order as unknown as Order;
const paidOrder = async () => {
	const { id } = await newOrder();
	return (await platform.control.payOrder(id)).order as unknown as Order;
};
const fulfil = (order: Order, items: unknown) =>
	post(`/orders/${order.id}/fulfillments`, { carrier: 'dhl', tracking_number: 'T1', items });

describe('the order state machine', () => {
	const ALLOWED = new Set([
		'created paid',
		'created cancelled',
		'paid fulfilled',
		'paid cancelled',
	]);
	const STATES = ['created', 'paid', 'fulfilled', 'cancelled'];
	const moves = STATES.flatMap((from) => STATES.map((to) => [from, to]));

	it.each(moves)('from %s to %s', async (from, to) => {
		const order = from === 'created' ? await newOrder() : await paidOrder();
		const path = `/orders/${order.id}`;
		const patch = (status: string) => ({ method: 'PATCH', body: { status } });
		if (from === 'fulfilled' || from === 'cancelled') await api.data(path, patch(from));
		if (ALLOWED.has(`${from} ${to}`)) {
			expect(await api.data(path, patch(to))).toMatchObject({ status: to });
		} else {
			expect(await api.refusal(path, patch(to))).toBe('409 INVALID_STATE_TRANSITION');
			expect(await api.data(path)).toMatchObject({ status: from });
		}
	});

	it('refuses a state that does not exist', async () => {
		const { id } = await newOrder();
		const patch = { method: 'PATCH', body: { status: 'lost' } };
		expect(await api.refusal(`/orders/${id}`, patch)).toBe('400 INVALID_PARAMETER');
	});

	it('does not cancel what is partly on its way', async () => {
		const order = await paidOrder();
		const [{ line_item_id, quantity }] = order.line_items;
		const isWhole = order.line_items.length === 1 && quantity === 1;
		const { path, request } = fulfil(order, [{ line_item_id, quantity: 1 }]);
		await api.data(path, request);
		expect(await api.refusal(`/orders/${order.id}/cancel`, { method: 'POST' })).toBe(
			'409 INVALID_STATE_TRANSITION',
		);
		expect(await api.data(`/orders/${order.id}`)).toMatchObject({
			status: isWhole ? 'fulfilled' : 'paid',
		});
	});
});

describe('an update', () => {
	it('writes the merchant note and free fields, and clears the note', async () => {
		const { id } = await newOrder();
		const body = { merchant_note: 'Call first', warehouse: { shelf: 7 } };
		expect(await api.data(`/orders/${id}`, { method: 'PATCH', body })).toMatchObject(body);
		const cleared = { method: 'PATCH', body: { merchant_note: null } };
		expect(await api.data(`/orders/${id}`, cleared)).toMatchObject({
			merchant_note: null,
			warehouse: { shelf: 7 },
		});
	});

	it.each(['total', 'line_items', 'id', 'created_at'])('cannot write %s', async (field) => {
		const { id } = await newOrder();
		const patch = { method: 'PATCH', body: { [field]: 'x' } };
		expect(await api.refusal(`/orders/${id}`, patch)).toBe('400 INVALID_PARAMETER');
	});
});

describe('a fulfillment', () => {
	it('of parts leaves the order paid, and the last part fulfils it', async () => {
		const order = await paidOrder();
		const rest = order.line_items.map(({ line_item_id, quantity }) => ({
			line_item_id,
			quantity,
		}));
		const first = { ...rest[0], quantity: 1 };
		rest[0].quantity -= 1;
		const one = fulfil(order, [first]);
		expect(await api.data(one.path, one.request)).toMatchObject({
			order_id: order.id,
			carrier: 'dhl',
			items: [first],
		});
		const open = rest.filter(({ quantity }) => quantity > 0);
		if (open.length > 0) {
			expect(await api.data(`/orders/${order.id}`)).toMatchObject({
				status: 'paid',
				fulfillment_state: { status: 'partial' },
			});
			const other = fulfil(order, open);
			await api.data(other.path, other.request);
		}
		expect(await api.data(`/orders/${order.id}`)).toMatchObject({
			status: 'fulfilled',
			fulfillment_state: { status: 'fulfilled', open_quantity: 0 },
		});
	});

	it('cannot send more than is open, nothing, or a line of another order', async () => {
		const order = await paidOrder();
		const [{ line_item_id, quantity }] = order.line_items;
		for (const items of [
			[{ line_item_id, quantity: quantity + 1 }],
			[
				{ line_item_id, quantity },
				{ line_item_id, quantity: 1 },
			],
			[{ line_item_id, quantity: 0 }],
			[{ line_item_id: 'li_none', quantity: 1 }],
			[],
		]) {
			const { path, request } = fulfil(order, items);
			expect(await api.refusal(path, request)).toBe('400 INVALID_PARAMETER');
		}
		expect(await api.data(`/orders/${order.id}`)).toMatchObject({
			fulfillment_state: { status: 'unfulfilled' },
		});
	});

	it('needs a carrier in lower case and a paid order', async () => {
		const order = await newOrder();
		const items = [{ line_item_id: order.line_items[0].line_item_id, quantity: 1 }];
		const path = `/orders/${order.id}/fulfillments`;
		expect(await api.refusal(path, { method: 'POST', body: { carrier: 'DHL', items } })).toBe(
			'400 INVALID_PARAMETER',
		);
		expect(await api.refusal(path, { method: 'POST', body: { items } })).toBe(
			'409 INVALID_STATE_TRANSITION',
		);
	});
});

describe('a refund', () => {
	it('pays back in parts until nothing is left', async () => {
		const { id, total } = await paidOrder();
		const { path, request } = post(`/orders/${id}/refunds`, {
			amount: 1,
			currency: total.currency,
			reason: 'late',
		});
		expect(await api.data(path, request)).toMatchObject({
			amount: 1,
			currency: total.currency,
			reason: 'late',
		});
		expect(await api.data(path, { method: 'POST' })).toMatchObject({ amount: total.amount - 1 });
		expect(await api.refusal(path, { method: 'POST' })).toBe('400 INVALID_PARAMETER');
		expect(await api.data(`/orders/${id}`)).toMatchObject({
			payment_summary: { status: 'refunded', refunded: total },
		});
	});

	it('takes no amount without its currency', async () => {
		const { id } = await paidOrder();
		const { path, request } = post(`/orders/${id}/refunds`, { amount: 1 });
		expect(await api.refusal(path, request)).toBe('400 INVALID_PARAMETER');
	});

	it('needs a payment, the right currency and a linked provider', async () => {
		const unpaid = await newOrder();
		const paid = await paidOrder();
		const path = `/orders/${paid.id}/refunds`;
		expect(await api.refusal(`/orders/${unpaid.id}/refunds`, { method: 'POST' })).toBe(
			'409 INVALID_STATE_TRANSITION',
		);
		expect(await api.refusal(path, { method: 'POST', body: { currency: 'XXX' } })).toBe(
			'400 INVALID_PARAMETER',
		);
		await platform.control.configure({ paymentProviderLinked: false });
		expect(await api.refusal(path, { method: 'POST' })).toBe('403 PAYMENT_PROVIDER_REQUIRED');
		await platform.control.configure({ paymentProviderLinked: true });
	});
});

describe('the shop pays', () => {
	it('the oldest unpaid order first, each once, and a new one when none is left', async () => {
		await platform.control.reset({ orders: 30 });
		const unpaid = await api.data<Order[]>('/orders?status=created&limit=250');
		expect(unpaid.length).toBeGreaterThan(0);
		const paid: string[] = [];
		for (let n = 0; n < unpaid.length; n++) {
			paid.push(String((await platform.control.payOrder()).order.id));
		}
		expect(paid).toEqual(unpaid.map(({ id }) => id));
		await platform.control.payOrder();
		expect(await platform.control.records('orders')).toEqual({ count: 31 });
	});
});
