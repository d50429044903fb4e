import type { Editor } from '../browser/editor';

/** Publishing the opened workflow, and what comes of it. */
export class Publication {
	constructor(private readonly editor: Editor) {}

	/** Publishes; gives n8n's word of it, which holds what the trigger says of its activation. */
	async publish(): Promise<string> {
		const { page } = this.editor;
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		const notice = page.getByTestId('activation-modal');
		await notice.waitFor();
		const text = await notice.innerText();
		await notice.locator('.el-dialog__headerbtn').click();
		await notice.waitFor({ state: 'hidden' });
		return text;
	}

	async unpublish(): Promise<void> {
		const { page } = this.editor;
		await page.getByTestId('radio-button-workflow').click();
		await page.getByTestId('version-menu-button').click();
		await page.getByTestId('version-menu-item-unpublish').click();
		await page.getByRole('dialog').getByRole('button', { name: 'Unpublish', exact: true }).click();
		await page.getByTestId('workflow-active-version-indicator').waitFor({ state: 'hidden' });
	}

	/** Opens the list of executions, and waits until it shows one by its id as succeeded. */
	async seeExecution(id: string): Promise<void> {
		const { page } = this.editor;
		await page.getByTestId('radio-button-executions').click();
		await page.getByTestId(`execution-details-${id}`).filter({ hasText: 'Succeeded' }).waitFor();
		await this.editor.settle();
	}
}
