import { cpus } from 'node:os';
import execa from 'execa';
import pLimit from 'p-limit';

/** What needs no jest: scripts that run one after the other, the longest first. */
const CHAINS = [
	['typecheck:test'],
	['lint'],
	// The rules of publishing are held against what is built.
	['build', 'test:publishing'],
	['lint:structure'],
];

/** Runs the scripts, as many at once as there are cores, and prints what each wrote when it has ended. */
async function main(): Promise<void> {
	const limit = pLimit(cpus().length);
	const results = await Promise.all(CHAINS.map(async (chain) => await limit(runChain, chain)));
	process.exitCode = results.every(Boolean) ? 0 : 1;
}

/** Whether all scripts of a chain passed; after the first that failed none is run. */
async function runChain(scripts: string[]): Promise<boolean> {
	for (const script of scripts) {
		const { all, exitCode } = await execa('npm', ['run', script], { all: true, reject: false });
		console.log(`\n=== npm run ${script}: ${exitCode === 0 ? 'clean' : 'failed'}\n${all ?? ''}`);
		if (exitCode !== 0) return false;
	}
	return true;
}

void main();
