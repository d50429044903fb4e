import { readFile } from 'node:fs/promises';

import { selectors, type Browser, type Page } from 'playwright-core';

import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { launchChromium } from './chromium';
import { Panel, seeSuccess, settle } from './panel';

// n8n marks its elements with this attribute for its own browser tests.
selectors.setTestIdAttribute('data-test-id');

const VIEWPORT = { width: 1440, height: 900 };
/** The time that a loaded machine may need for a step that usually takes a second. */
const PATIENCE_MS = 60_000;

/** n8n's editor in a real browser, as a user sees it. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly url: string,
	) {}

	/**
	 * Starts Chromium and logs in through n8n's own form.
	 *
	 * @param deviceScaleFactor pixels of a picture for each one of the page
	 * @throws UserError if no Chromium is installed
	 */
	static async open(
		{ n8n, owner }: Pick<TestEnvironment, 'n8n' | 'owner'>,
		deviceScaleFactor = 1,
	): Promise<Editor> {
		const browser = await launchChromium();
		const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor });
		page.setDefaultTimeout(PATIENCE_MS);
		await page.goto(`${n8n.url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(owner.email);
		await page.locator('input[name=password]').fill(owner.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(/\/(home|workflow)/);
		return new Editor(browser, page, n8n.url);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Opens one of n8n's pages by its path. */
	async goTo(path: string): Promise<void> {
		await this.page.goto(`${this.url}${path}`);
	}

	/** Opens a workflow on the canvas, and closes n8n's own advice. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		// Canvas nodes are never "visible" to playwright.
		await this.page.getByTestId('canvas-node').first().waitFor({ state: 'attached' });
		await this.dismissAdvice();
	}

	/** Downloads a workflow by the editor's menu. @returns the file's text */
	async download(workflowId: string): Promise<string> {
		await this.openWorkflow(workflowId);
		await this.page.getByTestId('workflow-menu').click();
		const [download] = await Promise.all([
			this.page.waitForEvent('download'),
			this.page.getByTestId('workflow-menu-item-download').click(),
		]);
		return await readFile(await download.path(), 'utf8');
	}

	/** Opens a past execution of a workflow. */
	async openExecution(workflowId: string, executionId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}/executions/${executionId}`);
		await this.page
			.getByTestId('canvas-node-status-success')
			.first()
			.waitFor({ state: 'attached' });
		await this.dismissAdvice();
	}

	/** Runs the open workflow by the button and waits for n8n's notice of success. */
	async execute(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').first().click();
		await seeSuccess(this.page);
	}

	/** Opens the panel of a node of the open workflow, wherever the node is on the canvas. */
	async openNode(name: string): Promise<Panel> {
		const node = this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		await node.getByTestId(/^canvas-\w+-node$/).dispatchEvent('dblclick');
		const panel = new Panel(this.page);
		await panel.root.getByTestId('ndv').waitFor();
		await this.settle();
		return panel;
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.settle();
	}

	/** Opens a credential's dialog, in which n8n tests the credential at once. @returns what the dialog then shows */
	async openCredential(id: string) {
		await this.page.goto(`${this.url}/home/credentials/${id}`);
		const passed = this.page.getByTestId('credentials-config-container-test-success');
		const failed = this.page.getByText('Couldn’t connect with these settings');
		// Both elements always exist; one of them is hidden.
		await passed.or(failed).filter({ visible: true }).waitFor();
		await this.settle();
		const more = this.page.getByText('More details');
		if (await more.isVisible()) await more.click();
		return {
			passed: await passed.isVisible(),
			text: await this.page.getByTestId('node-credentials-config-container').innerText(),
		};
	}

	/** Saves a picture of the browser as PNG. */
	async shoot(file: string): Promise<void> {
		await this.settle();
		await this.page.screenshot({ path: file });
	}

	/** Waits until animations have ended. */
	async settle(): Promise<void> {
		await settle(this.page);
	}

	private async dismissAdvice(): Promise<void> {
		await this.settle();
		const advice = this.page.getByTestId('suggested-actions-close');
		if (await advice.isVisible()) await advice.click();
		await this.settle();
	}
}
