import type { Locator, Page } from 'playwright-core';

/** n8n's editor animates panels and lists; an earlier picture is blurred. */
const ANIMATION_MS = 600;

/** Waits until animations have ended. */
export async function settle(page: Page): Promise<void> {
	await page.waitForTimeout(ANIMATION_MS);
}

/**
 * Waits for n8n's notice of a run, and closes it.
 *
 * @throws Error with the notice's text if the run failed
 */
export async function seeSuccess(page: Page): Promise<void> {
	// Hints in the output panel are alerts as well.
	const notice = page.locator('.el-notification').first();
	await notice.waitFor();
	const text = await notice.innerText();
	// n8n says “Workflow” if the run included the trigger.
	if (!/(Node|Workflow) executed successfully/.test(text)) throw new Error(text);
	await notice.locator('.el-notification__closeBtn').click();
	await settle(page);
}

/** The panel of a node: its parameters, its button and its output. */
export class Panel {
	readonly root: Locator;
	/** The user's actions here: choices, entries, clicks on buttons. */
	steps = 0;

	constructor(private readonly page: Page) {
		this.root = page.locator('#app-modals');
	}

	/** Fills a parameter. `nth` distinguishes parameters of the same name, from 0 in the order of the panel. */
	async fill(name: string, value: string, nth = 0): Promise<void> {
		this.steps++;
		const parameter = this.root.getByTestId(`parameter-input-${name}`).nth(nth);
		await parameter.locator('input, textarea, [contenteditable="true"]').first().fill(value);
		await this.settle();
	}

	async choose(name: string, choice: string): Promise<void> {
		this.steps++;
		await this.root.getByTestId(`parameter-input-${name}`).first().click();
		await this.pick(choice);
	}

	/** The names that a parameter's list offers. */
	async choices(name: string): Promise<string[]> {
		await this.root.getByTestId(`parameter-input-${name}`).first().click();
		await this.shownOptions().first().waitFor();
		await this.settle();
		const names = await this.shownOptions().locator('.option-headline').allInnerTexts();
		// A click beside the fields closes the list; Tab would open the next one.
		await this.root.getByTestId('node-parameters').click({ position: { x: 2, y: 2 } });
		await this.shownOptions().first().waitFor({ state: 'hidden' });
		await this.settle();
		return names;
	}

	/** Switches a parameter on or off. */
	async toggle(name: string): Promise<void> {
		this.steps++;
		await this.root.getByTestId(`parameter-input-${name}`).locator('.el-switch').first().click();
		await this.settle();
	}

	/** Names a record by another mode than From List, e.g. ID. */
	async locate(name: string, mode: string, value: string): Promise<void> {
		this.steps += 2;
		const locator = this.root.getByTestId(`resource-locator-${name}`);
		await locator.getByTestId('rlc-mode-selector').click();
		await this.pick(mode);
		await this.retype(name, value);
	}

	/** Adds an entry of a collection, e.g. a field under Additional Fields. */
	async add(collection: string, entry: string): Promise<void> {
		this.steps++;
		const section = this.root
			.getByTestId('parameter-item')
			.filter({ hasText: collection })
			.getByTestId('collection-parameter-add')
			.filter({ visible: true });
		await section.last().click();
		await this.pick(entry);
	}

	/** Adds a row to the `nth` list of rows of this name. */
	async addRow(name: string, nth = 0): Promise<void> {
		this.steps++;
		const list = this.root.getByTestId(`fixed-collection-${name}`).nth(nth);
		await list.getByTestId('fixed-collection-add').last().click();
		await this.settle();
	}

	/** The text of a resource locator. */
	async located(name: string): Promise<string> {
		return await this.locatorInput(name).inputValue();
	}

	/** Replaces the text of a resource locator, in its present mode. */
	async retype(name: string, value: string): Promise<void> {
		await this.locatorInput(name).fill(value);
		await this.settle();
	}

	/**
	 * Chooses a record From List by searching for the words; its entry contains them.
	 *
	 * @returns the entry that was chosen
	 */
	async find(name: string, words: string): Promise<string> {
		this.steps += 2;
		const locator = this.root.getByTestId(`resource-locator-${name}`);
		await locator.getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-search').fill(words);
		const found = this.page
			.getByTestId('rlc-item')
			.filter({ visible: true, hasText: words })
			.first();
		await found.waitFor();
		await this.settle();
		const label = await found.innerText();
		await found.click();
		await this.settle();
		return label;
	}

	/**
	 * Runs only this node by its button.
	 *
	 * @returns the text of the output panel
	 * @throws Error with n8n's notice if the run failed
	 */
	async execute(): Promise<string> {
		this.steps++;
		await this.root.getByTestId('node-execute-button').click();
		return await this.received();
	}

	/** The text of a parameter. */
	async text(name: string): Promise<string> {
		return await this.root.getByTestId(`parameter-input-${name}`).first().innerText();
	}

	/** Runs a trigger by its button, and waits until n8n says that it listens for the event. */
	async listen(): Promise<void> {
		await this.root.getByTestId('node-execute-button').click();
		await this.root.getByTestId('trigger-listening').waitFor();
	}

	/** Waits for the event after {@link listen}. @returns the text of the output panel */
	async received(): Promise<string> {
		await seeSuccess(this.page);
		return await this.root.getByTestId('output-panel').innerText();
	}

	private locatorInput(name: string): Locator {
		const locator = this.root.getByTestId(`resource-locator-${name}`);
		return locator.getByTestId('rlc-input-container').locator('input').first();
	}

	private async pick(choice: string): Promise<void> {
		await this.settle();
		await this.shownOptions()
			.filter({ has: this.page.getByText(choice, { exact: true }) })
			.first()
			.click();
		await this.settle();
	}

	private shownOptions(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	private async settle(): Promise<void> {
		await settle(this.page);
	}
}
