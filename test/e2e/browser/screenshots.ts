import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { importExamples, payOneOrder } from '../demo/order-paid';
import { LIST_PRODUCTS_EXAMPLE, ORDER_PAID_EXAMPLE } from '../../support/n8n/examples';
import { describeFailure } from '../../support/userError';
import { Progress } from '../../support/progress';
import {
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { Editor } from './editor';

const IMAGES = join(__dirname, '..', '..', '..', 'docs', 'images');

/** Takes the pictures of the documentation anew, in a real n8n with the demo's workflows. */
async function takeScreenshots(
	environment: TestEnvironment,
	editor: Editor,
	progress: Progress,
): Promise<void> {
	const shoot = async (name: string) => {
		await editor.shoot(join(IMAGES, `${name}.png`));
		progress.say(`docs/images/${name}.png`);
	};
	const workflows = await importExamples(environment, progress);
	const { execution } = await payOneOrder(environment, workflows, progress);
	const orderPaid = workflows.get(ORDER_PAID_EXAMPLE)!.id;

	await editor.openCredential(environment.credential.id);
	await shoot('credential');
	await editor.openWorkflow(orderPaid);
	await shoot('workflow');
	await editor.openNode('Order Paid');
	await shoot('trigger');
	await editor.closeNode();
	await editor.openNode('Write Merchant Note');
	await shoot('order-update');
	await editor.openExecution(orderPaid, execution.id);
	await shoot('execution');
	await editor.openWorkflow(workflows.get(LIST_PRODUCTS_EXAMPLE)!.id);
	await editor.execute();
	await editor.openNode('Get Many Products');
	await shoot('product-get-many');
	await editor.choices('resource');
	await shoot('resources');
}

async function main(): Promise<void> {
	const progress = new Progress();
	mkdirSync(IMAGES, { recursive: true });
	try {
		const environment = await startTestEnvironment(progress);
		const editor = await Editor.open(environment);
		await takeScreenshots(environment, editor, progress);
		await editor.close();
		await environment.close();
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		process.exit(1);
	}
}

void main();
