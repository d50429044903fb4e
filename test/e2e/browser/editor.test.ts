import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { importExamples } from '../demo/order-paid';
import { LIST_PRODUCTS_EXAMPLE, ORDER_PAID_EXAMPLE, example } from '../../support/n8n/examples';
import type { Workflow } from '../../support/n8n/types';
import { Progress } from '../../support/progress';
import { environmentOfSuite } from '../environment';
import { changesTriggerPanel } from './changesTrigger';
import { Editor } from './editor';
import { walkProduct } from './product';

const PRODUCTS = 40;

describe("this package in n8n's editor, in a real browser", () => {
	const environment = environmentOfSuite({ platform: { products: PRODUCTS, orders: 20 } });
	let editor: Editor;
	let workflows: Map<string, Workflow>;

	before(async () => {
		workflows = await importExamples(environment, Progress.silent());
		editor = await Editor.open(environment);
	});
	after(async () => await editor?.close());

	it('tests a right credential as soon as its dialog opens, and says so in green', async () => {
		const { passed, text } = await editor.openCredential(environment.credential.id);
		assert.ok(passed, text);
		assert.match(text, /Connection tested successfully/);
	});

	it("leads through a product's life by mouse and keyboard: made, found, renamed, deleted", async () => {
		await walkProduct(environment, editor);
	});

	it('says in the dialog of a credential with a wrong key that the key is refused', async () => {
		const { client, platform } = environment;
		const wrong = await client.createShopCredential('Wrong', { ...platform, apiKey: 'wrong' });
		const { passed, text } = await editor.openCredential(wrong.id);
		assert.equal(passed, false);
		assert.match(text, /The API key was refused/);
	});

	it('shows every resource and operation in the panel of the node', async () => {
		// It has its own workflow, since the editor saves what is chosen here.
		const file = await example(LIST_PRODUCTS_EXAMPLE, environment.credential);
		const { id } = await environment.client.createWorkflow(file);
		await editor.openWorkflow(id);
		const panel = await editor.openNode('Get Many Products');
		for (const { name: resource, operations } of resources) {
			await panel.choose('resource', resource);
			const shown = await panel.choices('operation');
			const wanted = operations.map(({ option }) => option.name);
			assert.deepEqual(shown.sort(), [...wanted, 'Custom API Call'].sort(), resource);
		}
	});

	it('runs a workflow by its button and shows the items in the panel', async () => {
		await editor.openWorkflow(workflows.get(LIST_PRODUCTS_EXAMPLE)!.id);
		await editor.execute();
		const panel = await editor.openNode('Get Many Products');
		await panel.root.getByTestId('output-panel').getByText(`${PRODUCTS} items`).waitFor();
	});

	it('shows the events and the webhook addresses in the panel of the trigger', async () => {
		await editor.openWorkflow(workflows.get(ORDER_PAID_EXAMPLE)!.id);
		const panel = await editor.openNode('Order Paid');
		await panel.root.getByText('Webhook URLs').first().waitFor();
		assert.ok((await panel.choices('events')).includes('Order Paid'));
	});

	describe('the changes trigger', () => changesTriggerPanel(environment, () => editor));
});
