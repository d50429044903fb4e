import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { TestEnvironment } from '../../support/environment/testEnvironment';

/** n8n's folder between two demos: workflows, credentials, executions. The shop itself starts anew. */
export const KEPT_FOLDER = join(__dirname, '..', '..', '..', '.demo', 'kept');
const FILE = join(KEPT_FOLDER, 'demo.json');

/** What a later demo must take up again, so that kept workflows find their platform. */
export interface KeptDemo extends NewDemo, Pick<TestEnvironment, 'owner' | 'credential'> {
	platformPort: number;
}

export type NewDemo = ReturnType<typeof newDemo>;

/** The demo that was kept, if one was set up to its end. */
export const keptDemo = (): KeptDemo | undefined =>
	existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as KeptDemo) : undefined;

/** Forgets what was kept; what the next demo begins with, made before n8n and the platform are started. */
export function newDemo() {
	rmSync(KEPT_FOLDER, { recursive: true, force: true });
	mkdirSync(KEPT_FOLDER, { recursive: true });
	return {
		encryptionKey: randomBytes(16).toString('hex'),
		apiKey: `cpk_${randomBytes(20).toString('hex')}`,
	};
}

/** Only this user may read it: it holds the key of the local platform and the login of n8n. */
export function keepDemo(demo: KeptDemo): void {
	writeFileSync(FILE, JSON.stringify(demo, null, 2), { mode: 0o600 });
}
