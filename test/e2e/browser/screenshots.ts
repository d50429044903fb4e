import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { byId } from '../../support/parameters';
import { ORDER_PAID_EXAMPLE } from '../../support/n8n/examples';
import { importExample } from '../../support/n8n/exampleRun';
import { chain, changesTrigger, shopNode, shopTrigger } from '../../support/n8n/workflows';
import { describeFailure } from '../../support/userError';
import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { launchChromium } from './chromium';
import { Editor } from './editor';

const IMAGES = join(__dirname, '..', '..', '..', 'docs', 'images');
/** The labels of every panel in the pictures: a test compares them with today's panels. */
const PANELS = join(IMAGES, 'panels.json');
const FIRST_ARGUMENT = 2;
const OFFICE = { width: 1480, height: 760 };
/** Orders of the picture: one that waits for its payment, the paid one, and one of the days before. */
const SHOWN_ORDERS = 3;
/** The width in which GitHub and npm show a README. */
const README_WIDTH = 830;

/** Pixels of a picture for each one of the page. */
const SHARPNESS = 2;

/** The recipe whose report docs/recipes.md shows. */
const REPORTING = 'stock-from-list';

type Panels = Record<
	string,
	Pick<INode, 'type' | 'typeVersion' | 'parameters'> & { labels: string[] }
>;

interface Shooting {
	environment: TestEnvironment;
	/** The path of a picture; also prints it. */
	file: (name: string) => string;
	editor: Editor;
	/** What each panel in a picture showed. */
	panels: Panels;
}

/** Pictures by a name for the command line: `npm run screenshots -- tutorial`. */
const PICTURES: Record<string, (shooting: Shooting) => Promise<void>> = {
	orderPaid: shootOrderPaid,
	tutorial: shootTutorial,
	changesTrigger: shootChangesTrigger,
	report: shootReport,
};

/** README's picture: an order that is paid in the shop gets its note, and the execution that did it. */
async function shootOrderPaid({ environment, file, editor }: Shooting): Promise<void> {
	const { client, platform } = environment;
	const workflow = await importExample(environment, ORDER_PAID_EXAMPLE);
	await client.activate(workflow);
	await platform.control.createOrder();
	await platform.control.createOrder();

	const browser = await launchChromium();
	const page = await browser.newPage({
		viewport: OFFICE,
		colorScheme: 'light',
		deviceScaleFactor: SHARPNESS,
	});
	await page.goto(platform.controlUrl);
	await page.getByRole('button', { name: /^Pay/ }).nth(1).click();
	await page.getByText('(n8n execution').waitFor();
	// The notice about the payment covers the list.
	await page.getByRole('status').filter({ hasText: 'is paid' }).waitFor({ state: 'hidden' });
	await page.screenshot({ path: file('back-office'), scale: 'css' });
	const rows = page.locator('table').first().locator('thead tr, tbody tr');
	const paid = await clipped(page, rows.first(), rows.nth(SHOWN_ORDERS));

	const [execution] = await client.finishedExecutions(workflow, 1);
	await editor.openExecution(workflow, execution.id);
	const nodes = editor.page.getByTestId('canvas-node').filter({ hasNotText: 'Someone pays' });
	const run = await clipped(editor.page, nodes.first(), nodes.last(), {
		x: 60,
		top: 8,
		bottom: 48,
	});

	const sheet = await browser.newPage({
		viewport: { width: README_WIDTH, height: OFFICE.height },
		deviceScaleFactor: SHARPNESS,
	});
	await sheet.setContent(`<!doctype html><style>
		body { margin: 0; padding: 16px; font: 600 14px sans-serif; color: #1f2328; background: #f6f8fa }
		img { display: block; width: 100%; margin: 6px 0 14px; border-radius: 8px; border: 1px solid #d1d9e0 }
		img:last-child { margin-bottom: 0 }</style>
		In the shop: the order is paid, and its note appears
		<img src="data:image/png;base64,${paid.toString('base64')}">
		In n8n: the execution that the payment started
		<img src="data:image/png;base64,${run.toString('base64')}">`);
	await sheet.locator('body').screenshot({ path: file('order-paid') });
	await browser.close();
	await client.deactivate(workflow);
}

