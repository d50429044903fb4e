import type { PlatformOptions } from '../../../platform';
import { runCandidate, type Figures, type Job } from '../job';
import { atMost, figure, heading } from '../report';
import { AMPLE, IS_SMALL, jobFor, withPlatform } from '../shop';

/** Writes one by one beyond that are more than a day of any plan. */
const UP_TO_ALONE = 10_000;
const SIZES = [1_000, UP_TO_ALONE, ...(IS_SMALL ? [] : [100_000])];
const PAGE = 250;
/** Between two sizes; 1 is linear. Processor time counts, since machines are shared. */
const STEEPEST = IS_SMALL ? 1.15 : 1.05;
/** How long n8n may stand still, ms; a small round on a machine of CI is not held to it. */
const LONGEST_BLOCK = 150;

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
	/** Whether each row costs a request of its own. */
	isAlone?: boolean;
	/** Whether each request gives one item for all of its rows. */
	isJoined?: boolean;
	/** Whether n8n's part and the sender run in the process that is measured, so that a block may be theirs. */
	isShared?: boolean;
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
	// Rows with variants are merged into what the shop has, which is read once.
	batches: { shop: () => ({ ...EMPTY, ...batch }), requests: (n) => n / 100 + 1, expressions: 0 },
	defined: { shop: () => ({ ...EMPTY, ...batch }), requests: (n) => n / 100, expressions: 4 },
	imports: {
		shop: () => EMPTY,
		requests: (count) => Math.ceil(count / 10_000),
		expressions: 0,
		isJoined: true,
	},
	// One batch is refused before.
	alone: {
		shop: () => EMPTY,
		requests: (count) => count + pages(count) + 1,
		expressions: 0,
		isFilled: true,
		isAlone: true,
	},
	aloneNew: {
		shop: (products) => ({ ...EMPTY, products }),
		requests: (count) => count + pages(count) + 1,
		expressions: 0,
		isAlone: true,
	},
	prices: {
		shop: () => EMPTY,
		requests: (count) => count + pages(count),
		expressions: 2,
		isFilled: true,
		isAlone: true,
	},
	samePrices: { shop: () => EMPTY, requests: pages, expressions: 2, isFilled: true },
	// A poll reads again what the last one read within its overlap.
	polls: {
		shop: (orders) => ({ products: 50, customers: 50, orders }),
		requests: (count) => 1.1 * pages(count) + 3,
		expressions: 0,
	},
	deliveries: { shop: () => EMPTY, requests: () => 0, expressions: 0, isShared: true },
};

/** How each kind of work grows with its size: time, memory, requests, evaluations, and how long n8n stands still. */
export async function grow(n8nFolder: string): Promise<void> {
	for (const [name, work] of Object.entries(WORKS)) {
		const measured: Array<Figures & { requests: number }> = [];
		const sizes = SIZES.filter((size) => !work.isAlone || size <= UP_TO_ALONE);
		for (const count of sizes)
			await withPlatform({ ...AMPLE, ...work.shop(count) }, async (platform) => {
				const job = {
					...(await jobFor(platform, n8nFolder)),
					warmUp: false,
					isWatched: true,
					count,
				};
				if (work.isFilled) await fill({ ...job, candidate: 'batches/ours' }, platform.control);
				await platform.control.resetCounters();
				const ours = await runCandidate({ ...job, candidate: `${name}/ours` });
				const { total: requests } = await platform.control.counters();
				const items = work.isJoined ? requests : count;
				if (ours.items !== items) throw new Error(`${name}: ${ours.items} items of ${items}`);
				const row = { [`${name}, ${count.toLocaleString('en')}`]: ours };
				if (work.hasLeast)
					row['the least node'] = await runCandidate({ ...job, candidate: `${name}/least` });
				heading(`Growth: ${name}, ${count.toLocaleString('en')}`, row);
				const block = 'longest block of the event loop, ms';
				if (IS_SMALL || work.hasLeast || work.isShared) figure(block, ours.blockedMs);
				else atMost(block, ours.blockedMs, LONGEST_BLOCK);
				atMost('requests', requests, Math.ceil(work.requests(count)));
				atMost('evaluations', ours.evaluations, work.expressions * count);
				if (work.hasLeast)
					figure('processor time, ours / the least node', ours.cpuMs / row['the least node'].cpuMs);
				measured.push({ ...ours, requests });
			});
		for (const [index, { cpuMs }] of measured.slice(1).entries()) {
			const [from, to] = sizes.slice(index).map((size) => size.toLocaleString('en'));
			const exponent = Math.log10(cpuMs / measured[index].cpuMs);
			atMost(`exponent, ${from} to ${to}`, exponent, STEEPEST);
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
