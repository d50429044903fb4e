import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Whatever is started or made on disk here is gone when this process ends, whichever way it ends:
 * normally, by an exception, by Ctrl-C or by a signal.
 */
const processes = new Set<ChildProcess>();
const folders = new Set<string>();

const ownsGroups = process.platform !== 'win32';

/** Exit codes by the shell's rule: 128 + the signal's number. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Starts a process in a process group of its own and remembers it until it has ended.
 *
 * @throws whatever `spawn` throws
 */
export function launch(command: string, args: string[], options: SpawnOptions): ChildProcess {
	watchForTheEnd();
	const child = spawn(command, args, { ...options, detached: ownsGroups });
	processes.add(child);
	child.once('exit', () => processes.delete(child));
	child.once('error', () => processes.delete(child));
	return child;
}

/** Sends a signal to a launched process and everything that it started itself. */
export function signal(child: ChildProcess, name: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(ownsGroups ? -child.pid : child.pid, name);
	} catch {
		// ESRCH: it has ended by itself in the meantime, which is what was wanted.
	}
}

/** A new folder under the system's temporary one, removed at the end. */
export function temporaryFolder(purpose: string): string {
	watchForTheEnd();
	const folder = mkdtempSync(join(tmpdir(), `commerce-platform-${purpose}-`));
	folders.add(folder);
	return folder;
}

/** Removes a folder made by {@link temporaryFolder} before the end. */
export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	folders.delete(folder);
}

let interrupted: (() => void) | undefined;

/**
 * Waits for Ctrl-C or a signal to end, so that the caller can stop things in order; a second one
 * ends at once.
 */
export async function untilInterrupted(): Promise<void> {
	watchForTheEnd();
	await new Promise<void>((resolve) => {
		interrupted = resolve;
	});
}

let watching = false;

function watchForTheEnd(): void {
	if (watching) return;
	watching = true;
	process.once('exit', () => {
		for (const child of processes) signal(child, 'SIGKILL');
		for (const folder of folders) removeFolder(folder);
	});
	for (const [name, code] of Object.entries(SIGNAL_EXIT_CODES)) {
		process.on(name, () => endOrTell(code));
	}
}

function endOrTell(code: number): void {
	if (interrupted === undefined) process.exit(code);
	interrupted();
	interrupted = undefined;
}
