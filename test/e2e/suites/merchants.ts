import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { INode } from 'n8n-workflow';

import { startPlatform } from '../../../platform';
import { apiClient } from '../../../platform/support/apiClient';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { runImported } from '../../support/n8n/exampleRun';
import { chain, manualTrigger, shopNode } from '../../support/n8n/workflows';

const SHOPS = ['north', 'south'];
const ROWS = ['north', 'south', 'north', 'south', 'south'].map((shop, n) => ({
	shop,
	email: `row${n}@${shop}.example`,
}));

/** Rows that go to several merchants through one credential (docs/credential.md). */
const PARTS: Array<Partial<INode>> = [
	manualTrigger('Start'),
	{
		name: 'List',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows: ROWS }), options: {} },
	},
	{
		name: 'Rows',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'rows', options: {} },
	},
	shopNode('Create Customer', {
		...{ resource: 'customer', operation: 'create', specifyFields: 'defineBelow' },
		fields: { field: [{ name: 'email', type: 'string', value: '={{ $json.email }}' }] },
	}),
];

/** Many merchants in one workflow: n8n resolves a credential's expressions for each item. */
export function manyMerchants(shop: TestEnvironment): void {
	it('gives each merchant its own rows, under its own key', async () => {
		const platforms = await Promise.all(
			SHOPS.map(async (name) => await startPlatform({ apiKey: `key-of-${name}`, customers: 0 })),
		);
		try {
			const choose = (values: string[]) =>
				`={{ ${JSON.stringify(Object.fromEntries(SHOPS.map((name, n) => [name, values[n]])))}[$json.shop] }}`;
			const credential = await shop.client.createShopCredential('Merchants', {
				baseUrl: choose(platforms.map(({ baseUrl }) => baseUrl)),
				apiKey: choose(platforms.map(({ apiKey }) => apiKey)),
			});
			const imported = await shop.client.createWorkflow(chain('Many merchants', credential, PARTS));
			const { outputs } = await runImported(shop, imported.id);
			const [created] = outputs('Create Customer');
			assert.deepEqual(
				created.map(({ email }) => email),
				ROWS.map(({ email }) => email),
			);
			for (const [n, platform] of platforms.entries()) {
				const customers = await apiClient(platform).data<Array<{ email: string }>>('/customers');
				assert.deepEqual(
					customers.map(({ email }) => email).sort(),
					ROWS.filter((row) => row.shop === SHOPS[n]).map(({ email }) => email),
				);
			}
		} finally {
			await Promise.all(platforms.map(async (platform) => await platform.close()));
		}
	});
}
