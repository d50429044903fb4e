import Module from 'node:module';
import { join } from 'node:path';

import { Expression, type INodeType, type IVersionedNodeType } from 'n8n-workflow';

import { runNode, type NodeRun } from '../engine/engine';
import type { Figures, Job } from './job';

/** One contender, alone in a process, so that its processor time and memory are its own. */

const job = JSON.parse(process.argv[2]) as Job;
const credentials = { baseUrl: job.baseUrl, apiKey: job.apiKey };

/** What is built or installed is there only when this runs. */
const load = Module.createRequire(__filename);

/** Nodes of n8n itself come from the installed n8n, but run on the same n8n-workflow as ours. */
function n8nNode(path: string, version: number): INodeType {
	const resolver = Module as unknown as {
		_resolveFilename: (name: string, ...rest: unknown[]) => string;
	};
	const original = resolver._resolveFilename;
	const ours = require.resolve('n8n-workflow');
	resolver._resolveFilename = (name, ...rest) =>
		name === 'n8n-workflow' ? ours : original.call(resolver, name, ...rest);
	const file = join(job.n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', path);
	const [nodeClass] = Object.values(
		load(file) as Record<string, new () => INodeType | IVersionedNodeType>,
	);
	const node = new nodeClass();
	return 'nodeVersions' in node ? node.nodeVersions[version] : node;
}

const httpRequest = (parameters: NodeRun['parameters']): NodeRun => ({
	nodeType: n8nNode('HttpRequest/HttpRequest.node.js', 4.5),
	typeVersion: 4.5,
	typeName: 'n8n-nodes-base.httpRequest',
	parameters: {
		method: 'GET',
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'commercePlatformApi',
		options: {},
		...parameters,
	},
});

const headers = { authorization: `Bearer ${job.apiKey}`, accept: 'application/json' };

interface ListPage {
	data: unknown[];
	pagination: { next_cursor: string | null };
}

/** The least that anyone must do: fetch, parse, next. */
async function fetchPage(path: string): Promise<ListPage> {
	const answer = await fetch(`${job.baseUrl}${path}`, { headers });
	return (await answer.json()) as ListPage;
}

async function bareLoop(maxPages: number): Promise<unknown[]> {
	const records: unknown[] = [];
	let cursor: string | null = '';
	for (let pages = 0; cursor !== null && pages < maxPages; pages++) {
		const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const page: ListPage = await fetchPage(`/products?limit=250${more}`);
		for (const record of page.data) records.push(record);
		cursor = page.pagination.next_cursor;
	}
	return records;
}

/** What a user installs: the built node. */
function builtNode(): INodeType {
	const { CommercePlatform } = load(
		'../../dist/nodes/CommercePlatform/CommercePlatform.node.js',
	) as {
		CommercePlatform: new () => INodeType;
	};
	return new CommercePlatform();
}

const engineRun = async (run: NodeRun) => {
	const { items, error } = await runNode({ credentials, ...run });
	if (error !== undefined) throw error;
	return items;
};

/** How much a run does: all of it, or enough to have every line of code run a few times. */
interface Scale {
	pages: number;
	reads: number;
}

const FULL: Scale = { pages: 1_000_000, reads: job.count };
const WARM_UP: Scale = { pages: 4, reads: 100 };

const itemsOf = ({ reads }: Scale) =>
	Array.from({ length: reads }, (_, n) => ({ id: job.ids[n % job.ids.length] }));

const nextCursor = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: {
		parameters: [{ name: 'cursor', value: '={{ $response.body.pagination.next_cursor }}' }],
	},
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.pagination.has_more }}',
	limitPagesFetched: true,
};

type Contender = (scale: Scale) => Promise<unknown[]>;

/** Made when asked for, so that no contender loads another's nodes. */
const CONTENDERS: Record<string, () => Contender> = {
	'list/ours': () => {
		const nodeType = builtNode();
		return async ({ pages }) =>
			await engineRun({
				nodeType,
				parameters: {
					resource: 'product',
					operation: 'getAll',
					returnAll: true,
					simplify: false,
					options: { maxPages: pages },
				},
			});
	},
	'list/http-request': () => {
		const run = httpRequest({});
		const splitOut = n8nNode('Transform/SplitOut/SplitOut.node.js', 1);
		return async ({ pages }) =>
			await engineRun({
				...run,
				parameters: {
					...run.parameters,
					url: `${job.baseUrl}/products?limit=250`,
					options: { pagination: { pagination: { ...nextCursor, maxRequests: pages } } },
				},
				followedBy: {
					nodeType: splitOut,
					parameters: { fieldToSplitOut: 'data', options: {} },
				},
			});
	},
	/** The same records in an array, in a process with the same code loaded: the least memory that they need. */
	'list/held': () => {
		builtNode();
		return async ({ pages }) => await bareLoop(pages);
	},
	'list/bare':
		() =>
		async ({ pages }) =>
			await bareLoop(pages),
	'get/ours': () => {
		const nodeType = builtNode();
		return async (scale) =>
			await engineRun({
				nodeType,
				items: itemsOf(scale),
				parameters: {
					resource: 'product',
					operation: 'get',
					productId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
					simplify: false,
					options: job.options ?? {},
				},
			});
	},
	/** What a script does that has read the word 429, but not the headers: four at once, half a second's pause. */
	'get/naive': () => async (scale) => {
		const ids = itemsOf(scale).map(({ id }) => id);
		const found: unknown[] = [];
		const work = async () => {
			for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
				let answer = await fetch(`${job.baseUrl}/products/${id}`, { headers });
				while (answer.status === 429) {
					await answer.arrayBuffer();
					await new Promise((resolve) => setTimeout(resolve, 500));
					answer = await fetch(`${job.baseUrl}/products/${id}`, { headers });
				}
				found.push(await answer.json());
			}
		};
		await Promise.all([work(), work(), work(), work()]);
		return found;
	},
	'get/http-request': () => {
		const run = httpRequest({ url: `=${job.baseUrl}/products/{{ $json.id }}` });
		return async (scale) => await engineRun({ ...run, items: itemsOf(scale) });
	},
};

async function main(): Promise<void> {
	// n8n's own defaults (N8N_EXPRESSION_ENGINE=vm and its limits).
	await Expression.initExpressionEngine({
		engine: 'vm',
		bridgeTimeout: 5_000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 1_024,
	});
	const contender = CONTENDERS[job.contender]();
	// A running n8n has all of its code loaded and compiled.
	if (job.warmUp) for (let round = 0; round < 3; round++) await contender(WARM_UP);
	const baselineMb = process.memoryUsage().rss / 2 ** 20;
	const cpu = process.cpuUsage();
	const startedAtMs = Date.now();
	const startedMs = performance.now();
	let items = await contender(FULL);
	for (let time = 1; time < job.repeat; time++) items = await contender(FULL);
	const wallMs = (performance.now() - startedMs) / job.repeat;
	const { user, system } = process.cpuUsage(cpu);
	const linked = items.filter(
		(item) => (item as { pairedItem?: unknown }).pairedItem !== undefined,
	).length;
	const figures: Figures = {
		wallMs,
		cpuMs: (user + system) / 1000 / job.repeat,
		peakMb: process.resourceUsage().maxRSS / 1024,
		baselineMb,
		startedAtMs,
		items: items.length,
		linked,
	};
	process.stdout.write(`\n${JSON.stringify(figures)}\n`, () => process.exit());
}

void main();
