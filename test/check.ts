import { cpus } from 'node:os';
import execa from 'execa';
import pLimit from 'p-limit';

const BUILD = 'build';
const JEST = 'test:jest';
/** In the order in which they begin: the longest first. */
const SCRIPTS = ['typecheck:test', JEST, 'lint', 'test:publishing', 'lint:structure'];
/** The tarball's tests and the publishing rules read what was built. */
const AFTER_BUILD = [JEST, 'test:publishing'];

/** Runs the scripts of `npm test`, as many at once as there are cores; with `--jest` also the tests. */
async function main(): Promise<void> {
	const limit = pLimit(cpus().length);
	const building = limit(run, BUILD);
	const withJest = process.argv.includes('--jest');
	const others = SCRIPTS.filter((script) => script !== JEST || withJest).map((script) =>
		limit(async () => {
			if (AFTER_BUILD.includes(script)) await building;
			return await run(script);
		}),
	);
	const results = await Promise.all([building, ...others]);
	process.exitCode = results.every(Boolean) ? 0 : 1;
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
