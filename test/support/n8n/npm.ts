import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { launch, signal } from '../processes';
import { UserError } from '../userError';

/** What `npm run` tells its children about itself; a nested npm must not take it for its own settings. */
const OUTER_RUN =
	/^(npm_(package|lifecycle|command|node_execpath)|npm_config_(local_)?prefix$|INIT_CWD$|NODE_TEST_CONTEXT$)/i;

export interface NpmRun {
	/** Folder in which npm works. */
	folder: string;
	/** File that gets everything npm prints. */
	logFile: string;
	/** Further variables. */
	environment?: Record<string, string>;
	/** Called for every line that npm prints. */
	onLine?: (line: string) => void;
	/** Ends npm, which would go on trying for an hour, when it prints a line that makes that pointless. */
	giveUpOn?: (line: string) => boolean;
}

/** npm ended with an error; `output` is the end of what it printed. */
export class NpmFailure extends Error {
	constructor(
		args: string[],
		readonly output: string,
		logFile: string,
	) {
		super(
			`npm ${args.join(' ')} failed. The end of its output (all of it: ${logFile}):\n${output}`,
		);
		this.name = 'NpmFailure';
	}
}

const LINES_SHOWN = 25;
const OFFLINE =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b/;

/**
 * Runs npm and waits for its end.
 *
 * @throws NpmFailure when npm ends with an error
 * @throws UserError when the registry cannot be reached or the disk is full
 */
export async function runNpm(args: string[], run: NpmRun): Promise<void> {
	const log = createWriteStream(run.logFile, { flags: 'a' });
	log.write(`\n$ npm ${args.join(' ')}\n`);
	let lastStraw = '';
	const [command, first] = npmCommand();
	const child = launch(command, [...first, ...args], {
		cwd: run.folder,
		env: { ...environment(), ...run.environment },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	for (const stream of [child.stdout, child.stderr]) {
		if (stream === null) continue;
		createInterface({ input: stream }).on('line', (line) => {
			log.write(`${line}\n`);
			run.onLine?.(line);
			if (lastStraw !== '' || !run.giveUpOn?.(line)) return;
			lastStraw = line;
			signal(child, 'SIGKILL');
		});
	}
	const [code] = (await once(child, 'close')) as [number | null];
	await new Promise<void>((resolve) => log.end(resolve));
	if (code !== 0) throw await failure(args, run.logFile, lastStraw);
}

/** npm's own script under this Node where `npm run` tells its place, otherwise npm from the PATH. */
function npmCommand(): [string, string[]] {
	const script = process.env.npm_execpath;
	if (script?.endsWith('.js')) return [process.execPath, [script]];
	return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
}

function environment(): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER_RUN.test(name)));
}

async function failure(args: string[], logFile: string, lastStraw: string): Promise<Error> {
	const lines = (await readFile(logFile, 'utf8'))
		.split('\n')
		.filter((line) => line.trim() !== '' && !line.startsWith('npm http'));
	const output = lines.slice(-LINES_SHOWN).join('\n');
	const offline = OFFLINE.exec(`${lastStraw}\n${output}`);
	if (offline) {
		return new UserError(
			`The npm registry could not be reached (${offline[0]}; npm's log: ${logFile}).`,
			'n8n is installed once and needs the network for it: check the connection, proxy and `npm config get registry`, then run this again.',
		);
	}
	if (output.includes('ENOSPC')) {
		return new UserError(
			'The disk is full.',
			'n8n with its dependencies takes 2.2 GB; make room and run this again.',
		);
	}
	return new NpmFailure(args, output, logFile);
}
