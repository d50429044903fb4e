import { join } from 'node:path';
import type { SuiteContext, TestContext } from 'node:test';

import type { Editor } from '../browser/editor';
import { failuresFolder, hasFailed } from '../environment';

/**
 * Saves a picture of the browser if a test failed.
 *
 * @returns whether it failed
 */
export async function shootFailure(
	editor: Editor | undefined,
	test: TestContext | SuiteContext,
): Promise<boolean> {
	if (!hasFailed(test)) return false;
	if (editor === undefined) return true;
	const file = join(failuresFolder(), `${test.name.replace(/[^\w]+/g, '-')}.png`);
	await editor.shoot(file);
	console.log(`What the browser showed: ${file}`);
	return true;
}
