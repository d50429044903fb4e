import assert from 'node:assert/strict';
import { it } from 'node:test';

import { apiClient } from '../../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { runExample } from '../../../support/n8n/exampleRun';

/** Recipes about orders. */
export function orderRecipes(shop: TestEnvironment): void {
	it('ship every paid order of the last days, and report what the platform refuses', async () => {
		const { control } = shop.platform;
		const { order } = await control.payOrder();
		const refused = await control.payOrder();
		await control.setFaults([
			{ method: 'POST', path: `/orders/${String(refused.order.id)}`, fault: 'status', status: 403 },
		]);
		const { outputs } = await runExample(shop, 'ship-open-orders.json');
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
		assert.match(String(report.text), new RegExp(`^Order ${String(refused.order.number)}: .+`));
	});

	it('report the orders of yesterday that are paid or shipped, counted and summed by currency', async () => {
		const { platform } = shop;
		await platform.control.reset();
		const quietDay = await runExample(shop, 'daily-report-paid-orders.json');
		assert.deepEqual(quietDay.outputs('Report')[0], [{ currency: null, orders: 0, total: 0 }]);
		const on = daysOf(platform);
		const api = apiClient(platform);
		const post = async (path: string) => await api.data(path, { method: 'POST', body: {} });
		const [old] = await on(-3, [320, 'EUR']);
		await platform.control.payOrder(old);
		const [shipped, shippedYen, cancelled, ...paid] = await on(
			-1,
			[20, 'EUR'],
			[500, 'JPY'],
			[40, 'EUR'],
			[10, 'EUR'],
			[1_234, 'KWD'],
		);
		for (const id of [shipped, shippedYen, cancelled, ...paid]) await platform.control.payOrder(id);
		await on(-1, [80, 'USD']);
		const [ofToday] = await on(0, [160, 'EUR']);
		await platform.control.payOrder(ofToday);
		for (const id of [shipped, shippedYen]) await post(`/orders/${id}/fulfillments`);
		await post(`/orders/${cancelled}/cancel`);
		await api.data(`/orders/${old}`, { method: 'PATCH', body: { merchant_note: 'Called' } });
		const { outputs } = await runExample(shop, 'daily-report-paid-orders.json');
		assert.deepEqual(byCurrency(outputs('Report')[0]), [
			{ currency: 'EUR', orders: 2, total: 0.3 },
			{ currency: 'JPY', orders: 1, total: 500 },
			{ currency: 'KWD', orders: 1, total: 1.234 },
		]);
	});
}

const isShipping =
	(order: unknown) =>
	({ target }: { target: string }): boolean =>
		target.includes(`/orders/${String(order)}/fulfillments`);

const DAY_MS = 86_400_000;

/** Places orders some days from now. Days must not decrease. @returns their IDs */
const daysOf =
	({ control }: TestEnvironment['platform']) =>
	async (days: number, ...totals: Array<[number, string]>): Promise<string[]> => {
		await control.configure({ clockOffsetMs: days * DAY_MS });
		const ids: string[] = [];
		for (const [amount, currency] of totals) {
			const { order } = await control.createOrder({ total: { amount, currency } });
			ids.push(String(order.id));
		}
		return ids;
	};

const byCurrency = (rows: object[]): object[] =>
	rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