/** The tutorial's credential and panels, as its steps make them. */
async function shootTutorial(shooting: Shooting): Promise<void> {
	const { environment, file, editor } = shooting;
	const { client, credential } = environment;
	await editor.openCredential(credential.id);
	const dialog = editor.page.getByTestId('editCredential-modal');
	await dialog.screenshot({ path: file('credential') });
	const workflow = chain('First workflow', credential, [
		shopTrigger('Order Paid', { events: ['order.paid'], getFullRecord: true }),
		shopNode('Write Note', {
			resource: 'order',
			operation: 'update',
			orderId: byId('={{ $json.record.id }}'),
			updateFields: { addToMerchantNote: 'Thank you letter printed' },
		}),
	]);
	const { id } = await client.createWorkflow(workflow);
	await editor.openWorkflow(id);
	await shootPanel(shooting, 'trigger', workflow.nodes[0]);
	await shootPanel(shooting, 'order-update', workflow.nodes[1]);
}

/** The changes trigger, polling as its notice advises. */
async function shootChangesTrigger(shooting: Shooting): Promise<void> {
	const { environment, editor } = shooting;
	const everyTenMinutes = { item: [{ mode: 'everyX', value: 10, unit: 'minutes' }] };
	const workflow = chain('Changes', environment.credential, [
		changesTrigger('Changed Orders', { watch: 'order', pollTimes: everyTenMinutes }),
	]);
	const { id } = await environment.client.createWorkflow(workflow);
	await editor.openWorkflow(id);
	await shootPanel(shooting, 'changes-trigger', workflow.nodes[0]);
}

/** The report of a recipe: the output of the node that makes it, after a run. */
async function shootReport({ environment, file, editor }: Shooting): Promise<void> {
	await editor.openWorkflow(await importExample(environment, `${REPORTING}.json`));
	await editor.execute();
	const { root } = await editor.openNode('Report');
	const path = file(`report-${REPORTING}`);
	const table = root.getByTestId('output-panel').locator('table');
	const said = table.locator('td').filter({ hasText: 'Row 4' });
	writeFileSync(
		path,
		await clipped(editor.page, table.locator('th').first(), said, { x: 6, top: 6, bottom: 6 }),
	);
	await editor.closeNode();
}

/** A picture of a node's parameters, down to the button of its options; notes their labels. */
async function shootPanel(
	{ file, editor, panels }: Shooting,
	name: string,
	node: INode,
): Promise<void> {
	const { root } = await editor.openNode(node.name);
	const parameters = root.getByTestId('node-parameters');
	const heads = parameters.locator('label [class*="_title_"], .notice').filter({ visible: true });
	const labels = (await heads.allInnerTexts()).map((label) => label.trim());
	const { type, typeVersion, parameters: entered } = node;
	panels[name] = { type, typeVersion, parameters: entered, labels };
	const path = file(name);
	const end = parameters.getByTestId('collection-parameter-add').filter({ visible: true });
	writeFileSync(
		path,
		await clipped(editor.page, heads.first(), end.last(), { x: 16, top: 12, bottom: 12 }),
	);
	await editor.closeNode();
}

/** A picture from the first element to the last one, in the width of the wider one. */
async function clipped(
	page: Page,
	first: Locator,
	last: Locator,
	margin = { x: 0, top: 0, bottom: 0 },
): Promise<Buffer> {
	const found = [await first.boundingBox(), await last.boundingBox()];
	const boxes = found.filter((box) => box !== null);
	if (boxes.length < found.length) throw new Error('Nothing to be seen there');
	const x = Math.min(...boxes.map((box) => box.x)) - margin.x;
	const y = Math.min(...boxes.map((box) => box.y)) - margin.top;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin.x - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin.bottom - y;
	return await page.screenshot({ clip: { x, y, width, height } });
}

async function main(): Promise<void> {
	const progress = new Progress();
	mkdirSync(IMAGES, { recursive: true });
	const wanted = process.argv.slice(FIRST_ARGUMENT);
	try {
		const environment = await startTestEnvironment(progress);
		const editor = await Editor.open(environment, SHARPNESS);
		const file = (name: string) => {
			progress.say(`docs/images/${name}.png`);
			return join(IMAGES, `${name}.png`);
		};
		const panels = (existsSync(PANELS) ? JSON.parse(readFileSync(PANELS, 'utf8')) : {}) as Panels;
		for (const [name, shoot] of Object.entries(PICTURES)) {
			if (wanted.length === 0 || wanted.includes(name))
				await shoot({ environment, file, editor, panels });
		}
		writeFileSync(PANELS, `${JSON.stringify(panels, null, '\t')}\n`);
		await editor.close();
		await environment.close();
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		process.exit(1);
	}
}

void main();
