import { readFileSync } from 'node:fs';

import type { Locator } from 'playwright-core';

import { until } from '../../../platform/support/until';
import type { N8nClient } from '../../support/n8n/client';
import { NodeCreator } from '../install/nodeCreator';
import type { Editor } from './editor';
import { Panel } from './panel';

/** The mouse moves in steps, as n8n's drag and drop needs it. */
const DRAG_STEPS = 12;
const RUN_MS = 60_000;
const NODE = 'Commerce Platform';

/**
 * A user's hand in n8n's editor, which counts: every press of a mouse button that the browser sees, and every character
 * that is typed.
 */
export class Hand {
	clicks = 0;
	keys = 0;
	readonly panel: Panel;
	private readonly creator: NodeCreator;

	private constructor(
		readonly editor: Editor,
		private readonly client: N8nClient,
	) {
		this.panel = new Panel(editor.page);
		this.creator = new NodeCreator(editor);
	}

	/** Begins to count in all pages that are opened from now on. */
	static async of(editor: Editor, client: N8nClient): Promise<Hand> {
		const hand = new Hand(editor, client);
		await editor.page.exposeBinding('handPressed', () => void (hand.clicks += 1));
		await editor.page.addInitScript(() => {
			// n8n explains drag and drop only once.
			localStorage.setItem('N8N_MAPPING_ONBOARDED', 'true');
			addEventListener(
				'pointerdown',
				({ isTrusted }) => {
					if (isTrusted) (globalThis as unknown as { handPressed(): void }).handPressed();
				},
				true,
			);
		});
		return hand;
	}

	/** Forgets what was counted. */
	startCounting(): void {
		this.clicks = 0;
		this.keys = 0;
	}

	/** A new workflow that begins with this trigger of n8n. */
	async beginWith(words: string, trigger: string): Promise<void> {
		await this.creator.openOnNewWorkflow();
		await this.search(words);
		await this.click(this.offered(trigger));
	}

	/** A new workflow that begins with one of this package's triggers, e.g. `On order paid`. */
	async beginWithEvent(words: string, event: string): Promise<void> {
		await this.creator.openOnNewWorkflow();
		await this.search(words);
		await this.creator.openNode(NODE);
		await this.creator.add(event);
	}

	/** Adds one of n8n's nodes behind the selected one, whose list the key N opens. Its panel opens. */
	async addNodeByKey(words: string, name: string): Promise<void> {
		const { page } = this.editor;
		this.keys += 1;
		await page.keyboard.press('n');
		await page.getByTestId('node-creator-search-bar').waitFor();
		await this.editor.settle();
		await this.addFound(words, name);
	}

	/** Adds one of n8n's nodes behind the last one. Its panel opens. */
	async addNode(words: string, name: string, action?: string): Promise<void> {
		await this.openCreator();
		await this.addFound(words, name, action);
	}

	private async addFound(words: string, name: string, action?: string): Promise<void> {
		await this.search(words);
		await this.click(this.offered(name));
		if (action !== undefined) await this.click(this.offered(action));
		await this.modals.getByTestId('ndv').waitFor();
		await this.editor.settle();
	}

	/** Adds this package's node behind the last one, by one of its actions. */
	async addAction(words: string, action: string): Promise<void> {
		await this.openCreator();
		await this.search(words);
		await this.creator.openNode(NODE);
		await this.creator.add(action);
	}

	async click(target: Locator): Promise<void> {
		await target.click();
		await this.editor.settle();
	}

	/** Types where the cursor is. */
	async type(text: string): Promise<void> {
		this.keys += text.length;
		await this.editor.page.keyboard.insertText(text);
		await this.editor.settle();
	}

	/** Clicks into a field, and types over what it holds. */
	async enter(name: string, text: string, nth = 0): Promise<void> {
		const field = this.field(name, nth).locator('input, textarea').first();
		await this.click(field);
		await field.selectText();
		await this.type(text);
	}

	/** Switches a field to an expression, and types it. */
	async express(name: string, expression: string): Promise<void> {
		const field = this.field(name);
		await field.hover();
		const options = this.modals.getByTestId(`${name}-parameter-input-options-container`);
		await this.click(options.getByTestId('radio-button-expression'));
		await this.rewrite(name, expression);
	}

