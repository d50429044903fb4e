import assert from 'node:assert/strict';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, it } from 'node:test';

import { signedDelivery } from '../../../platform/support/delivery';
import { sendOne } from '../../support/load';
import { publishTrigger, type PublishedTrigger } from '../../support/environment/publishedTrigger';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { chain, manualTrigger, shopNode } from '../../support/n8n/workflows';
import { byId } from '../../support/parameters';

const WRONG_KEY = 'wrong-key-that-can-be-recognised';

/** Places where no secret may appear, in an n8n that logs everything and has done much. */
export function secretsStaySecret(environment: TestEnvironment): void {
	let published: PublishedTrigger;
	let secrets: Record<string, string>;

	before(async () => {
		const { client, platform } = environment;
		published = await publishTrigger(environment);
		const { secret } = published.genuine;
		secrets = { 'API key': platform.apiKey, 'signing secret': secret, 'wrong API key': WRONG_KEY };
		await sendOne(signedDelivery({ ...published.genuine, secret: 'forged' }));
		await sendOne(signedDelivery(published.genuine));
		await failingExecutions();
		await client.finishedExecutions(published.workflow.id, 1);
	});

	/** Secrets leak through errors: causes one by an unknown id, and one by a key that the platform refuses. */
	async function failingExecutions(): Promise<void> {
		const { client, platform, credential } = environment;
		const wrong = await client.createShopCredential('Wrong', { ...platform, apiKey: WRONG_KEY });
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
		assert.ok(everything.length > 10);
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

	it('stand in no workflow as the command line exports it', async () => {
		const folder = join(environment.n8n.userFolder, 'export');
		await mkdir(folder);
		await environment.n8n.run('export:workflow', '--all', '--separate', '--output', folder);
		const files = await readdir(folder);
		const texts = await Promise.all(
			files.map(async (file) => await readFile(join(folder, file), 'utf8')),
		);
		// The export includes the trigger's memory, so the secret would show here.
		assert.ok(texts.some((text) => /"staticData":\s*\{"?[^}]/.test(text)));
		for (const text of texts) assertFree(text, 'an exported workflow');
	});
}
