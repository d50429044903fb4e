import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SuiteContext, TestContext } from 'node:test';

import type { Editor } from '../browser/editor';

/** Git-ignored. */
const PICTURES = join(__dirname, '..', '..', '..', '.demo', 'failures');

/**
 * Saves a picture of the browser if a test failed.
 *
 * @returns whether it failed
 */
export async function shootFailure(
	editor: Editor | undefined,
	test: TestContext | SuiteContext,
): Promise<boolean> {
	if (!('passed' in test) || test.passed) return false;
	if (editor === undefined) return true;
	await mkdir(PICTURES, { recursive: true });
	const file = join(PICTURES, `${test.name.replace(/[^\w]+/g, '-')}.png`);
	await editor.shoot(file);
	console.log(`What the browser showed: ${file}`);
	return true;
}
