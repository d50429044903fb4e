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
		const shipped = outputs('Shipped')[0].map(({ orderId }) => String(orderId));
		assert.ok(shipped.includes(String(order.id)));
		for (const id of shipped) {
			const { status } = (await control.record('orders', id)) ?? {};
			assert.equal(status, 'fulfilled');
		}
		const [[report]] = outputs('Report');
		assert.match(String(report.text), new RegExp(`^${String(refused.order.id)}: .+`));
	});
}
