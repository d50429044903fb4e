import type { Locator } from 'playwright-core';

import type { Editor } from '../browser/editor';

/** n8n's panel from which nodes are added. */
export class NodeCreator {
	constructor(private readonly editor: Editor) {}

	/** Opens it on a new workflow. */
	async openOnNewWorkflow(): Promise<void> {
		await this.editor.goTo('/workflow/new');
		await this.editor.page.getByTestId('canvas-add-button').click();
		await this.items().first().waitFor();
	}

	/** Opens it by the plus after the last node; n8n connects the new node to that one. */
	async openBehindLastNode(): Promise<void> {
		await this.editor.page.getByTestId('canvas-handle-plus').last().click();
		await this.items().first().waitFor();
	}

	/** Names of the nodes that n8n shows for these words. */
	async search(words: string): Promise<string[]> {
		await this.editor.page.getByTestId('node-creator-search-bar').fill(words);
		await this.editor.settle();
		return await this.items().allInnerTexts();
	}

	/** Opens a node's list of triggers and actions. @returns their names */
	async openNode(name: string): Promise<string[]> {
		await this.items().getByText(name, { exact: true }).click();
		await this.editor.page.getByTestId('node-creator-category-item').first().waitFor();
		await this.editor.settle();
		return await this.items().allInnerTexts();
	}

	/** Adds a node by one of its triggers or actions; its panel opens. */
	async add(triggerOrAction: string): Promise<void> {
		await this.items().getByText(triggerOrAction, { exact: true }).click();
		await this.editor.page.locator('#app-modals').getByTestId('ndv').waitFor();
		await this.editor.settle();
	}

	private items(): Locator {
		return this.editor.page.getByTestId('node-creator-item-name');
	}
}
