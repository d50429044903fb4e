import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describeFailure } from '../obstacle';
import { Progress } from '../progress';
import { setStage } from '../stage';
import { Editor } from './editor';
import { walkProduct } from './productWalk';

const IMAGES = join(__dirname, '..', '..', '..', 'docs', 'images');

/** Takes the pictures of a product's life anew: `npx tsx test/e2e/browser/productScreenshots.ts`. */
async function main(): Promise<void> {
	const progress = new Progress();
	mkdirSync(IMAGES, { recursive: true });
	try {
		const stage = await setStage(progress, { platform: { products: 40 } });
		const editor = await Editor.open(stage);
		await walkProduct(stage, editor, async (name) => {
			await editor.shoot(join(IMAGES, `${name}.png`));
			progress.say(`docs/images/${name}.png`);
		});
		await editor.close();
		await stage.close();
	} catch (error) {
		console.error(`\n${describeFailure(error)}`);
		process.exit(1);
	}
}

void main();
