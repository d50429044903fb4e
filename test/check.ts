import { cpus } from 'node:os';
import execa from 'execa';
import pLimit from 'p-limit';

/** The rules of publishing, and the tests of the tarball, are held against what is built. */
const FIRST = 'build';
const JEST = 'test:jest';
/** What needs no jest, the longest first. */
const OTHERS = ['typecheck:test', 'lint', 'test:publishing', 'lint:structure'];

/** Runs what `npm test` stands for, as many scripts at once as there are cores; with `--jest` the tests as well. */
async function main(): Promise<void> {
	const isBuilt = await run(FIRST);
	const scripts = process.argv.includes('--jest') ? [JEST, ...OTHERS] : OTHERS;
	const limit = pLimit(cpus().length);
	const results = await Promise.all(scripts.map(async (script) => await limit(run, script)));
	process.exitCode = isBuilt && results.every(Boolean) ? 0 : 1;
}

/** Whether a script passed. Jest shows how far it is; the others print what they wrote when they have ended. */
async function run(script: string): Promise<boolean> {
	const output = script === JEST ? ({ stdio: 'inherit' } as const) : { all: true };
	const { all, exitCode } = await execa('npm', ['run', script], { ...output, reject: false });
	console.log(`\n=== npm run ${script}: ${exitCode === 0 ? 'clean' : 'failed'}\n${all ?? ''}`);
	return exitCode === 0;
}

void main();
