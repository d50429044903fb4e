import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { EXPRESSION_ENGINE, environmentOfSuite } from '../environment';
import { toolSchemas } from '../../docs/agentTools';
import type { Workflow } from '../../support/n8n/types';
import { strayed } from '../../support/strayed';
import { AGENT, agentWorkflow } from './agentWorkflow';
import { scriptedModel, type ScriptedModel, type Turn } from './scriptedModel';

const DONE: Turn = { say: 'Done.' };

describe("the node as a tool of n8n's AI Agent", () => {
	const environment = environmentOfSuite({ n8n: { environment: EXPRESSION_ENGINE } });
	let model: ScriptedModel;
	let workflow: Workflow;
	let orderId: string;

	before(async () => {
		model = await scriptedModel();
		const { client, credential, platform } = environment;
		const openAi = await client.createCredential('Model', 'openAiApi', {
			apiKey: 'sk-loopback',
			url: model.baseUrl,
		});
		workflow = await client.createWorkflow(agentWorkflow(credential, openAi));
		orderId = String((await platform.control.payOrder()).order.id);
	});
	after(async () => await model?.close());

	/** Lets the model act. @returns the tools' answers */
	async function act(...turns: Turn[]): Promise<string[]> {
		const { client, platform } = environment;
		await platform.control.resetCounters();
		model.play([...turns, DONE]);
		const execution = await client.finishedExecution(await client.run(workflow.id, 'Start'));
		const [run] = execution.data.resultData.runData[AGENT];
		assert.equal(execution.status, 'success', JSON.stringify(run?.error));
		assert.equal(run.data?.main[0]?.[0].json.output, 'Done.');
		return model.toolResults();
	}

	const noteOf = async (): Promise<unknown> =>
		(await environment.platform.control.record('orders', orderId))?.merchant_note;

	it('tells the model what each tool does and what it takes, as the documentation shows it', async () => {
		await act();
		const told = model.tools().map(({ name, description, parameters }) => {
			const { type, properties, required } = parameters;
			return { name, description, parameters: { type, properties, required } };
		});
		const byName = (one: { name: string }, other: { name: string }) =>
			one.name < other.name ? -1 : 1;
		assert.deepEqual(told.sort(byName), toolSchemas().sort(byName));
	});

	it('lists orders by the filters that the model chose, a date among them', async () => {
		const [answer] = await act({
			call: 'List_orders',
			with: { Limit: 3, Status: 'paid', Updated_Since: '2020-01-01' },
		});
		assert.match(answer, /ord_/);
		const [request] = await environment.platform.control.requests();
		const query = new URL(request.target, environment.platform.baseUrl).searchParams;
		assert.equal(query.get('status'), 'paid');
		assert.match(query.get('updated_since') ?? '', /^2020-01-01T|^2019-12-31T/);
	});

	it('writes what the model says to the order that it names', async () => {
		const [answer] = await act({
			call: 'Write_note',
			with: { Order: orderId, Merchant_Note: 'Gift wrap' },
		});
		assert.match(answer, /Gift wrap/);
		assert.equal(await noteOf(), 'Gift wrap');
	});

	it('answers an unknown id with what a model can act on, and goes on', async () => {
		const [failed, worked] = await act(
			{ call: 'Write_note', with: { Order: 'ord_unknown', Merchant_Note: 'x' } },
			{ call: 'Write_note', with: { Order: orderId, Merchant_Note: 'Second try' } },
		);
		assert.match(failed, /There is no order ord_unknown \(HTTP 404\)\. Check the ID/);
		assert.match(worked, /Second try/);
	});

	it('refuses a write without an id instead of guessing one', async () => {
		for (const id of ['', ' ', '*', 'all']) {
			const [refused] = await act({
				call: 'Write_note',
				with: { Order: id, Merchant_Note: 'Must not be written' },
			});
			assert.match(refused, /is empty|There is no order/);
		}
		assert.notEqual(await noteOf(), 'Must not be written');
	});

	it('strays from the API document nowhere', async () => {
		assert.deepEqual(await strayed(environment.platform), []);
	});
});
