import { request } from 'node:http';
import Module from 'node:module';
import { join } from 'node:path';

import type { INodeType, IVersionedNodeType } from 'n8n-workflow';

import { runNode, type NodeRun } from '../engine/engine';
import type { Figures, Job } from './job';

/** One contender, alone in a process, so that its processor time and memory are its own. */

const job = JSON.parse(process.argv[2]) as Job;
const credentials = { baseUrl: job.baseUrl, apiKey: job.apiKey };

/** Nodes of n8n itself come from the installed n8n, but run on the same n8n-workflow as ours. */
function n8nNode(path: string, version: number): INodeType {
	const resolver = Module as unknown as { _resolveFilename: (name: string, ...rest: unknown[]) => string };
	const original = resolver._resolveFilename;
	const ours = require.resolve('n8n-workflow');
	resolver._resolveFilename = (name, ...rest) =>
		name === 'n8n-workflow' ? ours : original.call(resolver, name, ...rest);
	const file = join(job.n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', path);
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- its place is known at run time only
	const [nodeClass] = Object.values(require(file) as Record<string, new () => INodeType | IVersionedNodeType>);
	const node = new nodeClass();
	return 'nodeVersions' in node ? node.nodeVersions[version] : node;
}

const httpRequest = (parameters: NodeRun['parameters']): NodeRun => ({
	nodeType: n8nNode('HttpRequest/HttpRequest.node.js', 4.2),
	typeVersion: 4.2,
	typeName: 'n8n-nodes-base.httpRequest',
	parameters: {
		method: 'GET',
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'commercePlatformApi',
		options: {},
		...parameters,
	},
});

/** A page of a bare client: node:http with one kept-alive connection, the whole body parsed. */
async function fetchJson(path: string): Promise<{ data: unknown[]; pagination: { next_cursor: string | null } }> {
	return await new Promise((resolve, reject) => {
		const asked = request(
			`${job.baseUrl}${path}`,
			{ headers: { authorization: `Bearer ${job.apiKey}`, accept: 'application/json' } },
			(answer) => {
				const chunks: Buffer[] = [];
				answer.on('data', (chunk: Buffer) => chunks.push(chunk));
				answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as never));
			},
		);
		asked.on('error', reject);
		asked.end();
	});
}

async function bareLoop(): Promise<unknown[]> {
	const records: unknown[] = [];
	let cursor: string | null = '';
	while (cursor !== null) {
		const page = await fetchJson(`/products?limit=250${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
		for (const record of page.data) records.push(record);
		cursor = page.pagination.next_cursor;
	}
	return records;
}

/** What a user installs: the built node. */
function builtNode(): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- built before the bench runs
	const { CommercePlatform } = require('../../dist/nodes/CommercePlatform/CommercePlatform.node.js') as {
		CommercePlatform: new () => INodeType;
	};
	return new CommercePlatform();
}

const ids = Array.from({ length: job.count }, (_, n) => ({ id: job.ids[n % job.ids.length] }));

const engineRun = (run: NodeRun) => async () => {
	const { items, error } = await runNode({ credentials, ...run });
	if (error !== undefined) throw error;
	return items;
};

const CONTENDERS: Record<string, () => () => Promise<unknown[]>> = {
	'list/ours': () => engineRun({ parameters: { resource: 'product', operation: 'getAll', returnAll: true, simplify: false } }),
	'list/http-request': () =>
		engineRun({
			...httpRequest({
				url: `${job.baseUrl}/products?limit=250`,
				options: {
					pagination: {
						pagination: {
							paginationMode: 'updateAParameterInEachRequest',
							parameters: { parameters: [{ name: 'cursor', value: '={{ $response.body.pagination.next_cursor }}' }] },
							paginationCompleteWhen: 'other',
							completeExpression: '={{ !$response.body.pagination.has_more }}',
						},
					},
				},
			}),
			followedBy: {
				nodeType: n8nNode('Transform/SplitOut/SplitOut.node.js', 1),
				parameters: { fieldToSplitOut: 'data', options: {} },
			},
		}),
	'list/bare': () => bareLoop,
	'get/ours': () =>
		engineRun({
			nodeType: builtNode(),
			items: ids,
			parameters: {
				resource: 'product',
				operation: 'get',
				productId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				options: job.options ?? {},
			},
		}),
	'get/http-request': () => engineRun({ items: ids, ...httpRequest({ url: `=${job.baseUrl}/products/{{ $json.id }}` }) }),
};

async function main(): Promise<void> {
	const run = CONTENDERS[job.contender]();
	const baselineMb = process.memoryUsage().rss / 2 ** 20;
	const cpu = process.cpuUsage();
	const startedMs = performance.now();
	const items = await run();
	const wallMs = performance.now() - startedMs;
	const { user, system } = process.cpuUsage(cpu);
	const figures: Figures = {
		wallMs,
		cpuMs: (user + system) / 1000,
		systemMs: system / 1000,
		peakMb: process.resourceUsage().maxRSS / 1024,
		baselineMb,
		items: items.length,
	};
	process.stdout.write(`\n${JSON.stringify(figures)}\n`, () => process.exit());
}

void main();
