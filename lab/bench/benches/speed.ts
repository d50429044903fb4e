import type { Product } from '../../../platform/shop/product';
import { apiClient } from '../../../platform/support/apiClient';
import { median } from '../../../test/support/figures';
import { byId } from '../../../test/support/parameters';
import { atMost, chart, figure, heading } from '../report';
import { Bench, type Nodes, type Run } from '../workflowRuns';

/** Rounds; the candidates take turns. One more round before them does not count. */
const ROUNDS = 10;
/** The goals apply to lists of this many records. */
const LONG = 50_000;
const MOST = 300_000;
const RECORDS = [1_000, LONG, MOST];
/** Rounds for the longest lists, which take a minute each. */
const FEW_ROUNDS = 4;
const PAGE = 250;
const ITEMS = 2_000;

/** Folder of a checkout with an earlier build: all our measurements are made with that build as well. */
const BEFORE = process.env.BENCH_BEFORE;
/** The most that a change may cost: two runs of the same build differ as much. */
const AS_BEFORE = 1.03;

/** The nodes of one candidate, and the goal for our time against its time. Ours comes first. */
interface Candidate {
	name: string;
	nodes: Nodes;
	/** The largest allowed ratio of our wall time to its own. */
	bound?: number;
}

/** Runs the candidates' workflows in turns, since the load of a shared machine changes by the minute. */
async function compare(
	bench: Bench,
	title: string,
	before: Nodes,
	candidates: Candidate[],
	items: number,
	rounds = ROUNDS,
): Promise<Record<string, number>> {
	const measured: Array<Candidate & { run: () => Promise<Run>; runs: Run[] }> = [];
	for (const candidate of candidates) {
		const run = await bench.workflow(`${title}: ${candidate.name}`, before, candidate.nodes);
		measured.push({ ...candidate, run, runs: [] });
	}
	for (let round = 0; round <= rounds; round++) {
		for (const { name, run, runs } of round % 2 === 0 ? measured : [...measured].reverse()) {
			const result = await run();
			if (result.items !== items) throw new Error(`${name} gave ${result.items} of ${items} items`);
			if (round > 0) runs.push(result);
		}
	}
	const [ours, ...peers] = measured;
	heading(title);
	const took = Object.fromEntries(
		measured.map(({ name, runs }) => [name, median(runs.map(({ wallMs }) => wallMs))]),
	);
	for (const [name, ms] of Object.entries(took)) figure(`${name}, s`, ms / 1000);
	for (const { name, bound, runs } of peers) {
		const ratios = ours.runs.map(({ wallMs }, round) => wallMs / runs[round].wallMs);
		const what = `ours / ${name}, median of ${rounds} pairs`;
		if (bound === undefined) figure(what, ratios);
		else atMost(what, ratios, bound);
	}
	return took;
}

/** Our candidate and, if there is an earlier build, that one. */
function ours(parameters: object): [Candidate, ...Candidate[]] {
	const nodes = (type: string): Nodes => [
		{ type, parameters: { simplify: false, options: {}, ...parameters } },
	];
	const now = { name: 'ours', nodes: nodes('n8n-nodes-commerce-platform.commercePlatform') };
	if (BEFORE === undefined) return [now];
	return [now, { name: 'before', nodes: nodes('CUSTOM.commercePlatform'), bound: AS_BEFORE }];
}

const httpRequest = (parameters: object) => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'commercePlatformApi',
		options: {},
		...parameters,
	},
});

const byNextCursor = (pages: number) => ({
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: {
				parameters: [{ name: 'cursor', value: '={{ $response.body.pagination.next_cursor }}' }],
			},
			paginationCompleteWhen: 'other',
			completeExpression: '={{ !$response.body.pagination.has_more }}',
			limitPagesFetched: true,
			maxRequests: pages,
		},
	},
});

/**
 * Compares Return All with n8n's HTTP Request node and Split Out, and with the simplest possible node. Records are
 * large and small: the larger they are, the more of the time goes into parsing, which all candidates must do.
 */
