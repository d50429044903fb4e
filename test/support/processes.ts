import { once } from 'node:events';

import execa, { type ExecaChildProcess, type Options } from 'execa';
import { onExit } from 'signal-exit';

/** Ends with this process, whichever way it ends: normally, by an exception, by Ctrl-C or by a signal. */
const running = new Set<ExecaChildProcess>();

const ownsGroups = process.platform !== 'win32';

onExit(() => {
	for (const child of running) signal(child, 'SIGKILL');
});

/**
 * Starts a program in a process group of its own, so that what it starts itself ends with it, and Ctrl-C reaches
 * only this process.
 *
 * @param options as of execa; where `env` is given, it is the whole environment
 * @returns the process; awaiting it gives its end and never throws
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

/** Sends a signal to a launched process and everything that it started itself. */
export function signal(child: ExecaChildProcess, name: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(ownsGroups ? -child.pid : child.pid, name);
	} catch {
		// ESRCH: it has ended by itself in the meantime, which is what was wanted.
	}
}

/** Whether a launched process has not ended yet. */
export const isRunning = (child: ExecaChildProcess | undefined): boolean =>
	child !== undefined && child.exitCode === null && child.signalCode === null;

const INTERRUPTIONS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Waits for Ctrl-C or a signal to end, so that the caller can stop things in order; a second one
 * ends at once.
 */
export async function untilInterrupted(): Promise<void> {
	const others = new AbortController();
	await Promise.race(
		INTERRUPTIONS.map(async (name) => await once(process, name, { signal: others.signal })),
	).finally(() => others.abort());
}
