import type { Editor } from '../browser/editor';

/**
 * Makes the first credential of the node whose panel is open, and saves it; n8n tests it and closes the dialog where that
 * went well.
 */
export async function createCredential(
	{ page }: Editor,
	values: Record<string, string>,
): Promise<void> {
	await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
	const dialog = page.getByTestId('editCredential-modal');
	// Before n8n has thought of a name it does not save.
	const name = dialog.getByTestId('credential-name').getByText('account');
	await name.first().waitFor({ state: 'attached' });
	for (const [parameter, value] of Object.entries(values)) {
		await dialog.getByTestId(`parameter-input-${parameter}`).locator('input').fill(value);
	}
	await page.getByTestId('credential-save-button').click();
	await dialog.waitFor({ state: 'hidden' });
	const notice = page.getByRole('alert').filter({ hasText: 'successfully created' });
	await notice.locator('.el-notification__closeBtn').click();
	await notice.waitFor({ state: 'hidden' });
}
