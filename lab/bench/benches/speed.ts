import type { Product } from '../../../platform/shop/product';
import { apiClient } from '../../../platform/support/apiClient';
import type { TestEnvironment } from '../../../test/support/environment/testEnvironment';
import { median } from '../../../test/support/figures';
import { byId } from '../../../test/support/parameters';
import { atMost, figure, heading } from '../report';
import { inSmall } from '../shop';
import { measuredWorkflow, withN8n, type Nodes, type Run } from '../workflowRuns';

/** Rounds; the candidates take turns. One more round before them does not count. */
const ROUNDS = inSmall(10, 1);
/** The goals apply to lists of this many records; a shorter list ends before the cost of the start evens out. */
const LONG = inSmall(50_000, 500);
/** Rounds for the longest lists, which take a minute each. */
const FEW_ROUNDS = inSmall(4, 1);
const RECORDS = [inSmall(1_000, 250), LONG, inSmall(300_000, 750)];
const MOST = Math.max(...RECORDS);
const PAGE = 250;
const ITEMS = inSmall(2_000, 20);

/** The nodes of one candidate, and the goal for our time against its time. Ours comes first. */
interface Candidate {
	name: string;
	nodes: Nodes;
	/** The largest allowed ratio of our wall time to its own. */
	bound?: number;
}

/** Runs the candidates' workflows in turns, since the load of a shared machine changes by the minute. */
async function compare(
	environment: TestEnvironment,
	title: string,
	before: Nodes,
	candidates: Candidate[],
	items: number,
	rounds = ROUNDS,
): Promise<void> {
	const measured: Array<Candidate & { run: () => Promise<Run>; runs: Run[] }> = [];
	for (const candidate of candidates) {
		const name = `${title}: ${candidate.name}`;
		const run = await measuredWorkflow(environment, name, before, candidate.nodes);
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
	for (const { name, runs } of measured)
		figure(`${name}, s`, median(runs.map(({ wallMs }) => wallMs)) / 1000);
	for (const { name, bound, runs } of peers) {
		const ratios = ours.runs.map(({ wallMs }, round) => wallMs / runs[round].wallMs);
		const what = `ours / ${name}, median of ${rounds} pairs`;
		if (bound === undefined) figure(what, ratios);
		else atMost(what, ratios, bound);
	}
}

const ours = (parameters: object): Candidate => ({
	name: 'ours',
	nodes: [
		{
			type: 'n8n-nodes-commerce-platform.commercePlatform',
			parameters: { simplify: false, options: {}, ...parameters },
		},
	],
});

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
 * Compares Get Many with n8n's HTTP Request node and Split Out, and with the simplest possible node. Records are
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
	await withN8n(MOST, async (environment) => {
		for (const { what, resource, path, ofHttpRequest } of kinds) {
			const url = `${environment.platform.baseUrl}${path}`;
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
						bound: isLong ? ofHttpRequest : undefined,
					},
					{
						name: 'the least node',
						nodes: [{ type: 'CUSTOM.leastList', parameters: { url, pages } }],
						bound: isLong ? 1.12 : undefined,
					},
				];
				// One shop for all sizes, so a limit ends the shorter lists.
				const list = ours({ resource, operation: 'getAll', returnAll: false, limit: records });
				const title = `${records.toLocaleString('en')} ${what} by Get Many`;
				await compare(environment, title, [], [list, ...peers], records, rounds);
			}
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
	await withN8n(1_000, async (environment) => {
		const url = `${environment.platform.baseUrl}/products`;
		const products = await apiClient(environment.platform).data<Product[]>(
			`/products?limit=${PAGE}`,
		);
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
			ours({ resource: 'product', productId: byId('={{ $json.id }}'), ...operation }),
			{
				name: 'HTTP Request',
				nodes: [httpRequest({ url: `=${url}/{{ $json.id }}`, ...byHttp.parameters })],
				bound: byHttp.bound,
			},
			...others(url),
		];
		await compare(environment, title, before, candidates, ITEMS);
	});
}
