import type { Editor } from '../browser/editor';

/** Publishes the open workflow. @returns n8n's notice, with the trigger's message about its activation */
export async function publish({ page }: Editor): Promise<string> {
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const notice = page.getByTestId('activation-modal');
	await notice.waitFor();
	const text = await notice.innerText();
	await notice.locator('.el-dialog__headerbtn').click();
	await notice.waitFor({ state: 'hidden' });
	return text;
}

/** Unpublishes the open workflow. */
export async function unpublish({ page }: Editor): Promise<void> {
	await page.getByTestId('radio-button-workflow').click();
	await page.getByTestId('version-menu-button').click();
	await page.getByTestId('version-menu-item-unpublish').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Unpublish', exact: true }).click();
	await page.getByTestId('workflow-active-version-indicator').waitFor({ state: 'hidden' });
}

/** Opens the list of executions, and waits until it shows this one as succeeded. */
export async function seeExecution({ page }: Editor, id: string): Promise<void> {
	await page.getByTestId('radio-button-executions').click();
	await page.getByTestId(`execution-details-${id}`).filter({ hasText: 'Succeeded' }).waitFor();
}