	/** Types over the expression of a field. */
	async rewrite(name: string, expression: string): Promise<void> {
		await this.click(this.field(name).locator('.cm-content').first());
		await this.editor.page.keyboard.press('ControlOrMeta+a');
		await this.type(expression);
		await this.clickBeside();
	}

	/** Downloads the file in the output. @returns its text */
	async download(): Promise<string> {
		const { page } = this.editor;
		const [file] = await Promise.all([
			page.waitForEvent('download'),
			this.click(this.modals.getByRole('button', { name: 'Download' })),
		]);
		return readFileSync(await file.path(), 'utf8');
	}

	/** Chooses how a record is named, e.g. by its number. */
	async chooseMode(name: string, mode: string): Promise<void> {
		await this.click(this.locator(name).getByTestId('rlc-mode-selector'));
		await this.pick(mode);
	}

	/** Lets the node go on after an item that fails. */
	async continueOnError(): Promise<void> {
		await this.click(this.modals.getByTestId('tab-settings'));
		await this.click(this.modals.getByTestId('parameter-input-onError'));
		await this.pick('Continue');
	}

	/** Clicks an entry of the list that is open. */
	async pick(choice: string): Promise<void> {
		const { page } = this.editor;
		await this.click(
			page
				.locator('.el-select-dropdown__item:visible')
				.filter({ has: page.getByText(choice, { exact: true }) })
				.first(),
		);
	}

	/** Chooses an entry of the `nth` locator of this name From List. */
	async chooseFromList(name: string, entry: string, nth = 0): Promise<void> {
		const { page } = this.editor;
		await this.click(this.locator(name, nth).getByTestId('rlc-input'));
		const found = page.getByTestId('rlc-item').filter({ visible: true, hasText: entry });
		await this.click(found.first());
	}

	/** Drags a field of the input onto a field of the panel. @param path e.g. `total.decimal` */
	async drag(path: string, target: Locator | string): Promise<void> {
		const { page } = this.editor;
		const pill = this.modals
			.locator(`[data-target="mappable"][data-path=".${path}"]`)
			.filter({ visible: true })
			.first();
		await pill.scrollIntoViewIfNeeded();
		const onto =
			typeof target === 'string' ? this.locator(target).or(this.field(target)).first() : target;
		await onto.scrollIntoViewIfNeeded();
		const [from, to] = [await pill.boundingBox(), await onto.boundingBox()];
		if (from === null || to === null) throw new Error(`Nothing to drag: ${path}`);
		await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await page.mouse.down();
		await page.mouse.move(to.x + to.width / 3, to.y + to.height / 2, { steps: DRAG_STEPS });
		await page.mouse.up();
		await this.editor.settle();
	}

	/** Clicks beside the fields, which closes what a field shows over those below it. */
	async clickBeside(): Promise<void> {
		await this.modals.getByTestId('node-parameters').click({ position: { x: 2, y: 2 } });
		await this.editor.settle();
	}

	/** A side of the `nth` condition of n8n's Filter. */
	condition(side: 'left' | 'right', nth = 0): Locator {
		const row = this.modals.getByTestId('filter-condition').nth(nth);
		return row.getByTestId(`filter-condition-${side}`);
	}

	async addCondition(): Promise<void> {
		await this.click(this.modals.getByTestId('filter-add-condition'));
	}

	/** Chooses how the first condition compares, e.g. `is greater than` of `Number`. */
	async chooseOperator(operator: string, group: string): Promise<void> {
		const { page } = this.editor;
		await this.click(this.modals.getByTestId('filter-operator-select').first());
		await page.getByText(group, { exact: true }).filter({ visible: true }).last().hover();
		await this.editor.settle();
		await this.click(page.getByText(operator, { exact: true }).filter({ visible: true }).last());
	}

	/** Lets the node run once, however many items come. */
	async executeOnce(): Promise<void> {
		await this.click(this.modals.getByTestId('tab-settings'));
		await this.click(
			this.modals.getByTestId('parameter-input-executeOnce').locator('.el-switch').first(),
		);
	}

