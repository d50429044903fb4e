import { search } from '../../../test/engine/operations/loadOptions';
import { byId, byMode } from '../../../test/support/parameters';
import { ORDER_KINDS } from '../seed';
import { statusOf } from '../orderRecord';
import {
	access,
	engineKeeps,
	engineRefuses,
	newOrder,
	orderOf,
	run,
	set,
	type EngineOrder,
} from './engine';

/** What can be compared of an order before and after something that must not change it. */
const stateOf = ({ state, open, refunded }: EngineOrder) => ({ state, open, refunded });

/** Runs an operation on a new order. @returns the engine's word on it before and after */
async function onNew(kind: string, operation: string, parameters: object) {
	const id = await newOrder(kind);
	const before = await orderOf(id);
	const result = await run(operation, { orderId: byId(id), ...parameters });
	const after = await orderOf(id);
	return { before, after, result, failed: result.error !== undefined };
}

describe.each(['both', 'engine'] as const)('parcels and refunds in the names of %s', (names) => {
	beforeAll(async () => await set({ names }));
	afterAll(async () => await set({ names: 'both' }));

	it.each(ORDER_KINDS)(
		'%s: all that is open is sent, or the engine sends nothing either',
		async (kind) => {
			const parameters = { trackingNumber: '00340434161094042557', carrier: 'dhl' };
			const { before, after, result, failed } = await onNew(kind, 'order.fulfill', parameters);
			const isPaidBack = before.paid > 0 && before.refunded >= before.paid;
			if (!failed) {
				expect(result.items).toHaveLength(1);
				expect(before.open).not.toEqual([]);
				expect(isPaidBack).toBe(false);
				expect(after.open).toEqual([]);
				expect(after.fulfillments.at(-1)?.trackingCode).toBe(parameters.trackingNumber);
				return;
			}
			expect(stateOf(after)).toEqual(stateOf(before));
			if (isPaidBack || before.open.length === 0) return;
			expect([await engineKeeps(before.open), result.error?.message]).toEqual([
				true,
				expect.any(String),
			]);
		},
	);

	it.each(ORDER_KINDS)('%s: what is read is what the engine has', async (kind) => {
		const id = await newOrder(kind);
		const order = await orderOf(id);
		const { json } = await run('order.get', { orderId: byId(id) });
		expect(json[0]).toMatchObject({
			id,
			status: statusOf(order.state),
			total: { amount: order.totalWithTax, currency: order.currencyCode },
			line_items: order.lines.map(({ id: line, quantity }) => ({
				line_item_id: `li_${line}`,
				quantity,
			})),
		});
		expect(Object.values(json[0])).toContain(order.code);
	});
});

it.each(ORDER_KINDS)(
	'%s: the whole refund leaves nothing, or the engine refunds nothing either',
	async (kind) => {
		const { before, after, result, failed } = await onNew(kind, 'order.refund', {
			extent: 'platform',
		});
		if (!failed) {
			expect([after.refunded, result.items.length]).toEqual([before.paid, 1]);
			expect(after.refunded).toBeGreaterThan(before.refunded);
			return;
		}
		expect(stateOf(after)).toEqual(stateOf(before));
		const left = before.paid - before.refunded;
		if (left === 0) return;
		const [payment] = before.payments;
		const input = { paymentId: payment.id, amount: left, lines: [], shipping: 0, adjustment: 0 };
		expect(await engineRefuses('refundOrder', 'RefundOrderInput', input)).toBe(true);
	},
);

it.each(ORDER_KINDS)(
	'%s: an amount is refunded to the cent, or the engine refunds nothing either',
	async (kind) => {
		const { before, after, failed } = await onNew(kind, 'order.refund', {
			extent: 'amount',
			amount: '1.23',
			reason: 'Late',
		});
		const [payment] = before.payments;
		if (!failed) expect(after.refunded).toBe(before.refunded + 123);
		else expect(stateOf(after)).toEqual(stateOf(before));
		if (!failed || payment === undefined) return;
		const input = { paymentId: payment.id, amount: 123, lines: [], shipping: 0, adjustment: 0 };
		expect(await engineRefuses('refundOrder', 'RefundOrderInput', input)).toBe(true);
	},
);

it.each(ORDER_KINDS)('%s: it is cancelled, or the engine cancels nothing either', async (kind) => {
	const { before, after, failed } = await onNew(kind, 'order.cancel', {});
	if (!failed) return expect(after.state).toBe('Cancelled');
	expect(stateOf(after)).toEqual(stateOf(before));
	if (before.state === 'Cancelled') return;
	expect(await engineRefuses('cancelOrder', 'CancelOrderInput', { orderId: before.id })).toBe(true);
});

describe.each(ORDER_KINDS)('%s', (kind) => {
	let id: string;
	beforeAll(async () => {
		id = await newOrder(kind);
	});

	it('has a note that is written, and nothing else changes', async () => {
		const before = await orderOf(id);
		const note = `Gift wrap, “${kind}”`;
		await run('order.update', { orderId: byId(id), updateFields: { merchant_note: note } });
		const after = await orderOf(id);
		expect(after).toEqual({ ...before, customFields: { merchantNote: note } });
	});

	it('is found by the number that the engine gave it, with and without #', async () => {
		const { code } = await orderOf(id);
		for (const number of [code, `#${code}`]) {
			const { json, error } = await run('order.get', { orderId: byMode('number', number) });
			expect([error?.message, json[0]?.id]).toEqual([undefined, id]);
		}
	});

	it('offers only lines that have something open, by SKU', async () => {
		const { open } = await orderOf(id);
		const parameters = { orderId: byId(id) };
		const offered = await search(access, 'searchOpenItems', { parameters }).catch(() => ({
			results: [],
		}));
		expect(offered.results.map(({ value }) => value)).toEqual(
			open.map(({ orderLineId }) => `li_${orderLineId}`),
		);
		for (const { name } of offered.results) expect(name).toMatch(/[A-Z-]{2,3}-1\d{3}/);
	});
});
