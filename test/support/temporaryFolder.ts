import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onExit } from 'signal-exit';

const folders = new Set<string>();

onExit(() => {
	for (const folder of folders) removeFolder(folder);
});

/** A new folder under the system's temporary one, removed when this process ends. */
export function temporaryFolder(purpose: string): string {
	const folder = mkdtempSync(join(tmpdir(), `commerce-platform-${purpose}-`));
	folders.add(folder);
	return folder;
}

/** Removes a folder made by {@link temporaryFolder} before the end. */
export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	folders.delete(folder);
}
