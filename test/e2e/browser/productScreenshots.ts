import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describeFailure } from '../../support/userError';
import { Progress } from '../../support/progress';
import { startTestEnvironment } from '../../support/environment/testEnvironment';
import { Editor } from './editor';
import { walkProduct } from './productWalk';

const IMAGES = join(__dirname, '..', '..', '..', 'docs', 'images');

/** Takes the pictures of a product's life anew: `npx tsx test/e2e/browser/productScreenshots.ts`. */
async function main(): Promise<void> {
	const progress = new Progress();
	mkdirSync(IMAGES, { recursive: true });
	try {
		const environment = await startTestEnvironment(progress, { platform: { products: 40 } });
		const editor = await Editor.open(environment);
		await walkProduct(environment, editor, async (name) => {
			await editor.shoot(join(IMAGES, `${name}.png`));
			progress.say(`docs/images/${name}.png`);
		});
		await editor.close();
		await environment.close();
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		process.exit(1);
	}
}

void main();