	/** Makes a new credential for the open node, which n8n tests. */
	async createCredential(values: Record<string, string>): Promise<void> {
		const { page } = this.editor;
		await this.click(this.modals.getByTestId('node-credentials-select'));
		await this.click(page.getByTestId('node-credentials-select-item-new'));
		const dialog = page.getByTestId('editCredential-modal');
		// n8n saves only after it has chosen a name.
		const name = dialog.getByTestId('credential-name').getByText('account');
		await name.first().waitFor({ state: 'attached' });
		for (const [parameter, value] of Object.entries(values)) {
			await this.click(dialog.getByTestId(`parameter-input-${parameter}`).locator('input'));
			await page.keyboard.press('ControlOrMeta+a');
			await this.type(value);
		}
		await this.click(page.getByTestId('credential-save-button'));
		await dialog.waitFor({ state: 'hidden' });
	}

	/** Leaves the panel: by Escape, or by its button if a field keeps the key for itself. */
	async leave(): Promise<void> {
		this.keys += 1;
		await this.editor.page.keyboard.press('Escape');
		await this.editor.settle();
		const close = this.modals.getByTestId('ndv-close-button');
		if (await close.isVisible()) await this.click(close);
	}

	/** Publishes the workflow by its button, and confirms. */
	async publish(): Promise<void> {
		const { page } = this.editor;
		await this.click(page.getByTestId('workflow-open-publish-modal-button'));
		await this.click(page.getByTestId('workflow-publish-button'));
		await page.getByTestId('activation-modal').waitFor();
	}

	/**
	 * Runs the open node by its button.
	 *
	 * @throws Error if the run fails
	 */
	async execute(): Promise<void> {
		await this.runs(async () => await this.click(this.modals.getByTestId('node-execute-button')));
	}

	/** Runs the whole workflow by its button. */
	async executeWorkflow(): Promise<void> {
		const button = this.editor.page.getByTestId('execute-workflow-button').first();
		await this.runs(async () => await this.click(button));
	}

	/** Lets the open trigger listen while something happens in the shop. */
	async listen(happens: () => Promise<unknown>): Promise<void> {
		await this.runs(async () => {
			await this.click(this.modals.getByTestId('node-execute-button'));
			await this.modals.getByText('Listening for test event').first().waitFor();
			await happens();
		});
	}

	/** Does something that starts a run from the editor, and waits until that has ended. */
	private async runs(act: () => Promise<void>): Promise<void> {
		const newest = async () =>
			(await this.client.executions()).find(({ mode }) => mode === 'manual')?.id;
		const before = await newest();
		await act();
		const id = await until('a run from the editor', RUN_MS, async () => {
			const now = await newest();
			return now === before ? undefined : now;
		});
		const { status } = await this.client.finishedExecution(id);
		if (status !== 'success') throw new Error(await this.modals.innerText());
		await this.editor.settle();
	}

	/** The ID of the open workflow. */
	get workflowId(): string {
		return /\/workflow\/([^/?]+)/.exec(this.editor.page.url())?.[1] ?? '';
	}

	/** A parameter of the open panel. */
	field(name: string, nth = 0): Locator {
		return this.modals.getByTestId(`parameter-input-${name}`).nth(nth);
	}

	/** A parameter that names a record. */
	locator(name: string, nth = 0): Locator {
		return this.modals.getByTestId(`resource-locator-${name}`).nth(nth);
	}

	/** The open panel. */
	get modals(): Locator {
		return this.editor.page.locator('#app-modals');
	}

	private async openCreator(): Promise<void> {
		// Shows the whole workflow.
		await this.editor.page.keyboard.press('1');
		this.keys += 1;
		await this.editor.settle();
		await this.creator.openBehindLastNode();
		await this.editor.settle();
	}

	/** The search has the focus. */
	private async search(words: string): Promise<void> {
		await this.type(words);
	}

	private offered(name: string): Locator {
		return this.editor.page
			.getByTestId('node-creator-item-name')
			.getByText(name, { exact: true })
			.first();
	}
}
