import type { PlatformOptions } from '../../../platform';
import type { Figures, Job } from '../job';
import { atMost, figure, heading } from '../report';
import { runCandidate } from '../runCandidate';
import { AMPLE, IS_SMALL, jobFor, withPlatform } from '../shop';

const SIZES = IS_SMALL ? [1_000, 10_000] : [1_000, 10_000, 100_000];
const PAGE = 250;
/** Between two sizes; 1 is linear. Processor time counts, since machines are shared. */
const STEEPEST = 1.15;

/** A kind of work, and what it may cost at most. */
interface Work {
	/** What there is in the shop. */
	shop(count: number): PlatformOptions;
	/** Requests for this many rows, records or deliveries. */
	requests(count: number): number;
	/** Expressions of a row; each is evaluated once. */
	expressions: number;
	hasLeast?: boolean;
	/** Whether the rows are written once before, so that all of them are there. */
	isFilled?: boolean;
}

const EMPTY = { products: 0, orders: 0, customers: 0 };
const batch = { inDevelopment: { batch: true } };
const pages = (count: number): number => Math.ceil(count / PAGE);

const WORKS: Record<string, Work> = {
	list: {
		shop: (orders) => ({ products: 50, customers: 50, orders }),
		requests: pages,
		expressions: 0,
		hasLeast: true,
	},
	updates: {
		shop: () => ({ ...EMPTY, products: 250 }),
		requests: (count) => count,
		expressions: 2,
		hasLeast: true,
	},
	batches: { shop: () => ({ ...EMPTY, ...batch }), requests: (n) => n / 100, expressions: 0 },
	defined: { shop: () => ({ ...EMPTY, ...batch }), requests: (n) => n / 100, expressions: 4 },
	alone: {
		shop: () => EMPTY,
		requests: (count) => count + pages(count) + 10,
		expressions: 0,
		isFilled: true,
	},
	prices: {
		shop: () => EMPTY,
		requests: (count) => count + pages(count),
		expressions: 2,
		isFilled: true,
	},
	// A poll reads again what the last one read within its overlap.
	polls: {
		shop: (orders) => ({ products: 50, customers: 50, orders }),
		requests: (count) => 1.1 * pages(count) + 3,
		expressions: 0,
	},
	deliveries: { shop: () => EMPTY, requests: () => 0, expressions: 0 },
};

/** How each kind of work grows with its size: time, memory, requests, evaluations, and how long n8n stands still. */
export async function grow(n8nFolder: string): Promise<void> {
	for (const [name, work] of Object.entries(WORKS)) {
		const measured: Array<Figures & { requests: number }> = [];
		for (const count of SIZES)
			await withPlatform({ ...AMPLE, ...work.shop(count) }, async (platform) => {
				const job = { ...(await jobFor(platform, n8nFolder)), warmUp: false, count };
				if (work.isFilled) await fill({ ...job, candidate: 'batches/ours' }, platform.control);
				await platform.control.resetCounters();
				const ours = await runCandidate({ ...job, candidate: `${name}/ours` });
				if (ours.items !== count) throw new Error(`${name}: ${ours.items} items of ${count}`);
				const { total: requests } = await platform.control.counters();
				const row = { [`${name}, ${count.toLocaleString('en')}`]: ours };
				if (work.hasLeast)
					row['the least node'] = await runCandidate({ ...job, candidate: `${name}/least` });
				heading(`Growth: ${name}, ${count.toLocaleString('en')}`, row);
				figure('longest block of the event loop, ms', ours.blockedMs);
				atMost('requests', requests, Math.ceil(work.requests(count)));
				atMost('evaluations', ours.evaluations, work.expressions * count);
				if (work.hasLeast)
					figure('processor time, ours / the least node', ours.cpuMs / row['the least node'].cpuMs);
				measured.push({ ...ours, requests });
			});
		for (const [index, { cpuMs }] of measured.slice(1).entries()) {
			const sizes = `${SIZES[index].toLocaleString('en')} to ${SIZES[index + 1].toLocaleString('en')}`;
			atMost(`exponent, ${sizes}`, Math.log10(cpuMs / measured[index].cpuMs), STEEPEST);
		}
	}
}

/** Writes the products of a job in batches, which the platform has only meanwhile. */
async function fill(
	job: Job,
	control: { configure(settings: object): Promise<unknown> },
): Promise<void> {
	await control.configure({ inDevelopment: { batch: true } });
	await runCandidate(job);
	await control.configure({ inDevelopment: { batch: false } });
}
