import assert from 'node:assert/strict';
import { before, it } from 'node:test';

import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { changesTrigger, chain, noOperation } from '../../support/n8n/workflows';
import type { Editor } from './editor';
import type { Panel } from './panel';

/** The changes trigger's panel. */
export function changesTriggerPanel(shop: TestEnvironment, opened: () => Editor): void {
	let editor: Editor;

	before(() => {
		editor = opened();
	});

	/** Opens the panel of a new changes trigger of orders. */
	async function openTrigger(credential = shop.credential) {
		const options = { overlap: 120 };
		const { id } = await shop.client.createWorkflow(
			chain('Changes', credential, [
				changesTrigger('Changed Orders', { watch: 'order', options }),
				noOperation('Done'),
			]),
		);
		await editor.openWorkflow(id);
		return { id, panel: await editor.openNode('Changed Orders') };
	}

	/** Runs the trigger by its button. @returns its output, as soon as the output contains the words */
	async function outputWith({ root }: Panel, words: string): Promise<string> {
		await root.getByTestId('node-execute-button').click();
		const output = root.getByTestId('output-panel');
		await output.getByText(words).first().waitFor();
		await editor.settle();
		return await output.innerText();
	}

	it('says how often to poll, and offers each thing to watch by its name', async () => {
		const { panel } = await openTrigger();
		assert.match(await panel.root.innerText(), /Poll every 5 to 15 minutes/);
		const names = await panel.choices('watch');
		assert.deepEqual(names, ['Customer', 'Event Stream', 'Inventory', 'Order', 'Product']);
	});

	it('shows the newest orders as a sample', async () => {
		const { panel } = await openTrigger();
		assert.match(await outputWith(panel, '5 items'), /updated_at/);
	});

	it('shows the platform’s refusal in words, with its request ID', async () => {
		const { client, platform } = shop;
		const { apiKey } = await platform.control.createKey({ scopes: ['products.read'] });
		const { id, panel } = await openTrigger(
			await client.createShopCredential('No Orders', { ...platform, apiKey }),
		);
		assert.match(await outputWith(panel, 'orders.read'), /Request ID/);
		await assert.rejects(client.activate(id), /The API key is not allowed to do this/);
	});
}
