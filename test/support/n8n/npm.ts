import { appendFile } from 'node:fs/promises';

import execa from 'execa';

import { environmentWithout } from './environment';

/** What `npm run` tells its children about itself; a nested npm must not take it for its own settings. */
const OUTER_RUN =
	/^(npm_(package|lifecycle|command|node_execpath)|npm_config_(local_)?prefix$|INIT_CWD$|NODE_TEST_CONTEXT$)/i;

const LINES_SHOWN = 25;

export interface NpmRun {
	/** Folder in which npm works. */
	folder: string;
	/** File to which everything is added that npm prints. */
	logFile: string;
	/** Further variables. */
	environment?: Record<string, string>;
}

/** npm ended with an error; the message holds the end of what it printed. */
export class NpmFailure extends Error {
	override name = 'NpmFailure';
}

/**
 * Runs npm and waits for its end.
 *
 * @throws NpmFailure when npm ends with an error
 */
export async function runNpm(
	args: string[],
	{ folder, logFile, environment }: NpmRun,
): Promise<void> {
	const [command, first] = npmCommand();
	const { all = '', exitCode } = await execa(command, [...first, ...args], {
		cwd: folder,
		env: { ...environmentWithout(OUTER_RUN), ...environment },
		extendEnv: false,
		stdin: 'ignore',
		all: true,
		reject: false,
	});
	await appendFile(logFile, `\n$ npm ${args.join(' ')}\n${all}\n`);
	if (exitCode === 0) return;
	const end = all.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
	throw new NpmFailure(`npm ${args.join(' ')} failed. The end of ${logFile}:\n${end}`);
}

/** npm's own script under this Node where `npm run` tells its place, otherwise npm from the PATH. */
function npmCommand(): [string, string[]] {
	const script = process.env.npm_execpath;
	if (script?.endsWith('.js')) return [process.execPath, [script]];
	return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}
