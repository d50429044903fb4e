import { LEVELS, PRODUCTS, type Job, type RecordList } from '../job';
import { atMost, heading } from '../report';
import { inTurns, medianFigures } from '../runCandidate';
import { AMPLE, jobFor, withPlatform } from '../shop';

/** Rounds in turns, and executions in a row in each. */
const ROUNDS = 10;
const REPEAT = 3;

/** A figure of ours over a peer's, and what it may be. */
interface Ratio {
	of: 'wallMs' | 'cpuMs';
	to: string;
	bound: number;
}

interface Comparison {
	title: string;
	products: number;
	/** What a candidate is told besides. */
	job?: Partial<Job>;
	ours: string;
	ratios: Ratio[];
}

/** Folder of a checkout with an earlier build: what is measured of ours is measured of that as well. */
const BEFORE = process.env.BENCH_BEFORE;

/** A change may cost that much, which is what two runs of the same build differ by. */
const withBefore = (operation: 'list' | 'get'): Ratio[] =>
	BEFORE === undefined
		? []
		: (['wallMs', 'cpuMs'] as const).map((of) => ({ of, to: `${operation}/before`, bound: 1.03 }));

const NAMES = { wallMs: 'wall', cpuMs: 'processor time' };

async function compare(
	{ title, products, job: more, ours, ratios }: Comparison,
	n8nFolder: string,
): Promise<void> {
	await withPlatform({ ...AMPLE, products }, async (platform) => {
		const job = { ...(await jobFor(platform, n8nFolder)), ...more, repeat: REPEAT, before: BEFORE };
		const names = [...new Set([ours, ...ratios.map(({ to }) => to)])];
		const figures = await inTurns(names, ROUNDS, job);
		heading(title, Object.fromEntries(names.map((name) => [name, medianFigures(figures[name])])));
		for (const { of, to, bound } of ratios) {
			const rounds = figures[ours].map((one, round) => one[of] / figures[to][round][of]);
			atMost(`${NAMES[of]}, ours / ${to}, median of ${ROUNDS} pairs`, rounds, bound);
		}
	});
}

/** Pages of 250: 50,000 records. */
const PAGES = 200;

/**
 * Return All against n8n's HTTP Request node with Split Out, and against the least that a node can do. Large records
 * and small: the larger, the more of the time is everybody's parsing.
 */
export async function list(n8nFolder: string): Promise<void> {
	const kinds: Array<[what: string, list: RecordList, ofHttpRequest: number]> = [
		['products', PRODUCTS, 0.65],
		['inventory levels', LEVELS, 0.55],
	];
	for (const [what, list, ofHttpRequest] of kinds) {
		const comparison: Comparison = {
			title: `50,000 ${what} by Return All`,
			products: 50_000,
			job: { list, pages: PAGES },
			ours: 'list/ours',
			ratios: [
				{ of: 'wallMs', to: 'list/http-request', bound: ofHttpRequest },
				{ of: 'wallMs', to: 'list/least-node', bound: 1.12 },
				...withBefore('list'),
			],
		};
		await compare(comparison, n8nFolder);
	}
}

/** One request an item against n8n's HTTP Request node, and against a plain node that sends as many at once. */
export const get = async (n8nFolder: string): Promise<void> =>
	await compare(
		{
			title: '2,000 single GETs (ours and the least node: 4 at once, HTTP Request: all at once)',
			products: 1_000,
			job: { count: 2_000 },
			ours: 'get/ours',
			ratios: [
				{ of: 'wallMs', to: 'get/http-request', bound: 0.95 },
				{ of: 'wallMs', to: 'get/least-node', bound: 0.9 },
				...withBefore('get'),
			],
		},
		n8nFolder,
	);
