import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { runExample } from '../../../support/n8n/exampleRun';

/** Recipes about orders. */
export function orderRecipes(shop: () => TestEnvironment): void {
	it('ship every paid order of the last days, and report what the platform refuses', async () => {
		const { control } = shop().platform;
		const { order } = await control.payOrder();
		const refused = await control.payOrder();
		await control.setFaults([
			{ method: 'POST', path: `/orders/${String(refused.order.id)}`, fault: 'status', status: 403 },
		]);
		const { outputs } = await runExample(shop(), 'ship-open-orders.json');
		await control.setFaults([]);
		const sent = (await control.requests()).find(isShipping(order.id));
		const { items } = JSON.parse(sent?.body ?? '{}') as { items: unknown[] };
		const whole = await control.record('orders', String(order.id));
		assert.equal(items.length, (whole?.line_items as unknown[]).length);
		const shipped = outputs('Shipped')[0].map(({ orderId }) => String(orderId));
		assert.ok(shipped.includes(String(order.id)));
		for (const id of shipped) {
			const { status } = (await control.record('orders', id)) ?? {};
			assert.equal(status, 'fulfilled');
		}
		const [[report]] = outputs('Report');
		assert.match(String(report.text), new RegExp(`^${String(refused.order.id)}: .+`));
	});

	it('report the paid orders of a day, counted and summed by currency', async () => {
		const { control } = shop().platform;
		for (const [amount, currency] of [
			[10, 'EUR'],
			[20, 'EUR'],
			[1_234, 'KWD'],
			[500, 'JPY'],
		]) {
			const { order } = await control.createOrder({ total: { amount, currency } });
			await control.payOrder(String(order.id));
		}
		const { outputs } = await runExample(shop(), 'daily-report-paid-orders.json');
		const since = new Date(Date.now() - DAY_MS).toISOString();
		const { records } = await control.list({ kind: 'orders', status: 'paid', limit: 500 });
		const today = records.filter(({ updated_at: at }) => String(at) > since);
		const sums = new Map<string, { count: number; minor: number }>();
		for (const { total } of today) {
			const { amount, currency } = total as { amount: number; currency: string };
			const { count, minor } = sums.get(currency) ?? { count: 0, minor: 0 };
			sums.set(currency, { count: count + 1, minor: minor + amount });
		}
		assert.ok(['EUR', 'JPY', 'KWD'].every((currency) => sums.has(currency)));
		const wanted = [...sums].map(([currency, { count, minor }]) => ({
			currency,
			orders: count,
			total: minor / 10 ** (DECIMALS[currency] ?? 2),
		}));
		const [report] = outputs('Report');
		assert.deepEqual(byCurrency(report), byCurrency(wanted));
	});
}

const isShipping =
	(order: unknown) =>
	({ target }: { target: string }): boolean =>
		target.includes(`/orders/${String(order)}/fulfillments`);

const DAY_MS = 86_400_000;
const DECIMALS: Record<string, number> = { JPY: 0, KWD: 3 };

const byCurrency = (rows: object[]): object[] =>
	rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
