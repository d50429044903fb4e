import { existsSync } from 'node:fs';
import { join } from 'node:path';

import execa from 'execa';

import { freePort, LOOPBACK } from '../../platform/support/ports';
import { ensureInstalled } from '../../test/support/n8n/host';
import { Progress } from '../../test/support/progress';
import { REPOSITORY } from '../../test/support/repository';
import { describeFailure } from '../../test/support/userError';
import { listenToEngine } from './events';
import { seed } from './seed';
import { serve, startImports } from './server';
import { API_KEY } from './settings';
import { saveDatabase, startVendure } from './vendure';

/** Git-ignored. The engine and its database; the package has it for no dependency. */
const FOLDER = join(REPOSITORY, '.engine');
/** A filled database; the engine reads it into memory and leaves it as it is. */
const FILLED = join(FOLDER, 'filled.sqlite');
const PORT = 4_300;
const FIRST_ARGUMENT = 2;

/**
 * Starts the engine on loopback, in this process. The first time it is installed (a minute) and filled (two minutes).
 *
 * @param port of the API
 * @returns its address
 */
async function startEngine(port: number): Promise<string> {
	const progress = new Progress();
	const recipe = { recipe: __dirname, folder: FOLDER, native: ['bcrypt'] };
	await ensureInstalled('the engine into .engine/', recipe, progress);
	const isFilled = existsSync(FILLED);
	await startVendure(FOLDER, FILLED, await freePort(port + 1));
	if (!isFilled) {
		await progress.during('Filling the shop', async () => await seed(progress));
		await saveDatabase();
	}
	await startImports();
	listenToEngine();
	serve(port);
	return `http://${LOOPBACK}:${port}/v1`;
}

/**
 * `npm run engine`: the engine, until Ctrl+C. `npm run test:engine`: all tries against it, or those whose names the words
 * behind `--` name.
 */
async function main(): Promise<void> {
	const [task, ...words] = process.argv.slice(FIRST_ARGUMENT);
	const isTest = task === 'test';
	const address = await startEngine(isTest ? await freePort() : PORT);
	console.log(`The API is at ${address} with the key ${API_KEY}`);
	if (!isTest) return;
	const { exitCode } = await execa('npx', ['jest', '-c', 'lab/engine/jest.config.cjs', ...words], {
		stdio: 'inherit',
		env: { ENGINE_URL: address, ENGINE_KEY: API_KEY },
		reject: false,
	});
	process.exit(exitCode);
}

main().catch((error: unknown) => {
	console.error(`\n${describeFailure(error)}`);
	process.exit(1);
});
