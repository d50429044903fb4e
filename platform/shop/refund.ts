import { randomBytes } from 'node:crypto';
import { iso } from './clock';
import { invalid, Refusal } from './refusal';
import type { Shop } from './shop';

/**
 * The API document does not show the bodies of refunds. The amount is in minor units; if absent, everything that is
 * left.
 */
export type RefundRequest = { amount?: number; currency?: string } & Record<string, unknown>;

/**
 * Refunds money of an order.
 *
 * @throws Refusal NOT_FOUND; INVALID_STATE_TRANSITION if nothing was paid; INVALID_PARAMETER for another currency or an
 *   amount above the rest
 */
export function refundOrder(shop: Shop, id: string, request: RefundRequest) {
	const { index, record } = shop.find('orders', id);
	const { payment_summary: payment, total, status } = record;
	if (payment.paid.amount === 0) {
		throw new Refusal('INVALID_STATE_TRANSITION', `Order ${id} is ${status} and was never paid`);
	}
	const { currency } = total;
	if (request.currency !== undefined && request.currency !== currency) {
		throw invalid(`currency must be the order's, ${currency}`);
	}
	const left = payment.paid.amount - payment.refunded.amount;
	const amount = request.amount ?? left;
	if (amount <= 0 || amount > left) throw invalid(`amount must be between 1 and ${left}`);
	const refunded = { amount: payment.refunded.amount + amount, currency };
	const paymentStatus = amount === left ? 'refunded' : 'partially_refunded';
	const order = shop.records.orders.replace(index, (old, at) => ({
		...old,
		payment_summary: { ...payment, status: paymentStatus, refunded },
		updated_at: iso(at),
	}));
	return {
		...request,
		id: `rfd_${randomBytes(8).toString('hex')}`,
		order_id: id,
		amount,
		currency,
		status: 'succeeded',
		created_at: order.updated_at,
	};
}
