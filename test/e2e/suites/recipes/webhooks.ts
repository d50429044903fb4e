import assert from 'node:assert/strict';
import { it } from 'node:test';

import { apiClient } from '../../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { runExample } from '../../../support/n8n/exampleRun';
import type { WorkflowFile } from '../../../support/n8n/types';

const URL = 'https://erp.example/hooks';

/** Recipes about webhook endpoints. */
export function webhookRecipes(shop: TestEnvironment): void {
	it('rotate the secret of an own receiver, and keep it out of the history', async () => {
		const { platform } = shop;
		const make = async (url: string) =>
			await apiClient(platform).data<{ id: string; secret: string }>('/webhooks', {
				method: 'POST',
				body: { url, events: ['order.paid'] },
			});
		const [old, other] = [await make(URL), await make('https://other.example/hooks')];
		let saved: unknown;
		const { outputs } = await runExample(shop, 'rotate-webhook-secret.json', (workflow) => {
			saved = workflow.settings;
			return withHistory(workflow);
		});
		const [[stored]] = outputs('Secret Store');
		const endpoints = await platform.control.endpoints();
		const present = endpoints.find(({ url }) => url === URL);
		assert.deepEqual(stored, {
			endpointId: present?.id,
			secret: await platform.control.endpointSecret(String(present?.id)),
		});
		assert.notEqual(stored.secret, old.secret);
		assert.deepEqual(endpoints.map(({ id }) => id).sort(), [other.id, String(present?.id)].sort());
		assert.deepEqual(saved, {
			executionOrder: 'v1',
			saveDataErrorExecution: 'none',
			saveDataSuccessExecution: 'none',
			saveManualExecutions: false,
		});
	});
}

/** The workflow without its setting that drops executions, so that the test can read them. */
const withHistory = (workflow: WorkflowFile): WorkflowFile => ({
	...workflow,
	settings: { executionOrder: 'v1' },
});