export async function list(): Promise<void> {
	const kinds = [
		{ what: 'products', resource: 'product', path: '/products', ofHttpRequest: 0.65 },
		{
			what: 'inventory levels',
			resource: 'inventory',
			path: '/inventory/levels',
			ofHttpRequest: 0.55,
		},
	];
	await Bench.use(MOST, BEFORE, async (bench) => {
		for (const { what, resource, path, ofHttpRequest } of kinds) {
			const url = `${bench.platform.baseUrl}${path}`;
			const measured: Array<Record<string, number>> = [];
			for (const records of RECORDS) {
				const pages = records / PAGE;
				const isLong = records === LONG;
				const rounds = records > LONG ? FEW_ROUNDS : ROUNDS;
				const peers: Candidate[] = [
					{
						name: 'HTTP Request and Split Out',
						nodes: [
							httpRequest({ url: `${url}?limit=${PAGE}`, options: byNextCursor(pages) }),
							{ type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'data' } },
						],
						// No goal for a short list, which ends before the cost of the start evens out, nor for the longest, which
						// has few rounds.
						bound: isLong ? ofHttpRequest : undefined,
					},
					{
						name: 'the least node',
						nodes: [{ type: 'CUSTOM.leastList', parameters: { url, pages } }],
						bound: isLong ? 1.12 : undefined,
					},
				];
				const ourCandidates = ours({
					resource,
					operation: 'getAll',
					returnAll: true,
					options: { maxPages: pages },
				});
				const title = `${records.toLocaleString('en')} ${what} by Return All`;
				measured.push(
					await compare(bench, title, [], [...ourCandidates, ...peers], records, rounds),
				);
			}
			chart(`list-${resource}`, {
				title: `Return All of ${what}`,
				axes: ['records', 's'],
				isLogarithmic: true,
				lines: Object.keys(measured[0]).map((name) => ({
					name,
					points: RECORDS.map((records, i) => [records, measured[i][name] / 1000]),
				})),
			});
		}
	});
}

/** One request per item, compared with n8n's HTTP Request node and with a plain node that sends as many at once. */
export const get = async (): Promise<void> =>
	await oneByOne(
		`${ITEMS.toLocaleString('en')} single GETs (ours and the least node: 4 at once, HTTP Request: all at once)`,
		{ operation: 'get' },
		{ bound: 0.95, parameters: {} },
		(url) => [
			{
				name: 'the least node',
				nodes: [{ type: 'CUSTOM.leastGet', parameters: { url, id: '={{ $json.id }}' } }],
				bound: 0.9,
			},
		],
	);

/** One write per item, compared with n8n's HTTP Request node. Ours keeps the order of writes to one record. */
export const update = async (): Promise<void> =>
	await oneByOne(
		`${ITEMS.toLocaleString('en')} updates of products (ours: 4 at once, HTTP Request: all at once)`,
		{ operation: 'update', updateFields: { description: 'Measured' } },
		{
			bound: 0.95,
			parameters: {
				method: 'PATCH',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ { description: "Measured" } }}',
			},
		},
	);

async function oneByOne(
	title: string,
	operation: object,
	byHttp: { bound: number; parameters: object },
	others: (url: string) => Candidate[] = () => [],
): Promise<void> {
	await Bench.use(1_000, BEFORE, async (bench) => {
		const url = `${bench.platform.baseUrl}/products`;
		const products = await apiClient(bench.platform).data<Product[]>(`/products?limit=${PAGE}`);
		const list = Array.from({ length: ITEMS }, (_, n) => ({ id: products[n % PAGE].id }));
		const before: Nodes = [
			{
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify({ list }) },
			},
			{ type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'list' } },
		];
		const candidates: Candidate[] = [
			...ours({ resource: 'product', productId: byId('={{ $json.id }}'), ...operation }),
			{
				name: 'HTTP Request',
				nodes: [httpRequest({ url: `=${url}/{{ $json.id }}`, ...byHttp.parameters })],
				bound: byHttp.bound,
			},
			...others(url),
		];
		await compare(bench, title, before, candidates, ITEMS);
	});
}
