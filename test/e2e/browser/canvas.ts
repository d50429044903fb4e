import { readFileSync } from 'node:fs';

import type { N8nClient } from '../../support/n8n/client';
import type { Workflow, WorkflowFile } from '../../support/n8n/types';
import { until } from '../../../platform/support/until';
import type { Editor } from './editor';

/** n8n saves by itself, some seconds after a change. */
const SAVE_TIMEOUT_MS = 60_000;
const STICKY_TYPE = 'n8n-nodes-base.stickyNote';

/** A workflow's canvas in the browser, and the user's actions on the whole workflow. */
export class Canvas {
	constructor(
		private readonly editor: Editor,
		private readonly client: N8nClient,
	) {}

	/** Adds a sticky note, which does not touch this package's nodes, and waits until n8n has saved it. */
	async save(id: string): Promise<Workflow> {
		const { page } = this.editor;
		const before = countNotes(await this.client.getWorkflow(id));
		await page.getByTestId('canvas-wrapper').click({ position: { x: 5, y: 5 }, force: true });
		await page.keyboard.press('Shift+S');
		return await this.saved(id, (workflow) => countNotes(workflow) > before);
	}

	/** Copies everything and pastes it into a new workflow. @returns the new workflow as n8n saved it */
	async copyToNew(nodes: number): Promise<Workflow> {
		const { page } = this.editor;
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.getByTestId('canvas-wrapper').click({ position: { x: 5, y: 5 }, force: true });
		await page.keyboard.press('ControlOrMeta+a');
		await page.keyboard.press('ControlOrMeta+c');
		await this.editor.goTo('/workflow/new');
		await page.getByTestId('canvas-wrapper').waitFor();
		await this.editor.settle();
		await page.keyboard.press('ControlOrMeta+v');
		return await this.savedNew(nodes);
	}

	/** Downloads the open workflow by the menu. @returns its file and its content */
	async export(): Promise<{ path: string; workflow: WorkflowFile }> {
		const { page } = this.editor;
		await page.getByTestId('workflow-menu').first().click();
		const [download] = await Promise.all([
			page.waitForEvent('download'),
			page.getByRole('menuitem', { name: /export|download/i }).click(),
		]);
		const path = await download.path();
		return { path, workflow: JSON.parse(readFileSync(path, 'utf8')) as WorkflowFile };
	}

	/** Imports a file into a new workflow. @returns the workflow as n8n saved it */
	async importToNew(path: string, nodes: number): Promise<Workflow> {
		const { page } = this.editor;
		await this.editor.goTo('/workflow/new');
		await page.getByTestId('workflow-import-input').waitFor({ state: 'attached' });
		await this.editor.settle();
		await page.getByTestId('workflow-import-input').setInputFiles(path);
		return await this.savedNew(nodes);
	}

	private async savedNew(nodes: number): Promise<Workflow> {
		const { page } = this.editor;
		await page.waitForURL((url) => /\/workflow\/(?!new)[^/?]+/.test(url.pathname));
		const id = /\/workflow\/([^/?]+)/.exec(page.url())?.[1] ?? '';
		return await this.saved(id, (workflow) => workflow.nodes.length >= nodes);
	}

	private async saved(id: string, isThere: (workflow: Workflow) => boolean): Promise<Workflow> {
		return await until('n8n to save the workflow', SAVE_TIMEOUT_MS, async () => {
			const workflow = await this.client.getWorkflow(id).catch(() => undefined);
			return workflow !== undefined && isThere(workflow) ? workflow : undefined;
		});
	}
}

const countNotes = ({ nodes }: WorkflowFile): number =>
	nodes.filter(({ type }) => type === STICKY_TYPE).length;
