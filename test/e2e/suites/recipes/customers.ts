import assert from 'node:assert/strict';
import { it } from 'node:test';

import { apiClient } from '../../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { importExample, runExample, runPublished } from '../../../support/n8n/exampleRun';

/** Recipes about customers. */
export function customerRecipes(shop: TestEnvironment): void {
	it('find customers by e-mail and update them, and name the addresses that nobody has', async () => {
		const { platform } = shop;
		const { id } = await apiClient(platform).data<{ id: string }>('/customers', {
			method: 'POST',
			body: { email: 'ada@example.com', first_name: 'Ada' },
		});
		const { outputs } = await runExample(shop, 'customer-by-email.json');
		assert.deepEqual(outputs('Updated')[0], [{ email: 'ada@example.com', customerId: id }]);
		const record = await platform.control.record('customers', id);
		assert.deepEqual([record?.phone, record?.first_name], ['+49 30 1234567', 'Ada']);
		const [[missing]] = outputs('Not Updated');
		assert.equal(missing.email, '"nobody@example.com"');
		assert.equal(missing.row, 2);
		assert.match(String(missing.reason), /nobody@example\.com/);
	});

	it('honour the deletion of a customer', async () => {
		const { control } = shop.platform;
		const id = await importExample(shop, 'customer-deletion.json');
		const { outputs } = await runPublished(
			shop,
			id,
			async () => await control.emit('customer.deleted', { id: 'cust_gone' }),
		);
		const [[deletion]] = outputs('Delete Your Copies Here');
		assert.equal(deletion.customerId, 'cust_gone');
		assert.equal(deletion.event, 'customer.deleted');
		assert.match(String(deletion.deliveryId), /\S/);
	});
}
