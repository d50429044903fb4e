import execa from 'execa';

import { Progress } from '../../test/support/progress';
import { describeFailure } from '../../test/support/userError';
import { startEngine } from './process';

const PORT = 4_300;
const FIRST_ARGUMENT = 2;

/**
 * `npm run engine`: the engine, until Ctrl+C. `npm run test:engine`: all tries against it, or those whose names the words
 * behind `--` name.
 */
async function main(): Promise<void> {
	const [task, ...words] = process.argv.slice(FIRST_ARGUMENT);
	const isTest = task === 'test';
	const engine = await startEngine(new Progress(), isTest ? undefined : PORT);
	if (!isTest) return;
	const jest = ['jest', '-c', 'lab/engine/jest.config.cjs', ...words];
	const { baseUrl, apiKey } = engine;
	const { exitCode } = await execa('npx', jest, {
		stdio: 'inherit',
		env: { ENGINE_URL: baseUrl, ENGINE_KEY: apiKey },
		reject: false,
	});
	await engine.stop();
	process.exitCode = exitCode;
}

main().catch((error: unknown) => {
	console.error(`\n${describeFailure(error)}`);
	process.exitCode = 1;
});
