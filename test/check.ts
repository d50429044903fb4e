import { cpus } from 'node:os';
import execa from 'execa';
import pLimit from 'p-limit';

/** What needs no running test, the longest first. */
const SCRIPTS = ['lint', 'typecheck:test', 'build', 'lint:structure'];

/** Runs the scripts, as many at once as there are cores, and prints what each said when it has ended. */
async function main(): Promise<void> {
	const limit = pLimit(cpus().length);
	const codes = await Promise.all(
		SCRIPTS.map(
			async (script) =>
				await limit(async () => {
					const { all, exitCode } = await execa('npm', ['run', script], {
						all: true,
						reject: false,
					});
					console.log(
						`\n=== npm run ${script}: ${exitCode === 0 ? 'clean' : 'failed'}\n${all ?? ''}`,
					);
					return exitCode;
				}),
		),
	);
	process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
}

void main();
