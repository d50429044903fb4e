import type { Editor } from '../browser/editor';

/**
 * Creates the first credential of the node with the open panel, and saves it. n8n tests it and closes the dialog if the
 * test succeeds.
 */
export async function createCredential(
	{ page }: Editor,
	values: Record<string, string>,
): Promise<void> {
	await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
	const dialog = page.getByTestId('editCredential-modal');
	// n8n saves only after it has chosen a name.
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
