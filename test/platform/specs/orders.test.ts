import { INVALID, patch, post, usePlatform } from './usePlatform';

type Line = { line_item_id: string; quantity: number };
type Order = { id: string; total: { amount: number; currency: string }; line_items: Line[] };

const { control, api } = usePlatform();

const newOrder = async () => (await control.createOrder()).order as unknown as Order;
const paidOrder = async () =>
	(await control.payOrder((await newOrder()).id)).order as unknown as Order;
const pathOf = ({ id }: Order, rest = '') => `/orders/${id}${rest}`;
const linesOf = ({ line_items }: Order) =>
	line_items.map(({ line_item_id, quantity }) => ({ line_item_id, quantity }));

const REFUSED = '409 INVALID_STATE_TRANSITION';

describe('the order state machine', () => {
	const ALLOWED = ['created paid', 'created cancelled', 'paid fulfilled', 'paid cancelled'];
	const STATES = ['created', 'paid', 'fulfilled', 'cancelled'];

	it.each(STATES.flatMap((from) => STATES.map((to) => [from, to])))(
		'from %s to %s',
		async (from, to) => {
			const path = pathOf(from === 'created' ? await newOrder() : await paidOrder());
			const move = (status: string) => patch({ status });
			if (from === 'fulfilled' || from === 'cancelled') await api.data(path, move(from));
			const isAllowed = ALLOWED.includes(`${from} ${to}`);
			expect((await api.send(path, move(to))).status).toBe(isAllowed ? 200 : 409);
			expect(await api.data(path)).toMatchObject({ status: isAllowed ? to : from });
		},
	);

	it('pays the oldest unpaid order first, each once, and a new one when none is left', async () => {
		await control.reset({ orders: 30 });
		const unpaid = await api.data<Order[]>('/orders?status=created&limit=250');
		for (const { id } of unpaid) expect((await control.payOrder()).order.id).toBe(id);
		await control.payOrder();
		expect(await control.records('orders')).toEqual({ count: 31 });
	});
});

it('an update writes the merchant note and free fields, and clears the note', async () => {
	const path = pathOf(await newOrder());
	const body = { merchant_note: 'Call first', warehouse: { shelf: 7 } };
	expect(await api.data(path, patch(body))).toMatchObject(body);
	const cleared = { ...body, merchant_note: null };
	expect(await api.data(path, patch({ merchant_note: null }))).toMatchObject(cleared);
});

it('a fulfillment of parts leaves the order paid but not to be cancelled, the last part fulfils it', async () => {
	const order = await paidOrder();
	const [path, whole] = [pathOf(order, '/fulfillments'), linesOf(order)];
	const part = { carrier: 'dhl', tracking_number: 'T', items: [{ ...whole[0], quantity: 1 }] };
	expect(await api.data(path, post(part))).toMatchObject({ ...part, order_id: order.id });
	const rest = [{ ...whole[0], quantity: whole[0].quantity - 1 }, ...whole.slice(1)];
	const items = rest.filter(({ quantity }) => quantity > 0);
	if (items.length > 0) {
		const partial = { status: 'paid', fulfillment_state: { status: 'partial' } };
		expect(await api.data(pathOf(order))).toMatchObject(partial);
		expect(await api.refusal(pathOf(order, '/cancel'), post())).toBe(REFUSED);
		await api.data(path, post({ items }));
	}
	const state = { status: 'fulfilled', open_quantity: 0 };
	const done = { status: 'fulfilled', fulfillment_state: state };
	expect(await api.data(pathOf(order))).toMatchObject(done);
});

it('a refund pays back in parts until nothing is left, if a payment provider is linked', async () => {
	const order = await paidOrder();
	const { amount, currency } = order.total;
	const path = pathOf(order, '/refunds');
	await control.configure({ paymentProviderLinked: false });
	expect(await api.refusal(path, post())).toBe('403 PAYMENT_PROVIDER_REQUIRED');
	await control.configure({ paymentProviderLinked: true });
	const part = { amount: 1, currency, reason: 'late' };
	expect(await api.data(path, post(part))).toMatchObject(part);
	expect(await api.data(path, post())).toMatchObject({ amount: amount - 1 });
	expect(await api.refusal(path, post())).toBe(INVALID);
	const refunded = { payment_summary: { status: 'refunded', refunded: order.total } };
	expect(await api.data(pathOf(order))).toMatchObject(refunded);
});

it('an order that is not paid is neither sent nor refunded', async () => {
	const order = await newOrder();
	for (const what of ['/fulfillments', '/refunds']) {
		expect(await api.refusal(pathOf(order, what), post({}))).toBe(REFUSED);
	}
});

describe('of a paid order', () => {
	it.each<[string, string, (order: Order, line: Line) => object]>([
		['sending more than is open', '/fulfillments', (_, line) => sending([line, line])],
		['sending no piece', '/fulfillments', (_, line) => sending([{ ...line, quantity: 0 }])],
		['another line', '/fulfillments', (_, line) => sending([{ ...line, line_item_id: 'li_none' }])],
		['sending nothing', '/fulfillments', () => sending([])],
		['a carrier in capitals', '/fulfillments', () => ({ carrier: 'DHL' })],
		['an amount without currency', '/refunds', () => ({ amount: 1 })],
		['another currency', '/refunds', () => ({ currency: 'XXX' })],
		['too much money', '/refunds', ({ total }) => ({ ...total, amount: total.amount + 1 })],
	])('%s is refused, and changes nothing', async (_what, action, body) => {
		const order = await paidOrder();
		const request = post(body(order, linesOf(order)[0]));
		expect(await api.refusal(pathOf(order, action), request)).toBe(INVALID);
		expect(await api.data(pathOf(order))).toEqual(order);
	});

	it.each(['total', 'line_items', 'id', 'created_at', 'status'])(
		'%s cannot be written',
		async (field) => {
			expect(await api.refusal(pathOf(await paidOrder()), patch({ [field]: 'x' }))).toBe(INVALID);
		},
	);
});

const sending = (items: Line[]) => ({ items });
