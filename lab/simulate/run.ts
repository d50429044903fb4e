import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import pLimit from 'p-limit';

import { FAULTS } from './faults';
import { add, hunt, nothingHunted, type Hunted } from './hunt';
import { Sources } from './sources';
import { playStories } from './stories';

/**
 * `npm run simulate -- 100000 --seed 7`: runs this many schedules of deliveries and endpoints, in two threads.
 * `--faults`: each deliberate fault of faults.ts must be found within 10,000 schedules.
 * `100 --real`: plays this many stories against a real n8n as well; the outcomes must be the same.
 */
const { values, positionals } = parseArgs({
	options: {
		seed: { type: 'string' },
		faults: { type: 'boolean' },
		real: { type: 'boolean' },
	},
	allowPositionals: true,
});

const THREADS = 2;
/** Schedules after which a thread reports. */
const TOLD_EVERY = 1_000;
const WITHIN = 10_000;

interface Part {
	from: number;
	count: number;
	fault?: string;
}

async function main(): Promise<void> {
	if (!isMainThread) return await huntPart(workerData as Part);
	const seed = values.seed === undefined ? randomInt(2 ** 30) : Number(values.seed);
	if (values.faults) process.exitCode = await findFaults(seed);
	else if (values.real) process.exitCode = await playStories(Number(positionals[0] ?? 100), seed);
	else process.exitCode = await search(seed);
}

/** The work of a thread; it reports after every thousand schedules. */
async function huntPart({ from, count, fault }: Part): Promise<void> {
	// Stack traces are slow, and nobody reads those of simulated errors.
	Error.stackTraceLimit = 0;
	const sources = new Sources(fault === undefined ? undefined : FAULTS[fault]);
	for (let done = 0; done < count; done += TOLD_EVERY) {
		const hunted = await hunt(sources, from + done, Math.min(TOLD_EVERY, count - done));
		parentPort!.postMessage(hunted);
		if (hunted.broken !== undefined) return;
	}
}

/** Runs a part in its own thread, until the part ends or the signal aborts it. */
async function inThread(part: Part, signal?: AbortSignal): Promise<Hunted> {
	const worker = new Worker(__filename, { workerData: part, execArgv: ['--import', 'tsx'] });
	signal?.addEventListener('abort', () => void worker.terminate());
	const sum = nothingHunted();
	worker.on('message', (hunted: Hunted) => add(sum, hunted));
	const [code] = (await once(worker, 'exit')) as [number];
	if (code !== 0 && !signal?.aborted)
		throw new Error(`A thread of the simulation failed: ${JSON.stringify(part)}`);
	return sum;
}

async function search(seed: number): Promise<number> {
	const count = Number(positionals[0] ?? 100_000);
	const share = Math.ceil(count / THREADS);
	const startedMs = performance.now();
	const found = new AbortController();
	const sum = nothingHunted();
	const searchShare = async (_: unknown, i: number) => {
		const part = { from: seed + i * share, count: Math.min(share, count - i * share) };
		add(sum, await inThread(part, found.signal));
		if (sum.broken !== undefined) found.abort();
	};
	await Promise.all(Array.from({ length: Math.min(THREADS, count) }, searchShare));
	const seconds = Math.round((performance.now() - startedMs) / 1000);
	console.log(
		`${sum.schedules} schedules from seed ${seed}, ${sum.deliveries} deliveries judged, ${seconds} s`,
	);
	for (const [cause, times] of Object.entries(sum.causes).sort())
		console.log(`  ${times} × ${cause}`);
	if (sum.broken === undefined) return 0;
	const { seed: broken, violation, story } = sum.broken;
	console.log(
		`\nBroken: ${violation}\n\n${story.join('\n')}\n\nAgain: npm run simulate -- 1 --seed ${broken}`,
	);
	return 1;
}

async function findFaults(seed: number): Promise<number> {
	console.log(`Each fault within ${WITHIN} schedules from seed ${seed}:`);
	const limit = pLimit(THREADS);
	const isFound = async (fault: string): Promise<boolean> => {
		const { schedules, broken } = await inThread({ from: seed, count: WITHIN, fault });
		const found = broken === undefined ? 'NOT FOUND' : `found, “${broken.violation}”`;
		console.log(`${fault}: ${found} (${schedules} schedules)`);
		return broken !== undefined;
	};
	const all = await Promise.all(
		Object.keys(FAULTS).map(async (fault) => await limit(isFound, fault)),
	);
	return all.every(Boolean) ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
