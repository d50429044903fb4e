import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';

import { importExamples, payOneOrder } from '../demo/order-paid';
import { ORDER_PAID_EXAMPLE } from '../../support/n8n/examples';
import { importExample } from '../../support/n8n/exampleRun';
import { describeFailure } from '../../support/userError';
import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { launchChromium } from './chromium';
import { Editor } from './editor';
import { walkProduct } from './product';

const IMAGES = join(__dirname, '..', '..', '..', 'docs', 'images');
const FIRST_ARGUMENT = 2;
const OFFICE = { width: 1280, height: 760 };
/** Longer than the back office takes to show what n8n did. */
const OFFICE_MS = 3_000;

/** The recipes of the README's gallery. */
const GALLERY = [
	'low-stock-alert',
	'stock-from-list',
	'catalogue-by-pages',
	'order-assistant',
	'ship-open-orders',
	'rotate-webhook-secret',
];

/** The recipe whose report docs/recipes.md shows. */
const REPORTING = 'stock-from-list';

/** The README shows the picture in the reader's theme. */
const THEMES = [
	['light', ''],
	['dark', '-dark'],
] as const;

interface Shooting {
	environment: TestEnvironment;
	progress: Progress;
	/** The path of a picture; also prints it. */
	file: (name: string) => string;
}

/** Groups of pictures by their name on the command line: `npm run screenshots -- gallery`. */
const PICTURES: Record<string, (shooting: Shooting) => Promise<void>> = {
	demo: async (shooting) => await withEditor(shooting, shootDemo),
	gallery: async (shooting) => await withEditor(shooting, shootGallery),
	office: shootOffice,
	product: async (shooting) => await withEditor(shooting, shootProduct),
	report: async (shooting) => await withEditor(shooting, shootReport),
};

async function withEditor(
	shooting: Shooting,
	shoot: (shooting: Shooting, editor: Editor) => Promise<void>,
): Promise<void> {
	const editor = await Editor.open(shooting.environment);
	await shoot(shooting, editor);
	await editor.close();
}

/** The demo's workflows: credential, canvas, panels, execution. */
async function shootDemo({ environment, progress, file }: Shooting, editor: Editor): Promise<void> {
	const shoot = async (name: string) => await editor.shoot(file(name));
	const { page } = editor;
	const part = async (name: string, element: Locator) =>
		await editor.shootPart(element, file(name));
	const parameters = page.locator('#app-modals').getByTestId('node-parameters');
	const middleNode = page.locator('[data-test-id="canvas-node"][data-node-name="Get Order"]');
	const workflows = await importExamples(environment, progress);
	const { execution } = await payOneOrder(environment, workflows, progress);
	const orderPaid = workflows.get(ORDER_PAID_EXAMPLE)!.id;

	await editor.openCredential(environment.credential.id);
	await shoot('credential');
	await editor.openWorkflow(orderPaid);
	await editor.openNode('Order Paid');
	await shoot('trigger');
	await part('order-paid-2', parameters);
	await editor.closeNode();
	await editor.openNode('Add to Merchant Note');
	await shoot('order-update');
	await part('order-paid-3', parameters);
	await editor.openExecution(orderPaid, execution.id);
	await shoot('execution');
	await part('order-paid-5', middleNode);
	await environment.client.deactivate(orderPaid);
}

/** Recipes as they look on the canvas, in light and dark. */
async function shootGallery({ environment, file }: Shooting, editor: Editor): Promise<void> {
	for (const name of GALLERY) {
		const workflow = await importExample(environment, `${name}.json`);
		for (const [colorScheme, suffix] of THEMES) {
			await editor.page.emulateMedia({ colorScheme });
			await editor.openWorkflow(workflow);
			await editor.shootCanvas(file(`recipe-${name}${suffix}`));
		}
	}
}

/** The report of a recipe: the panel of the node that makes it, after a run. */
async function shootReport({ environment, file }: Shooting, editor: Editor): Promise<void> {
	await editor.openWorkflow(await importExample(environment, `${REPORTING}.json`));
	await editor.execute();
	await editor.openNode('Report');
	await editor.shoot(file(`report-${REPORTING}`));
	await editor.closeNode();
}

/** A product's life, in the steps of the test. */
const shootProduct = async ({ environment, file }: Shooting, editor: Editor): Promise<void> =>
	await walkProduct(environment, editor, async (name) => await editor.shoot(file(name)));

/** The local platform's back office, after an order was paid there. */
async function shootOffice({ environment, file }: Shooting): Promise<void> {
	const { client, platform } = environment;
	const workflow = await importExample(environment, ORDER_PAID_EXAMPLE);
	await client.activate(workflow);
	const browser = await launchChromium();
	const page = await browser.newPage({ viewport: OFFICE, colorScheme: 'light' });
	await platform.control.createOrder();
	await platform.control.createOrder();
	await page.goto(platform.controlUrl);
	await page.getByRole('button', { name: /^Pay/ }).nth(1).click();
	await page.waitForTimeout(OFFICE_MS);
	await page.screenshot({ path: file('back-office') });
	await browser.close();
	await client.deactivate(workflow);
}

async function main(): Promise<void> {
	const progress = new Progress();
	mkdirSync(IMAGES, { recursive: true });
	const wanted = process.argv.slice(FIRST_ARGUMENT);
	try {
		const environment = await startTestEnvironment(progress);
		const file = (name: string) => {
			progress.say(`docs/images/${name}.png`);
			return join(IMAGES, `${name}.png`);
		};
		for (const [name, shoot] of Object.entries(PICTURES)) {
			if (wanted.length === 0 || wanted.includes(name)) {
				await shoot({ environment, progress, file });
			}
		}
		await environment.close();
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		process.exit(1);
	}
}

void main();
