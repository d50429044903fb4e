import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { demoFolder } from '../../support/repository';

/** n8n's folder between two demos: workflows, credentials, executions. The shop itself starts anew. */
export const KEPT_FOLDER = join(demoFolder(), 'kept');
const FILE = join(KEPT_FOLDER, 'demo.json');

/** Data that a later demo needs so that the kept workflows find their platform. */
export interface KeptDemo extends NewDemo, Pick<TestEnvironment, 'owner' | 'credential'> {
	platformPort: number;
}

export type NewDemo = ReturnType<typeof newDemo>;

/** The kept demo, if its setup was complete. */
export const keptDemo = (): KeptDemo | undefined =>
	existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as KeptDemo) : undefined;

/** Removes the kept demo. @returns the keys of the next one, made before n8n and the platform start */
export function newDemo() {
	rmSync(KEPT_FOLDER, { recursive: true, force: true });
	mkdirSync(KEPT_FOLDER, { recursive: true });
	// n8n keeps its database and its logs there.
	chmodSync(demoFolder(), 0o700);
	return {
		encryptionKey: randomBytes(16).toString('hex'),
		apiKey: `cpk_${randomBytes(20).toString('hex')}`,
	};
}

/** Writes the file so that only this user can read it: it holds the platform's API key and the login of n8n. */
export function keepDemo(demo: KeptDemo): void {
	writeFileSync(FILE, JSON.stringify(demo, null, 2), { mode: 0o600 });
}
