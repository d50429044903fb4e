import { once } from 'node:events';

import execa, { type ExecaChildProcess, type Options } from 'execa';
import { onExit } from 'signal-exit';

/**
 * Launched processes. They end with this process, however it ends: normally, by an exception, by Ctrl-C or by a signal.
 */
const running = new Set<ExecaChildProcess>();

const ownsGroups = process.platform !== 'win32';

onExit(() => {
	for (const child of running) signal(child, 'SIGKILL');
});

/**
 * Starts a program in its own process group: its own children end with it, and Ctrl-C reaches only this process.
 *
 * @param options of execa; if `env` is given, it is the whole environment
 * @returns the process; awaiting it waits for its end and never throws
 */
export function launch(command: string, args: string[], options: Options): ExecaChildProcess {
	const child = execa(command, args, {
		...options,
		extendEnv: options.env === undefined,
		detached: ownsGroups,
		cleanup: false,
		reject: false,
		buffer: false,
	});
	running.add(child);
	child.once('exit', () => running.delete(child));
	child.once('error', () => running.delete(child));
	return child;
}

/** Sends a signal to a launched process and its children. */
export function signal(child: ExecaChildProcess, name: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(ownsGroups ? -child.pid : child.pid, name);
	} catch {
		// ESRCH: the process has already ended.
	}
}

/** Whether a launched process still runs. */
export const isRunning = (child: ExecaChildProcess | undefined): boolean =>
	child !== undefined && child.exitCode === null && child.signalCode === null;

const INTERRUPTIONS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Waits for Ctrl-C or a signal, so that the caller can stop things in order. A second one ends the process at once.
 */
export async function untilInterrupted(): Promise<void> {
	const others = new AbortController();
	await Promise.race(
		INTERRUPTIONS.map(async (name) => await once(process, name, { signal: others.signal })),
	).finally(() => others.abort());
}
