import type { Editor } from '../browser/editor';

/** npm, slow machines and n8n's questions to registries that do not answer. */
const INSTALLATION_MS = 120_000;

/** Settings → Community nodes. */
export class CommunityNodesPage {
	constructor(private readonly editor: Editor) {}

	async open(): Promise<void> {
		await this.editor.goTo('/settings/community-nodes');
	}

	/** Installs by the dialog; done when the package's card is shown. */
	async install(name: string): Promise<void> {
		const { page } = this.editor;
		await page.getByRole('button', { name: 'Install a community node' }).click();
		await page.locator('input[name=packageNameInput]').fill(name);
		await page.getByTestId('user-agreement-checkbox').click();
		await page.getByTestId('install-community-package-button').click();
		await this.card().waitFor({ timeout: INSTALLATION_MS });
	}

	/** Updates by the button that n8n shows where the registry has a newer version; done when that is installed. */
	async update(version: string): Promise<void> {
		const { page } = this.editor;
		await this.card().getByRole('button', { name: 'Update' }).click();
		await page.getByRole('button', { name: 'Confirm update' }).click();
		await this.card().getByText(`v${version}`).waitFor({ timeout: INSTALLATION_MS });
	}

	/** What the package's card says: name, version, nodes. */
	async text(): Promise<string> {
		return await this.card().innerText();
	}

	private card() {
		return this.editor.page.getByTestId('community-package-card');
	}
}
