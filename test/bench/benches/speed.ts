import { LEVELS, PRODUCTS, type Figures, type Job, type RecordList } from '../job';
import { atMost, chart, heading, told } from '../report';
import { inTurns, medianFigures } from '../runCandidate';
import { AMPLE, jobFor, withPlatform } from '../shop';

/** Rounds in turns, and executions in a row in each. */
const ROUNDS = 4;
const REPEAT = 2;

interface Comparison {
	title: string;
	products: number;
	/** What a candidate is told besides. */
	job?: Partial<Job>;
	ours: string;
	/** Peer → what our time over its own may be, where that is said. */
	bounds: Record<string, number | undefined>;
}

async function compare(
	{ title, products, job: more, ours, bounds }: Comparison,
	n8nFolder: string,
): Promise<Record<string, Figures>> {
	let all: Record<string, Figures> = {};
	await withPlatform({ ...AMPLE, products }, async (platform) => {
		const job = { ...(await jobFor(platform, n8nFolder)), ...more, repeat: REPEAT };
		const figures = await inTurns([ours, ...Object.keys(bounds)], ROUNDS, job);
		all = Object.fromEntries(
			Object.entries(figures).map(([name, rounds]) => [name, medianFigures(rounds)]),
		);
		heading(title, all);
		for (const [peer, bound] of Object.entries(bounds)) {
			const rounds = figures[ours].map(({ wallMs }, round) => wallMs / figures[peer][round].wallMs);
			const what = `wall, ours / ${peer}, median of ${ROUNDS} pairs`;
			if (bound === undefined) told(what, rounds);
			else atMost(what, rounds, bound);
		}
	});
	return all;
}

const MOST = 50_000;
const RECORDS = [1_000, MOST];
const PAGE = 250;

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
		const measured: Array<Record<string, Figures>> = [];
		for (const records of RECORDS) {
			const comparison: Comparison = {
				title: `${records.toLocaleString('en')} ${what} by Return All`,
				products: records,
				job: { list, pages: records / PAGE },
				ours: 'list/ours',
				// A short list is over before the time of a start has been spread.
				bounds: {
					'list/http-request': records === MOST ? ofHttpRequest : undefined,
					'list/least-node': records === MOST ? 1.12 : undefined,
				},
			};
			measured.push(await compare(comparison, n8nFolder));
		}
		chart(`list-${list.resource}`, {
			title: `Return All of ${what}`,
			axes: ['records', 's'],
			isLogarithmic: true,
			lines: Object.keys(measured[0]).map((name) => ({
				name,
				points: RECORDS.map((records, i) => [records, measured[i][name].wallMs / 1000]),
			})),
		});
	}
}

/** One request an item against n8n's HTTP Request node, and against a plain node that sends as many at once. */
export async function get(n8nFolder: string): Promise<void> {
	const comparison: Comparison = {
		title: '2,000 single GETs (ours and the least node: 4 at once, HTTP Request: all at once)',
		products: 1_000,
		job: { count: 2_000 },
		ours: 'get/ours',
		bounds: { 'get/http-request': 0.95, 'get/least-node': 0.9 },
	};
	await compare(comparison, n8nFolder);
}

/** One write an item against n8n's HTTP Request node. Ours keeps the order of writes to one record. */
export async function update(n8nFolder: string): Promise<void> {
	const comparison: Comparison = {
		title: '2,000 updates of products (ours: 4 at once, HTTP Request: all at once)',
		products: 1_000,
		job: { count: 2_000 },
		ours: 'update/ours',
		bounds: { 'update/http-request': 0.95 },
	};
	await compare(comparison, n8nFolder);
}
