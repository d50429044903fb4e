import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { Editor } from './editor';
import { walkProduct, type Walk } from './productWalk';

describe("a product's life in n8n's editor, by mouse and keyboard", () => {
	let environment: TestEnvironment;
	let editor: Editor;
	let walk: Walk;

	before(async () => {
		environment = await startTestEnvironment(Progress.silent(), { platform: { products: 40 } });
		editor = await Editor.open(environment);
		walk = await walkProduct(environment, editor, async () => {});
	});
	after(async () => {
		await editor?.close();
		await environment?.close();
	});

	it('is created with two variants and three prices, exact to the minor unit', () => {
		assert.deepEqual(walk.created.variants, [
			{
				sku: 'BOOT-40',
				title: 'Size 40',
				prices: [
					{ amount: 8990, currency: 'EUR' },
					{ amount: 14500, currency: 'JPY' },
				],
			},
			{ sku: 'BOOT-41', title: 'Size 41', prices: [{ amount: 9250, currency: 'EUR' }] },
		]);
	});

	it('is found in the list by a word of its title', () => {
		assert.match(walk.label, /^Walking boots · draft · prod_/);
	});

	it('gets another title, and nothing else changes', () => {
		const { title, updated_at } = walk.updated;
		assert.equal(title, 'Hiking boots');
		assert.deepEqual(walk.updated, { ...walk.created, title, updated_at });
	});

	it('is deleted', () => {
		assert.match(walk.deletion, /deleted[\s\S]*true/);
		assert.equal(walk.statusAfterwards, 404);
	});
});
