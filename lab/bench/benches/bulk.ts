import type { Platform } from '../../../platform';
import { atMost, figure, heading } from '../report';
import { runCandidate } from '../runCandidate';
import type { Figures, Job } from '../job';
import type { InUse } from '../liveMemory';
import { AMPLE, jobFor, withPlatform } from '../shop';

/** Items that all candidates write. The time of n8n's loop grows with their square, so there are no more. */
const SIDE_BY_SIDE = 2_000;
const MEASURED = [1_000, 10_000, 100_000];
/** How often the bench looks at the memory in use, ms. */
const LOOK_MS = 1_000;

interface Measured extends Figures {
	requests: number;
}

/**
 * Compares Create or Update of many products with single writes and with n8n's HTTP Request node in Loop Over Items.
 */
export async function bulk(n8nFolder: string): Promise<void> {
	const options = { ...AMPLE, products: 0, orders: 0, customers: 0 };
	await withPlatform({ ...options, inDevelopment: { batch: true } }, async (platform) => {
		const job = { ...(await jobFor(platform, n8nFolder)), warmUp: true };
		await sideBySide(platform, job);
		await growth(platform, { ...job, warmUp: false });
		await unchangedAndDry(platform, { ...job, count: 10_000 });
	});
}

async function sideBySide(platform: Platform, job: Omit<Job, 'candidate'>): Promise<void> {
	const figures: Record<string, Measured> = {};
	for (const name of ['bulk/ours', 'bulk/single', 'bulk/http-loop'])
		figures[name] = await measure(platform, { ...job, candidate: name, count: SIDE_BY_SIDE });
	heading(`${SIDE_BY_SIDE} products written`, figures);
	const ours = figures['bulk/ours'];
	for (const to of ['bulk/single', 'bulk/http-loop']) {
		atMost(`requests, ours / ${to}`, ours.requests / figures[to].requests, 1 / 50);
		figure(`wall, ours / ${to}`, ours.wallMs / figures[to].wallMs);
		figure(`processor time, ours / ${to}`, ours.cpuMs / figures[to].cpuMs);
	}
}

async function growth(platform: Platform, job: Omit<Job, 'candidate'>): Promise<void> {
	const figures: Record<string, Measured> = {};
	for (const count of MEASURED)
		figures[`${count} items`] = await measure(platform, { ...job, candidate: 'bulk/ours', count });
	const most = MEASURED[MEASURED.length - 1];
	const held = await measure(platform, { ...job, candidate: 'bulk/held', count: most });
	heading('Growth of Create or Update', { ...figures, 'input of 100,000': held });
	const all = MEASURED.map((count) => figures[`${count} items`]);
	for (const { requests, items, linked } of all)
		figure(`requests for ${items} items, of which ${linked} are linked to their input`, requests);
	const [thousand, tenThousand, hundredThousand] = all;
	figure('exponent of wall time, 1,000 to 10,000', exponent(thousand.wallMs, tenThousand.wallMs));
	figure(
		'exponent of wall time, 10,000 to 100,000',
		exponent(tenThousand.wallMs, hundredThousand.wallMs),
	);
	figure('exponent of processor time', exponent(tenThousand.cpuMs, hundredThousand.cpuMs));
	await memoryBeside(platform, job);
}

/**
 * Memory for 100,000 items, compared with a node that does nothing: n8n holds the input for that one too, and for ours
 * also the output. These are separate runs, since looking at the memory takes time.
 */
async function memoryBeside(platform: Platform, job: Omit<Job, 'candidate'>): Promise<void> {
	const look = async (candidate: string, count: number): Promise<InUse> => {
		const figures = await measure(platform, { ...job, candidate, count, lookEveryMs: LOOK_MS });
		if (figures.inUse === undefined) throw new Error(`${candidate} has not looked at its memory`);
		return figures.inUse;
	};
	const tenThousand = await look('bulk/ours', 10_000);
	const hundredThousand = await look('bulk/ours', 100_000);
	const held = await look('bulk/held', 100_000);
	const beyondStart = ({ most, before }: InUse) => most - before;
	const input = beyondStart(held);
	const output = hundredThousand.after - hundredThousand.before;
	figure('MB in use beyond the start, 10,000 items', beyondStart(tenThousand));
	figure('MB in use beyond the start, 100,000 items', beyondStart(hundredThousand));
	figure('MB of the input alone', input);
	figure('MB of the output alone', output);
	atMost(
		'peak beyond input and output / the input',
		(beyondStart(hundredThousand) - input - output) / input,
		0.3,
	);
}

/** The exponent of growth between two measurements, the second with ten times the items. */
const exponent = (small: number, large: number) => Math.log10(large / small);

async function unchangedAndDry(platform: Platform, job: Omit<Job, 'candidate'>): Promise<void> {
	const ours = { ...job, candidate: 'bulk/ours', warmUp: false };
	await measure(platform, ours);
	const again = await measure(platform, { ...ours, options: { onlyIfChanged: true } }, false);
	const dry = await measure(platform, { ...ours, options: { dryRun: true } }, false);
	heading('10,000 unchanged products with Only If Changed, and a dry run', {
		unchanged: again,
		'dry run': dry,
	});
	atMost('requests over unchanged products', again.requests, 41);
	atMost('writes over unchanged products', again.writes, 0);
	// A dry run reads the products to show old values beside new ones.
	atMost('requests of a dry run', dry.requests, 41);
	atMost('writes of a dry run', dry.writes, 0);
}

async function measure(
	platform: Platform,
	job: Job,
	fresh = true,
): Promise<Measured & { writes: number }> {
	const { control } = platform;
	if (fresh) {
		await control.reset();
		await control.configure({ inDevelopment: { batch: true } });
	}
	await control.resetCounters();
	const figures = await runCandidate(job);
	const { total, byRoute } = await control.counters();
	const writes = byRoute
		.filter(({ method }) => method !== 'GET')
		.reduce((sum, { count }) => sum + count, 0);
	return { ...figures, requests: total, writes };
}
