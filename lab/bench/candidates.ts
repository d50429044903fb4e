import Module from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, INodeType, IVersionedNodeType } from 'n8n-workflow';
import pLimit from 'p-limit';

import { apiClient } from '../../platform/support/apiClient';
import { signedDelivery } from '../../platform/support/delivery';
import { loopbackServer } from '../../platform/support/loopbackServer';
import { PollingN8n } from '../../test/engine/changesTrigger/pollingN8n';
import { N8nLike } from '../../test/engine/trigger/n8nLike';
import { runNode, type NodeRun } from '../../test/support/engine/runNode';
import { sendAll } from '../../test/support/load';
import { byId, byMode } from '../../test/support/parameters';
import { watchedAlone } from './eventLoop';
import type { Job } from './job';

/** Does the work that is measured. @returns the output items */
type Candidate = () => Promise<unknown[]>;
type Rows = () => IDataObject[];

const PAGE = 250;
const DELIVERIES_AT_ONCE = 50;
const NAIVE_AT_ONCE = 4;
const NAIVE_PAUSE_MS = 500;
const TEXT = '={{ "Written for " + $json.id }}';
const EACH = byId('={{ $json.id }}');

/** Loads files that exist only after a build or an installation. */
const load = Module.createRequire(__filename);

/** The built node, as users install it. */
function builtNode(): INodeType {
	const file = join(__dirname, '../../dist/nodes/CommercePlatform/CommercePlatform.node.js');
	const { CommercePlatform } = load(file) as { CommercePlatform: new () => INodeType };
	return new CommercePlatform();
}

