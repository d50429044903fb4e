import type { Locator } from 'playwright-core';

import type { Editor } from '../browser/editor';

/** The credential of the node whose panel is open. */
export class CredentialDialog {
	constructor(private readonly editor: Editor) {}

	/** Makes the first one, and saves it; n8n tests it and closes the dialog where that went well. */
	async create(values: Record<string, string>): Promise<void> {
		const { page } = this.editor;
		await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
		// Before n8n has thought of a name it does not save.
		const name = this.dialog().getByTestId('credential-name').getByText('account');
		await name.first().waitFor({ state: 'attached' });
		for (const [parameter, value] of Object.entries(values)) {
			await this.dialog().getByTestId(`parameter-input-${parameter}`).locator('input').fill(value);
		}
		await page.getByTestId('credential-save-button').click();
		await this.dialog().waitFor({ state: 'hidden' });
	}

	/** Opens the chosen one, which n8n tests at once; gives what it says of a success. */
	async test(): Promise<string> {
		await this.editor.page.getByTestId('credential-edit-button').click();
		const passed = this.dialog().getByTestId('credentials-config-container-test-success');
		await passed.filter({ visible: true }).waitFor();
		const text = await passed.innerText();
		await this.dialog().locator('.el-dialog__headerbtn').click();
		await this.dialog().waitFor({ state: 'hidden' });
		return text;
	}

	private dialog(): Locator {
		return this.editor.page.getByTestId('editCredential-modal');
	}
}
