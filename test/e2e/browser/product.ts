import assert from 'node:assert/strict';

import { apiClient } from '../../../platform/support/apiClient';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { NodeCreator } from '../install/nodeCreator';
import type { Editor } from './editor';
import { Panel } from './panel';

const VARIANTS = [
	{
		sku: 'BOOT-40',
		title: 'Size 40',
		prices: [
			{ entered: '89.90', amount: 8990, currency: 'EUR' },
			{ entered: '14500', amount: 14500, currency: 'JPY' },
		],
	},
	{
		sku: 'BOOT-41',
		title: 'Size 41',
		prices: [{ entered: '92.50', amount: 9250, currency: 'EUR' }],
	},
];

/**
 * A new user's first product: created, found in the list, renamed, deleted; all by mouse and keyboard, starting from an
 * empty workflow. Asserts that each step did exactly that.
 */
export async function walkProduct({ platform }: TestEnvironment, editor: Editor): Promise<void> {
	const api = apiClient(platform);
	const panel = new Panel(editor.page);
	await chooseAction(editor);
	await fillProduct(panel);
	await panel.execute();
	const [created] = await api.data<Array<Record<string, unknown>>>('/products?q=Walking%20boots');
	assert.deepEqual(
		created.variants,
		VARIANTS.map(({ prices, ...variant }) => ({
			...variant,
			prices: prices.map(({ amount, currency }) => ({ amount, currency })),
		})),
	);

	await panel.choose('operation', 'Update');
	const label = await panel.find('productId', 'walking');
	assert.match(label, /^Walking boots · draft · BOOT-40 \(\+ 1\)/);
	await panel.add('Update Fields', 'Title');
	await panel.fill('title', 'Hiking boots');
	await panel.execute();
	const path = `/products/${String(created.id)}`;
	const { updated_at, ...updated } = await api.data(path);
	assert.deepEqual({ ...updated, updated_at }, { ...created, title: 'Hiking boots', updated_at });

	await panel.choose('operation', 'Delete');
	await panel.find('productId', 'hiking');
	assert.match(await panel.execute(), /deleted[\s\S]*true/);
	assert.equal((await api.send(path)).status, 404);
}

/** An empty workflow, a manual trigger, and the node's action from n8n's own list. */
async function chooseAction(editor: Editor) {
	const creator = new NodeCreator(editor);
	await creator.openOnNewWorkflow();
	await editor.page.getByText('Trigger manually', { exact: true }).click();
	await editor.settle();
	await creator.openBehindLastNode();
	await creator.search('commerce');
	await creator.openNode('Commerce Platform');
	await creator.add('Create product');
}

async function fillProduct(panel: Panel): Promise<void> {
	await panel.fill('title', 'Walking boots');
	await panel.add('Additional Fields', 'Variants');
	let price = 0;
	for (const [index, { sku, title, prices }] of VARIANTS.entries()) {
		await panel.addRow('variants');
		// The product’s own SKU and title come first. Its currency is shown only with a price.
		await panel.fill('sku', sku, index + 1);
		await panel.fill('title', title, index + 1);
		for (const { entered, currency } of prices) {
			await panel.addRow('prices', index);
			await panel.fill('amount', entered, price);
			await panel.fill('currency', currency, price);
			price++;
		}
	}
}
