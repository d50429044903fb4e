import type { Locator } from 'playwright-core';

import type { Editor } from '../browser/editor';

/** Time for npm, for slow machines, and for n8n's questions to registries that do not answer. */
const INSTALLATION_MS = 120_000;

/** The package's card in Settings → Community nodes. */
const cardIn = ({ page }: Editor): Locator => page.getByTestId('community-package-card');

/**
 * Installs by the dialog of Settings → Community nodes.
 *
 * @returns the text of the package's card: name, version, nodes
 */
export async function installPackage(editor: Editor, name: string): Promise<string> {
	const { page } = editor;
	await editor.goTo('/settings/community-nodes');
	await page.getByRole('button', { name: 'Install a community node' }).click();
	await page.locator('input[name=packageNameInput]').fill(name);
	await page.getByTestId('user-agreement-checkbox').click();
	await page.getByTestId('install-community-package-button').click();
	await cardIn(editor).waitFor({ timeout: INSTALLATION_MS });
	return await cardIn(editor).innerText();
}

/** Updates by the button that n8n shows if the registry has a newer version, and waits until that is installed. */
export async function updatePackage(editor: Editor, version: string): Promise<void> {
	await editor.goTo('/settings/community-nodes');
	await cardIn(editor).getByRole('button', { name: 'Update' }).click();
	await editor.page.getByRole('button', { name: 'Confirm update' }).click();
	await cardIn(editor).getByText(`v${version}`).waitFor({ timeout: INSTALLATION_MS });
}
