import { appendFile } from 'node:fs/promises';

import execa from 'execa';

import { environmentWithout } from './environment';

/** Variables that `npm run` sets for its children; a nested npm must not take them for its own settings. */
const OUTER_RUN =
	/^(npm_(package|lifecycle|command|node_execpath)|npm_config_(local_)?prefix$|INIT_CWD$|NODE_TEST_CONTEXT$)/i;

const LINES_SHOWN = 25;

export interface NpmRun {
	/** Folder in which npm works. */
	folder: string;
	/** Log file to which npm's output is appended. */
	logFile: string;
	/** Further variables. */
	environment?: Record<string, string>;
}

/** npm ended with an error; the message contains the end of its output. */
export class NpmFailure extends Error {
	override name = 'NpmFailure';
}

/**
 * Runs npm and waits for its end.
 *
 * @throws NpmFailure if npm ends with an error
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

/** npm's own script under this Node, if `npm run` names its path; otherwise npm from the PATH. */
function npmCommand(): [string, string[]] {
	const script = process.env.npm_execpath;
	if (script?.endsWith('.js')) return [process.execPath, [script]];
	return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}
