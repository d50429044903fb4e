import assert from 'node:assert/strict';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { send, signedDelivery } from '../../support/delivery';
import { importExamples, payOneOrder } from '../demo/order-paid';
import { ORDER_PAID_EXAMPLE } from '../../support/n8n/examples';
import { runN8nCommand } from '../../support/n8n/n8n-command';
import type { Workflow } from '../../support/n8n/types';
import { Progress } from '../../support/progress';
import {
	CREDENTIAL_TYPE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { chain, manualTrigger, shopNode } from '../../support/n8n/workflows';
import { byId } from '../../support/parameters';

describe('the API key and the signing secret in a real n8n that logs everything', () => {
	let environment: TestEnvironment;
	let workflow: Workflow;
	let secrets: Record<string, string>;

	before(async () => {
		const progress = Progress.silent();
		environment = await startTestEnvironment(progress, {
			n8n: { environment: { N8N_LOG_LEVEL: 'debug' } },
		});
		const { client, platform } = environment;
		const workflows = await importExamples(environment, progress);
		workflow = workflows.get(ORDER_PAID_EXAMPLE)!;
		const { endpointId } = await payOneOrder(environment, workflows, progress);
		const secret = await platform.control.endpointSecret(endpointId);
		const [{ url }] = await platform.control.endpoints();
		secrets = { 'API key': platform.apiKey, 'signing secret': secret, 'wrong API key': WRONG_KEY };
		await send(signedDelivery({ url, secret: 'forged' }));
		await failingExecutions();
		await client.finishedExecutions(workflow.id, 1);
	});
	after(async () => await environment?.close());

	const WRONG_KEY = 'wrong-key-that-can-be-recognised';

	/** Errors are where secrets leak: an unknown id, and a key that the platform refuses. */
	async function failingExecutions(): Promise<void> {
		const { client, platform, credential } = environment;
		const wrong = await client.createCredential('Wrong', CREDENTIAL_TYPE, {
			baseUrl: platform.baseUrl,
			apiKey: WRONG_KEY,
		});
		for (const used of [credential, wrong]) {
			const failing = await client.createWorkflow(
				chain(`Fails with ${used.name}`, used, [
					manualTrigger('Start'),
					shopNode('Get Order', {
						resource: 'order',
						operation: 'get',
						orderId: byId('ord_unknown'),
					}),
				]),
			);
			const { status } = await client.finishedExecution(await client.run(failing.id, 'Start'));
			assert.equal(status, 'error');
		}
	}

	function assertFree(text: string, place: string): void {
		assert.notEqual(text, '', `${place} is empty`);
		for (const [name, value] of Object.entries(secrets)) {
			assert.ok(!text.includes(value), `the ${name} stands in ${place}`);
		}
	}

	it('stand in no execution', async () => {
		const everything = await environment.client.executions();
		assert.equal(everything.length, 3);
		for (const { id } of everything) {
			const answer = await environment.client.rest.send<object>('GET', `/executions/${id}`);
			assertFree(JSON.stringify(answer), `execution ${id}`);
		}
	});

	it('stand in no line of the log', () => {
		const log = environment.n8n.readLog();
		assert.match(log, /\bdebug\b/);
		assertFree(log, "n8n's log");
	});

	it('stand in no workflow as the editor gets it', async () => {
		const answer = await environment.client.rest.send<object>('GET', `/workflows/${workflow.id}`);
		assertFree(JSON.stringify(answer), 'the workflow');
	});

	it('stand in no workflow as the command line exports it', async () => {
		const folder = join(environment.n8n.userFolder, 'export');
		await mkdir(folder);
		await runN8nCommand(environment.n8n, [
			'export:workflow',
			'--all',
			'--separate',
			'--output',
			folder,
		]);
		const files = await readdir(folder);
		const texts = await Promise.all(
			files.map(async (file) => await readFile(join(folder, file), 'utf8')),
		);
		// What the trigger remembers is part of the export, so the secret would show here.
		assert.ok(texts.some((text) => /"staticData":\s*\{"?[^}]/.test(text)));
		for (const text of texts) assertFree(text, 'an exported workflow');
	});
});
