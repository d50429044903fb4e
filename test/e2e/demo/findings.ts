import { minorToMajor } from '../../../nodes/shared/values/money';
import type { Counters } from '../../../platform';
import type { Order } from '../../../platform/shop/order';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import type { PaidOrder } from './order-paid';

/** Checks on the platform, not in n8n, whether everything happened to the demo's order. */
export async function findings({ platform }: TestEnvironment, paid: PaidOrder) {
	const endpoints = await platform.control.endpoints();
	const deliveries = await platform.control.deliveries();
	const counters = await platform.control.counters();
	const order = await platform.control.record('orders', paid.orderId);
	const backOffice = await fetch(platform.controlUrl);
	const note = String(order?.merchant_note ?? 'none');
	return [
		exactly('endpoints registered', 1, endpoints.length),
		exactly('deliveries sent', 1, deliveries.length),
		exactly('attempts needed', 1, paid.delivery.attempts.length),
		exactly('state of the delivery', 'delivered', deliveries[0]?.state ?? 'none'),
		exactly('outcome of the execution', 'success', paid.execution.status),
		exactly('orders read by n8n', 2, answered(counters, 'GET', '/orders/{id}')),
		exactly('orders written by n8n', 1, answered(counters, 'PATCH', '/orders/{id}')),
		exactly('merchant note', noteOf(order, paid.execution), note),
		exactly('answer of the back office', 200, backOffice.status),
		exactly('answers that stray from the API document', 0, counters.contractViolations),
	];
}

/** The note that the workflow writes: number, customer and amount. */
function noteOf(order: object | null, { id }: PaidOrder['execution']): string {
	const { number, shipping_address: to, total } = order as Order;
	const paid = `${minorToMajor(total.amount, total.currency)} ${total.currency}`;
	return `Order ${number}, ${to.name}: ${paid} paid (n8n execution ${id})`;
}

/** A fact that must be so, with the value that was found. */
const exactly = (what: string, wanted: string | number, seen: string | number) => ({
	what,
	seen,
	holds: seen === wanted,
});

/** Successful answers of the platform to one kind of request. */
export function answered({ byRoute }: Counters, method: string, route: string): number {
	return byRoute
		.filter((entry) => entry.method === method && entry.route === route && entry.status === 200)
		.reduce((sum, { count }) => sum + count, 0);
}
