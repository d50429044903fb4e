import assert from 'node:assert/strict';
import { it } from 'node:test';

import { startPlatform } from '../../../platform';
import { apiClient } from '../../../platform/support/apiClient';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { runImported } from '../../support/n8n/exampleRun';
import type { WorkflowFile } from '../../support/n8n/types';

const SHOPS = ['north', 'south'];
const ROWS = ['north', 'south', 'north', 'south', 'south'].map((shop, n) => ({
	shop,
	email: `row${n}@${shop}.example`,
}));

/** A workflow whose rows go to several merchants through one credential (docs/credential.md). */
const workflow = (credentialId: string): WorkflowFile => ({
	name: 'Many merchants',
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'list',
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [200, 0],
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows: ROWS }), options: {} },
		},
		{
			id: 'rows',
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [400, 0],
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
		{
			id: 'create',
			name: 'Create Customer',
			type: 'n8n-nodes-commerce-platform.commercePlatform',
			typeVersion: 1,
			position: [600, 0],
			parameters: {
				resource: 'customer',
				operation: 'create',
				specifyFields: 'defineBelow',
				fields: { field: [{ name: 'email', type: 'string', value: '={{ $json.email }}' }] },
			},
			credentials: { commercePlatformApi: { id: credentialId, name: 'Merchants' } },
		},
	],
	connections: {
		Start: { main: [[{ node: 'List', type: 'main', index: 0 }]] },
		List: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
		Rows: { main: [[{ node: 'Create Customer', type: 'main', index: 0 }]] },
	},
});

/** Many merchants in one workflow: n8n resolves a credential's expressions for each item. */
export function manyMerchants(shop: TestEnvironment): void {
	it('gives each merchant its own rows, under its own key', async () => {
		const platforms = await Promise.all(
			SHOPS.map(async (name) => await startPlatform({ apiKey: `key-of-${name}`, customers: 0 })),
		);
		try {
			const choose = (values: string[]) =>
				`={{ ${JSON.stringify(Object.fromEntries(SHOPS.map((name, n) => [name, values[n]])))}[$json.shop] }}`;
			const { id } = await shop.client.createShopCredential('Merchants', {
				baseUrl: choose(platforms.map(({ baseUrl }) => baseUrl)),
				apiKey: choose(platforms.map(({ apiKey }) => apiKey)),
			});
			const imported = await shop.client.createWorkflow(workflow(id));
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
