import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import type { TestEnvironment } from '../../../support/environment/testEnvironment';
import { importExample, runImported } from '../../../support/n8n/exampleRun';
import type { Credential } from '../../../support/n8n/types';
import { using } from '../../../support/n8n/workflows';
import { scriptedModel, type ScriptedModel } from '../../agents/scriptedModel';

const AGENT = 'Order Assistant';

/** The assistant, with a model that follows a script. */
export function assistantRecipe(shop: TestEnvironment): void {
	let model: ScriptedModel;
	let openAi: Credential;
	before(async () => {
		model = await scriptedModel();
		openAi = await shop.client.createCredential('Model', 'openAiApi', {
			apiKey: 'sk-loopback',
			url: model.baseUrl,
		});
	});
	after(async () => await model?.close());

	it('let an agent look an order up and put a note on it, and nothing else', async () => {
		const { control } = shop.platform;
		const { order } = await control.payOrder();
		const id = await importExample(shop, 'order-assistant.json', (workflow) => ({
			...workflow,
			nodes: workflow.nodes.map((node) =>
				node.name === 'Model' ? { ...node, credentials: using(openAi) } : node,
			),
		}));
		model.play([
			{ call: 'Get_order_by_number', with: { Order_Number: order.number } },
			{ call: 'Get_order', with: { Order: order.id } },
			{ call: 'Write_note', with: { Order: order.id, Merchant_Note: 'A gift' } },
			{ say: 'The note is written.' },
		]);
		const { outputs } = await runImported(shop, id, {
			trigger: 'Chat',
			given: { sessionId: 'test', action: 'sendMessage', chatInput: 'It is a gift.' },
		});
		assert.equal(outputs(AGENT)[0][0].output, 'The note is written.');
		assert.deepEqual(
			model
				.tools()
				.map(({ name }) => name)
				.sort(),
			['Get_order', 'Get_order_by_number', 'List_orders', 'Write_note'],
		);
		for (const result of model.toolResults().slice(0, 2)) {
			assert.match(result, new RegExp(String(order.id)));
			assert.match(result, /"decimal":[\d.]+/);
		}
		assert.match(model.instructions(), /'decimal'/);
		// Without the date, it does not know what “today” is.
		assert.match(model.instructions(), /It is \d{4}-\d\d-\d\dT/);
		assert.equal((await control.record('orders', String(order.id)))?.merchant_note, 'A gift');
	});
}
