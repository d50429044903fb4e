import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { collectProblems } from '../install/pageProblems';
import { environmentOfSuite } from '../environment';
import type { Workflow, WorkflowFile } from '../../support/n8n/types';
import { Canvas } from './canvas';
import { Editor } from './editor';
import {
	effectiveParameters,
	everyOperation,
	OPERATIONS,
	ownNodes,
	storedParameters,
} from './everyOperation';

/** As narrow as a small laptop, and tall enough for a panel to show all its fields. */
const VIEWPORT = { width: 1280, height: 1500 };

/** The height of a small laptop's window. */
const WINDOW_PX = 900;

/** Runs in the browser, which does not know the names that the loader gives to inner functions. */
function lookAt(root: Element) {
	const elements = Array.from(root.querySelectorAll<HTMLElement>('*'));
	return {
		/** Texts that the browser shortens with an ellipsis. */
		cut: elements
			.filter(
				(element) =>
					element.tagName !== 'INPUT' &&
					element.scrollWidth > element.clientWidth + 1 &&
					getComputedStyle(element).textOverflow === 'ellipsis',
			)
			.map(({ textContent }) => textContent?.trim() ?? ''),
		/** The bottom of the last field, from the top of the window, px. */
		endsAtPx: Math.max(
			...elements
				.filter(
					({ tagName, childElementCount, textContent }) =>
						tagName === 'INPUT' || (childElementCount === 0 && textContent?.trim() !== ''),
				)
				.map((element) => element.getBoundingClientRect().bottom),
		),
		notices: elements.filter(({ classList }) => classList.contains('notice')).length,
	};
}

describe("every operation's parameters in n8n's editor, in a real browser", () => {
	const environment = environmentOfSuite({ platform: { orders: 20 } });
	let editor: Editor;
	let canvas: Canvas;
	let problems: string[];
	let made: Workflow;
	let saved: Workflow;
	/** The content of each panel, by its node's name. */
	const shown = new Map<string, ReturnType<typeof lookAt>>();
	let file: { path: string; workflow: WorkflowFile };

	before(async () => {
		const { client, credential, n8n } = environment;
		made = await client.createWorkflow(everyOperation(credential));
		editor = await Editor.open(environment);
		problems = await collectProblems(editor.page, n8n.url);
		canvas = new Canvas(editor, client);
		await editor.page.setViewportSize(VIEWPORT);
		await editor.openWorkflow(made.id);
	});
	after(async () => await editor?.close());

	/** Asserts that the node would run with the same parameters, and that n8n stores the same as before. */
	const assertSame = (workflow: WorkflowFile): void => {
		assert.deepEqual(effectiveParameters(workflow), effectiveParameters(made));
		assert.deepEqual(storedParameters(workflow), storedParameters(saved));
	};

	it('stay as they are when every panel was opened, and the workflow saved', async () => {
		for (const name of ownNodes(made)) {
			const parameters = (await editor.openNode(name)).root.getByTestId('node-parameters');
			shown.set(name, await parameters.evaluate(lookAt));
			await editor.closeNode();
		}
		saved = await canvas.save(made.id);
		assert.equal(ownNodes(saved).length, ownNodes(made).length);
		assertSame(saved);
	});

	it('show no label that is cut, and one notice at most', () => {
		const crowded = [...shown].filter(([, { cut, notices }]) => cut.length > 0 || notices > 1);
		assert.ok(shown.size > 0);
		assert.deepEqual(Object.fromEntries(crowded), {});
	});

	it('fit into a small laptop’s window right after an operation was chosen', () => {
		const first = [...shown].filter(([name]) => !/^\d/.test(name));
		const heights = first.map(([name, { endsAtPx }]) => [name, Math.ceil(endsAtPx)] as const);
		assert.equal(heights.length, OPERATIONS);
		assert.deepEqual(Object.fromEntries(heights.filter(([, px]) => px > WINDOW_PX)), {});
	});

	it('stay as they are when the page is loaded again, and saved again', async () => {
		await editor.openWorkflow(made.id);
		assertSame(await canvas.save(made.id));
	});

	it('stay as they are when everything is exported', async () => {
		file = await canvas.export();
		assertSame(file.workflow);
	});

	it('stay as they are when everything is copied and pasted', async () => {
		assertSame(await canvas.copyToNew(made.nodes.length));
	});

	it('stay as they are when the file is imported', async () => {
		assertSame(await canvas.importToNew(file.path, made.nodes.length));
	});

	it('make the browser complain of nothing that is ours', () => {
		assert.deepEqual(problems, []);
	});
});
