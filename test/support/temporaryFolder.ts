import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onExit } from 'signal-exit';

const folders = new Set<string>();

onExit(() => {
	for (const folder of folders) removeFolder(folder);
});

/** A new folder in the system's temporary one; it is removed when this process ends. */
export function temporaryFolder(purpose: string): string {
	const folder = mkdtempSync(join(tmpdir(), `commerce-platform-${purpose}-`));
	folders.add(folder);
	return folder;
}

/** Removes a folder of {@link temporaryFolder} earlier. */
export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	folders.delete(folder);
}
