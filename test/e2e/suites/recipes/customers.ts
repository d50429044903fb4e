import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { importExample, runExample, runPublished } from '../../../support/n8n/exampleRun';

/** Recipes about customers. */
export function customerRecipes(shop: TestEnvironment): void {
	it('find customers by e-mail and update them, and name the addresses that nobody has', async () => {
		const { control } = shop.platform;
		const email = 'alexa.arendt.1@customer.example';
		const [{ id }] = (await control.list({ kind: 'customers', q: email })).records;
		const { outputs } = await runExample(shop, 'customer-by-email.json');
		assert.deepEqual(outputs('Updated')[0], [{ email, customerId: id }]);
		const record = await control.record('customers', String(id));
		assert.deepEqual([record?.phone, record?.first_name], ['+49 30 1234567', 'Alexa']);
		const [[missing]] = outputs('Not Updated');
		assert.equal(missing.email, '"nobody@customer.example"');
		// The row of the sheet: the first one has the names of the columns.
		assert.equal(missing.row, 3);
		assert.match(String(missing.reason), /nobody@customer\.example/);
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
