import { ensureHost } from '../e2e/n8n/host';
import { Progress } from '../e2e/progress';
import { startPlatform, type Platform, type PlatformOptions } from '../platform';
import type { Figures, Job } from './job';
import { inTurns, runContender } from './runContender';

/** Side-by-side measurements. Ratios count; the machine is shared, so milliseconds are for orientation. */

/** Rounds in turns, and executions in a row in each. */
const ROUNDS = 5;
const REPEAT = 3;

const WINDOW_MS = 5_000;
const BUDGET = 100;
const PACED_REQUESTS = 1_000;

const ample: PlatformOptions = {
	validate: false,
	minuteBudget: 100_000_000,
	dayBudget: 1_000_000_000,
};

type Bench = (n8nFolder: string) => Promise<void>;

const BENCHES: Record<string, Bench> = {
	list: async (n8nFolder) => {
		await withPlatform({ ...ample, products: 50_000 }, async (platform) => {
			const job = { ...(await jobFor(platform, n8nFolder)), repeat: REPEAT };
			const names = ['list/bare', 'list/ours', 'list/http-request'];
			const figures = await inTurns(names, ROUNDS, job);
			heading('50,000 records by Return All', figures);
			ratio(
				'wall, ours / HTTP Request and Split Out',
				figures['list/ours'].wallMs / figures['list/http-request'].wallMs,
				0.5,
			);
			ratio(
				'wall, ours / bare fetch loop',
				figures['list/ours'].wallMs / figures['list/bare'].wallMs,
				1.35,
			);
		});
	},
	get: async (n8nFolder) => {
		await withPlatform({ ...ample, products: 1_000 }, async (platform) => {
			const job = { ...(await jobFor(platform, n8nFolder, 2_000)), repeat: REPEAT };
			const figures = await inTurns(['get/ours', 'get/http-request'], ROUNDS, job);
			heading('2,000 single GETs (ours: 4 at once, HTTP Request: all at once)', figures);
			ratio(
				'wall, ours / HTTP Request',
				figures['get/ours'].wallMs / figures['get/http-request'].wallMs,
				0.9,
			);
			ratio(
				'processor time, ours / HTTP Request',
				figures['get/ours'].cpuMs / figures['get/http-request'].cpuMs,
				1.1,
			);
		});
	},
	memory: async () => {
		const { Seen } = await import('../../nodes/CommercePlatformTrigger/memory/seen');
		const nowMs = Date.now();
		const fingerprint = (n: number) => n.toString(36).padStart(8, '-');
		const seen = new Seen();
		for (let n = 0; n < 20_000; n++) seen.add(fingerprint(n), nowMs - (n % 1_600) * 60_000);
		const rounds = 200_000;
		const startedMs = performance.now();
		for (let n = 0; n < rounds; n++) seen.has(fingerprint(n), nowMs);
		console.log('\nThe trigger’s memory with 10,000 deliveries (two marks each)');
		ratio('milliseconds a look-up', (performance.now() - startedMs) / rounds, 0.1);
	},
	size: async (n8nFolder) => {
		await withPlatform({ ...ample, products: 300_000 }, async (platform) => {
			const job = { ...(await jobFor(platform, n8nFolder)), warmUp: false };
			const held = await runContender({ ...job, contender: 'list/held' });
			const ours = await runContender({ ...job, contender: 'list/ours' });
			heading('300,000 records in one execution', { 'list/held': held, 'list/ours': ours });
			console.log(`  items ${ours.items}, linked to their input item ${ours.linked}`);
			ratio('peak memory, ours / the same records in an array', ours.peakMb / held.peakMb, 1.5);
		});
	},
	pace: async (n8nFolder) => {
		const budget = { minuteBudget: BUDGET, minuteWindowMs: WINDOW_MS, dayBudget: 1_000_000 };
		for (const contender of ['get/ours', 'get/naive']) {
			await withPlatform({ ...budget, products: 1_000, validate: false }, async (platform) => {
				const job = { ...(await jobFor(platform, n8nFolder, PACED_REQUESTS)), warmUp: false };
				await platform.control.resetCounters();
				const figures = await runContender({ ...job, contender });
				await reportPacing(contender, platform, figures);
			});
		}
	},
};

/**
 * The least time that the budget allows: what is left of the first window, and every further one but the last,
 * whose requests can go out at its beginning.
 */
function leastMs(startedAtMs: number): number {
	const restMs = WINDOW_MS - (startedAtMs % WINDOW_MS);
	return restMs + (Math.ceil(PACED_REQUESTS / BUDGET) - 2) * WINDOW_MS;
}

async function reportPacing(
	contender: string,
	platform: Platform,
	figures: Figures,
): Promise<void> {
	const { total, byRoute } = await platform.control.counters();
	const refused = byRoute
		.filter(({ status }) => status === 429)
		.reduce((sum, { count }) => sum + count, 0);
	heading(`1,000 requests under a budget of 100 in 5 s`, { [contender]: figures });
	ratio('time / least possible time', figures.wallMs / leastMs(figures.startedAtMs), 1.1);
	ratio('answered 429 / sent', refused / total, 0.01);
}

async function withPlatform(
	options: PlatformOptions,
	use: (platform: Platform) => Promise<void>,
): Promise<void> {
	const platform = await startPlatform(options);
	try {
		await use(platform);
	} finally {
		await platform.close();
	}
}

async function jobFor(
	platform: Platform,
	n8nFolder: string,
	count = 0,
): Promise<Omit<Job, 'contender'>> {
	const answer = await fetch(`${platform.baseUrl}/products?limit=50`, {
		headers: { authorization: `Bearer ${platform.apiKey}` },
	});
	const { data } = (await answer.json()) as { data: Array<{ id: string }> };
	const { baseUrl, apiKey } = platform;
	return {
		baseUrl,
		apiKey,
		n8nFolder,
		count,
		ids: data.map(({ id }) => id),
		warmUp: true,
		repeat: 1,
	};
}

function heading(title: string, figures: Record<string, Figures>): void {
	console.log(`\n${title}`);
	for (const [name, { wallMs, cpuMs, peakMb }] of Object.entries(figures)) {
		const columns = [
			`${wallMs.toFixed(0)} ms`,
			`${cpuMs.toFixed(0)} ms processor`,
			`${peakMb.toFixed(0)} MB peak`,
		];
		console.log(`  ${name.padEnd(20)} ${columns.map((column) => column.padStart(20)).join('')}`);
	}
}

function ratio(what: string, value: number, bound: number): void {
	const verdict = value <= bound ? 'within' : 'ABOVE';
	console.log(`  ${what}: ${value.toPrecision(3)} (${verdict} ${bound})`);
}

async function main(): Promise<void> {
	const chosen = process.argv.slice(2);
	const names = chosen.length > 0 ? chosen : Object.keys(BENCHES);
	const unknown = names.find((name) => !(name in BENCHES));
	if (unknown !== undefined)
		throw new Error(
			`There is no bench “${unknown}”. Choose from: ${Object.keys(BENCHES).join(', ')}`,
		);
	const { folder } = await ensureHost(new Progress());
	for (const name of names) await BENCHES[name](folder);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
