import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import {
	CREDENTIAL_TYPE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import type { Workflow } from '../../support/n8n/types';
import { changesTrigger, chain, noOperation } from '../../support/n8n/workflows';
import { Progress } from '../../support/progress';
import { temporaryFolder } from '../../support/temporaryFolder';
import { Editor } from './editor';

/** Names a folder for the pictures; without it they go to a temporary one. */
const PICTURES = process.env.COMMERCE_PLATFORM_PICTURES ?? temporaryFolder('pictures');
const PATIENCE_MS = 60_000;

describe("the changes trigger in n8n's editor, in a real browser", () => {
	let environment: TestEnvironment;
	let editor: Editor;
	let workflow: Workflow;

	before(async () => {
		mkdirSync(PICTURES, { recursive: true });
		environment = await startTestEnvironment(Progress.silent(), { platform: { orders: 20 } });
		const { client, credential } = environment;
		workflow = await client.createWorkflow(
			chain('Changes', credential, [
				changesTrigger('Changed Orders', {
					watch: 'order',
					options: { overlap: 120, addChangeKey: true },
				}),
				noOperation('Done'),
			]),
		);
		editor = await Editor.open(environment);
	});
	after(async () => {
		await editor?.close();
		await environment?.close();
	});

	const shoot = async (name: string) => await editor.shoot(join(PICTURES, `${name}.png`));

	it('says how often to poll', async () => {
		await editor.openWorkflow(workflow.id);
		const panel = await editor.openNode('Changed Orders');
		await shoot('changes-trigger');
		const text = await panel.innerText();
		assert.match(text, /Poll every 5 to 15 minutes/);
		assert.match(text, /Watch/);
	});

	it('shows the newest orders as a sample', async () => {
		const { page } = editor;
		await page.locator('#app-modals').getByTestId('node-execute-button').click();
		const output = page.locator('#app-modals').getByTestId('output-panel');
		await output.getByText('5 items').waitFor({ timeout: PATIENCE_MS });
		await shoot('changes-trigger-sample');
		assert.match(await output.innerText(), /changeKey/);
		await editor.closeNode();
	});

	it('offers each thing to watch by its name', async () => {
		await editor.openNode('Changed Orders');
		const names = await editor.choices('watch');
		await shoot('changes-trigger-watch');
		assert.deepEqual(names, ['Customer', 'Event Stream', 'Inventory', 'Order', 'Product']);
		await editor.closeChoices();
		await editor.closeNode();
	});

	it('shows the platform’s refusal in words, with its request ID', async () => {
		const { client, platform } = environment;
		const { apiKey } = await platform.control.createKey({ scopes: ['products.read'] });
		const narrow = await client.createCredential('No Orders', CREDENTIAL_TYPE, {
			baseUrl: platform.baseUrl,
			apiKey,
		});
		const refused = await client.createWorkflow(
			chain('Refused', narrow, [
				changesTrigger('Changed Orders', { watch: 'order', options: {} }),
				noOperation('Done'),
			]),
		);
		await editor.openWorkflow(refused.id);
		await editor.openNode('Changed Orders');
		const { page } = editor;
		await page.locator('#app-modals').getByTestId('node-execute-button').click();
		const output = page.locator('#app-modals').getByTestId('output-panel');
		await output.getByText('orders.read').first().waitFor({ timeout: PATIENCE_MS });
		await shoot('changes-trigger-error');
		assert.match(await output.innerText(), /Request ID/);
		await assert.rejects(client.activate(refused.id), /The API key is not allowed to do this/);
	});
});
