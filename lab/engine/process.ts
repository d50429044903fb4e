import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { freePort, LOOPBACK } from '../../platform/support/ports';
import { until } from '../../platform/support/until';
import type { Progress } from '../../test/support/progress';
import { ENGINE_FOLDER, ensureEngine } from './install';
import { API_KEY } from './settings';

/** A filled database; the engine reads it into memory and leaves it as it is. */
const FILLED = join(ENGINE_FOLDER, 'filled.sqlite');
const SCRIPT = join(__dirname, 'serve.ts');
const START_MS = 120_000;
/** No engine runs longer than this, nor after the process that started it. */
export const LONGEST_MS = 3_600_000;
const HEAP_MB = 1_024;

export interface RunningEngine {
	baseUrl: string;
	apiKey: string;
	stop(): Promise<void>;
}

const run = (...words: Array<string | number>) =>
	execa(
		process.execPath,
		[`--max-old-space-size=${HEAP_MB}`, '--import', 'tsx', SCRIPT, ...words.map(String)],
		{ stdio: ['ignore', 'inherit', 'inherit', 'ipc'], timeout: LONGEST_MS },
	);

/**
 * Starts the engine on loopback, in a process of its own. The first time it is installed (a minute) and filled (two
 * minutes).
 *
 * @param port of the API; any free one, if absent
 */
export async function startEngine(progress: Progress, port?: number): Promise<RunningEngine> {
	await ensureEngine(progress);
	if (!existsSync(FILLED)) {
		const filling = `${FILLED}.new`;
		await rm(filling, { force: true });
		await progress.during('Filling the shop', async () => {
			await run(filling, 0, await freePort(), 'seed');
		});
		await rename(filling, FILLED);
	}
	const apiPort = port ?? (await freePort());
	const child = run(FILLED, apiPort, await freePort(apiPort + 1));
	const ended = child.catch(() => undefined);
	const baseUrl = `http://${LOOPBACK}:${apiPort}/v1`;
	await until('the engine to answer', START_MS, async () => {
		if (child.exitCode !== null || child.signalCode !== null)
			throw new Error('The engine ended before it answered');
		return await fetch(baseUrl).then(
			() => true,
			() => undefined,
		);
	});
	const stop = async () => {
		child.kill();
		await ended;
	};
	return { baseUrl, apiKey: API_KEY, stop };
}
