import { cpus } from 'node:os';
import execa from 'execa';
import pLimit from 'p-limit';

/** The build comes first: the publishing rules and the tarball's tests read its result. */
const FIRST = 'build';
const JEST = 'test:jest';
/** The scripts that need no jest, the longest first. */
const OTHERS = ['typecheck:test', 'lint', 'test:publishing', 'lint:structure'];

/** Runs the scripts of `npm test`, as many at once as there are cores; with `--jest` also the tests. */
async function main(): Promise<void> {
	const isBuilt = await run(FIRST);
	const scripts = process.argv.includes('--jest') ? [JEST, ...OTHERS] : OTHERS;
	const limit = pLimit(cpus().length);
	const results = await Promise.all(scripts.map(async (script) => await limit(run, script)));
	process.exitCode = isBuilt && results.every(Boolean) ? 0 : 1;
}

/**
 * Runs a script. Jest shows its progress; the others print their output when they end.
 *
 * @returns whether the script passed
 */
async function run(script: string): Promise<boolean> {
	const output = script === JEST ? ({ stdio: 'inherit' } as const) : { all: true };
	const { all, exitCode } = await execa('npm', ['run', script], { ...output, reject: false });
	console.log(`\n=== npm run ${script}: ${exitCode === 0 ? 'clean' : 'failed'}\n${all ?? ''}`);
	return exitCode === 0;
}

void main();