/** A node of the installed n8n, run on the same n8n-workflow as ours. */
function n8nNode({ n8nFolder }: Job, path: string, version: number): INodeType {
	const resolver = Module as unknown as {
		_resolveFilename: (name: string, ...rest: unknown[]) => string;
	};
	const original = resolver._resolveFilename;
	const ours = require.resolve('n8n-workflow');
	resolver._resolveFilename = (name, ...rest) =>
		name === 'n8n-workflow' ? ours : original.call(resolver, name, ...rest);
	const file = join(n8nFolder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', path);
	const [nodeClass] = Object.values(load(file) as Record<string, new () => IVersionedNodeType>);
	return new nodeClass().nodeVersions[version];
}

/**
 * Products as a spreadsheet or an ERP sends them, about 400 bytes each. They are parsed from JSON, as in n8n: texts
 * that are concatenated here would share their parts, and take less memory until somebody reads them.
 */
const productsOf = ({ count }: Job): IDataObject[] =>
	Array.from({ length: count }, (_, n) => JSON.parse(JSON.stringify(product(n))) as IDataObject);

const product = (n: number): IDataObject => ({
	sku: `BENCH-${n}`,
	title: `Linen shirt number ${n}`,
	handle: `linen-shirt-number-${n}`,
	status: 'published',
	description: `A shirt of linen, made to last, in the colour ${n % 40}, of the collection ${n % 7}.`,
	variants: [
		{
			sku: `BENCH-${n}`,
			title: 'M',
			prices: [
				{ amount: 1_999 + (n % 500), currency: 'EUR' },
				{ amount: 2_199 + (n % 500), currency: 'USD' },
			],
		},
	],
});

/** All candidates by name. Each is made on demand, so that none loads another's nodes. */
export function candidatesOf(job: Job): Record<string, () => Candidate> {
	const ids = () =>
		Array.from({ length: job.count }, (_, n) => ({ id: job.ids[n % job.ids.length] }));
	const products = () => productsOf(job);
	// The rows are made before anything is measured.
	const engineRun = (run: NodeRun, rows?: Rows): Candidate => {
		const { baseUrl, apiKey } = job;
		const items = rows?.();
		return async () => {
			const { items: output, error } = await runNode({
				credentials: { baseUrl, apiKey },
				items,
				...run,
			});
			if (error !== undefined) throw error;
			return output;
		};
	};
	const ours = (resource: string, operation: string, more: object, rows?: Rows) => () => {
		const nodeType = job.isWatched ? watchedAlone(builtNode()) : builtNode();
		return engineRun({ nodeType, parameters: { resource, operation, ...more } }, rows);
	};
	/** The simplest possible node for a purpose, from `nodes/`. */
	const least = (name: string, path: string, parameters: object, rows?: Rows) => () => {
		const classes = load(`./nodes/${name}.node.js`) as Record<string, new () => INodeType>;
		const url = `${job.baseUrl}${path}`;
		return engineRun({ nodeType: new classes[name](), parameters: { url, ...parameters } }, rows);
	};
	/** n8n's HTTP Request node creates products. */
	const http = (more: Partial<NodeRun>, isLooped: boolean) => () =>
		engineRun(
			{
				nodeType: n8nNode(job, 'HttpRequest/HttpRequest.node.js', 4.5),
				typeVersion: 4.5,
				typeName: 'n8n-nodes-base.httpRequest',
				parameters: {
					method: 'POST',
					url: `${job.baseUrl}/products`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'commercePlatformApi',
					sendBody: true,
					specifyBody: 'json',
					jsonBody:
						'={{ JSON.stringify({ title: $json.title, handle: $json.handle, status: $json.status, description: $json.description, variants: $json.variants }) }}',
					options: {},
				},
				loopedBy: isLooped ? n8nNode(job, 'SplitInBatches/SplitInBatches.node.js', 3) : undefined,
				...more,
			},
			products,
		);
	const retried = { retryOnFail: { maxTries: 5, waitBetweenTries: 1_000 } };
	const input = { specifyProduct: 'autoMapInputData' };
	const alone = { ...input, options: { ifBatchNotAvailable: 'single' } };
	const renamed = () => products().map((one) => ({ ...one, title: 'Linen shirt, new' }));
	const prices = (more: number) =>
		ours(
			'product',
			'setPrices',
			{
				sku: byMode('sku', '={{ $json.sku }}'),
				amount: `={{ $json.variants[0].prices[0].amount / 100 + ${more} }}`,
				currency: 'EUR',
			},
			products,
		);
	return {
		'get/ours': ours('product', 'get', { productId: EACH, simplify: false }, ids),
		'get/naive': () => async () => await naiveReads(job, ids()),
		'bulk/single': ours(
			'product',
			'create',
			{
				title: '={{ $json.title }}',
				additionalFields: {
					handle: '={{ $json.handle }}',
					status: '={{ $json.status }}',
					description: '={{ $json.description }}',
					variantsJson: '={{ $json.variants }}',
				},
			},
			products,
		),
		/** All items at once; after a failure n8n repeats the whole node, as when users switch on Retry On Fail. */
		'bulk/http-retry': http(retried, false),
		/** The same, one item at a time, so that n8n repeats only the item that failed. */
		'bulk/http-loop-retry': http(retried, true),
		'bulk/http-loop': http({}, true),
		'list/ours': ours('order', 'getAll', { returnAll: true, simplify: false }),
		'list/least': least('LeastList', '/orders', { pages: job.count / PAGE }),
		'updates/ours': ours(
			'product',
			'update',
			{ productId: EACH, updateFields: { description: TEXT } },
			ids,
		),
		'updates/least': least('LeastGet', '/products', { id: '={{ $json.id }}', text: TEXT }, ids),
		'batches/ours': ours('product', 'upsert', input, products),
		'defined/ours': ours(
			'product',
			'upsert',
			{
				specifyProduct: 'defineBelow',
				sku: '={{ $json.sku }}',
				title: '={{ $json.title }}',
				additionalFields: {
					handle: '={{ $json.handle }}',
					description: '={{ $json.description }}',
				},
			},
			products,
		),
		'imports/ours': ours('product', 'importCatalog', input, products),
		'alone/ours': ours('product', 'upsert', alone, renamed),
		'aloneNew/ours': ours('product', 'upsert', alone, products),
		'prices/ours': prices(1),
		'samePrices/ours': prices(0),
		'polls/ours': () => async () => await polls(job),
		'deliveries/ours': () => async () => await deliveries(job),
	};
}

/** A script that knows the status 429 but not the headers: four requests at once, a pause of half a second. */
async function naiveReads(job: Job, wanted: Array<{ id: string }>): Promise<unknown[]> {
	const limit = pLimit(NAIVE_AT_ONCE);
	const { send } = apiClient(job);
	const read = async (id: string): Promise<unknown> => {
		const { status, json: record } = await send(`/products/${id}`);
		if (status !== 429) return record;
		await wait(NAIVE_PAUSE_MS);
		return await read(id);
	};
	return await Promise.all(wanted.map(async ({ id }) => await limit(read, id)));
}

/** The changes trigger reads from the shop's first day until a poll brings nothing new. */
async function polls({ baseUrl, apiKey }: Job): Promise<unknown[]> {
	const options = { startFrom: '2000-01-01T00:00:00Z' };
	const n8n = new PollingN8n({ credentials: { baseUrl, apiKey }, parameters: { options } });
	const items: unknown[] = [];
	await n8n.publish();
	while (n8n.executions.length > 0) {
		items.push(...n8n.executions.splice(0).flat());
		await n8n.poll();
	}
	return items;
}

/** The webhook trigger takes this many deliveries, 50 at a time, at a shop that only registers it. */
async function deliveries({ count, apiKey }: Job): Promise<unknown[]> {
	const secret = 'whsec_bench';
	const shop = await loopbackServer((request, response) => {
		void json(request)
			.catch(() => ({}))
			.then((body) => {
				const webhook = { ...(body as object), id: 'wh_1', status: 'enabled', secret };
				const data = request.method === 'POST' ? webhook : [];
				const pagination = { limit: PAGE, next_cursor: null, has_more: false };
				response.end(JSON.stringify({ data, pagination }));
			});
	});
	const n8n = new N8nLike({ credentials: { baseUrl: `http://${shop.address}/v1`, apiKey } });
	const origin = await n8n.serve();
	await n8n.create();
	const url = n8n.address.replace(/^http:\/\/[^/]+/, origin);
	const unsigned = Array.from({ length: count }, () => ({ url, body: '', headers: {} }));
	// Each is signed when it is sent: signing all of them at once is a block that no platform causes.
	await sendAll(unsigned, DELIVERIES_AT_ONCE, { prepare: () => signedDelivery({ url, secret }) });
	await shop.close();
	return n8n.executions;
}
