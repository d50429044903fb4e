import type { Counters } from '../../platform';
import type { Stage } from '../stage';
import type { PaidOrder } from './order-paid';

/** One thing that must have happened, and what was seen. */
export interface Finding {
	claim: string;
	seen: string;
	holds: boolean;
}

/** Looks on the platform, not in n8n, whether the demo's order really went all the way. */
export async function findings({ platform }: Stage, paid: PaidOrder): Promise<Finding[]> {
	const endpoints = await platform.control.endpoints();
	const deliveries = await platform.control.deliveries();
	const counters = await platform.control.counters();
	const order = await platform.control.record('orders', paid.orderId);
	const note = String(order?.merchant_note ?? '');
	const equals = (claim: string, wanted: string | number, seen: string | number): Finding => ({
		claim,
		seen: String(seen),
		holds: seen === wanted,
	});
	return [
		equals('endpoints on the platform: 1', 1, endpoints.length),
		equals('deliveries sent: 1', 1, deliveries.length),
		equals('attempts needed: 1', 1, paid.delivery.attempts.length),
		equals('delivery accepted', 'delivered', deliveries[0]?.state ?? 'none'),
		equals('execution succeeded', 'success', paid.execution.status),
		equals('orders read by n8n: 1', 1, answered(counters, 'GET', '/orders/{id}')),
		equals('orders written by n8n: 1', 1, answered(counters, 'PATCH', '/orders/{id}')),
		{
			claim: 'merchant note names the execution',
			seen: note === '' ? 'no note' : note,
			holds: note.endsWith(`execution ${paid.execution.id}`),
		},
		equals('answers off the API document: 0', 0, counters.contractViolations),
	];
}

/** Successful answers of the platform to one kind of request. */
export function answered({ byRoute }: Counters, method: string, route: string): number {
	return byRoute
		.filter((entry) => entry.method === method && entry.route === route && entry.status === 200)
		.reduce((sum, { count }) => sum + count, 0);
}
