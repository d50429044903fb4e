import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { FAULTS } from './faults';
import { hunt, type Hunted } from './hunt';
import { Sources } from './sources';

/**
 * `npm run simulate -- 100000 --seed 7`: so many schedules of deliveries and endpoints, over two processes.
 * `--faults`: each deliberate fault of faults.ts must be found, within 10,000 schedules.
 */
const { values, positionals } = parseArgs({
	options: {
		seed: { type: 'string' },
		faults: { type: 'boolean' },
		/** Used by this command for its own processes. */
		part: { type: 'string' },
	},
	allowPositionals: true,
});

const PROCESSES = 2;
/** Schedules of one part, so that what is found is told soon. */
const PART = 1_000;
const WITHIN = 10_000;

interface Part {
	from: number;
	count: number;
	fault?: string;
}

async function main(): Promise<void> {
	if (values.part !== undefined) {
		const { from, count, fault } = JSON.parse(values.part) as Part;
		const sources = new Sources(fault === undefined ? [] : FAULTS[fault]);
		console.log(JSON.stringify(await hunt(sources, from, count)));
		return;
	}
	const seed = values.seed === undefined ? randomInt(2 ** 30) : Number(values.seed);
	process.exitCode = values.faults ? await findFaults(seed) : await search(seed);
}

/** Runs a part in a process of its own. */
async function inProcess(part: Part): Promise<Hunted> {
	const args = ['--import', 'tsx', __filename, '--part', JSON.stringify(part)];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	const printed = await text(child.stdout);
	if ((await ended) !== 0)
		throw new Error(`A process of the simulation failed: ${JSON.stringify(part)}`);
	return JSON.parse(printed) as Hunted;
}

async function overProcesses<T>(list: T[], work: (one: T) => Promise<boolean>): Promise<void> {
	const left = [...list];
	const worker = async () => {
		for (let one = left.shift(); one !== undefined; one = left.shift())
			if (!(await work(one))) left.length = 0;
	};
	await Promise.all(Array.from({ length: PROCESSES }, worker));
}

async function search(seed: number): Promise<number> {
	const count = Number(positionals[0] ?? 100_000);
	const parts = Array.from({ length: Math.ceil(count / PART) }, (_, i): Part => {
		return { from: seed + i * PART, count: Math.min(PART, count - i * PART) };
	});
	const sum: Hunted = { schedules: 0, deliveries: 0, causes: {} };
	const startedMs = performance.now();
	await overProcesses(parts, async (part) => {
		const { schedules, deliveries, causes, broken } = await inProcess(part);
		sum.schedules += schedules;
		sum.deliveries += deliveries;
		for (const [cause, times] of Object.entries(causes))
			sum.causes[cause] = (sum.causes[cause] ?? 0) + times;
		sum.broken ??= broken;
		return broken === undefined;
	});
	const seconds = Math.round((performance.now() - startedMs) / 1000);
	console.log(
		`${sum.schedules} schedules from seed ${seed}, ${sum.deliveries} deliveries judged, ${seconds} s`,
	);
	for (const [cause, times] of Object.entries(sum.causes).sort())
		console.log(`  ${times} × ${cause}`);
	if (sum.broken === undefined) return 0;
	const { seed: found, violation, story } = sum.broken;
	console.log(
		`\nBroken: ${violation}\n\n${story.join('\n')}\n\nAgain: npm run simulate -- 1 --seed ${found}`,
	);
	return 1;
}

async function findFaults(seed: number): Promise<number> {
	let missed = 0;
	await overProcesses(Object.keys(FAULTS), async (fault) => {
		const { schedules, broken } = await inProcess({ from: seed, count: WITHIN, fault });
		if (broken === undefined) missed++;
		const found = broken === undefined ? 'NOT FOUND' : `found, “${broken.violation}”`;
		console.log(`${fault}: ${found} (${schedules} schedules)`);
		return true;
	});
	return missed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
