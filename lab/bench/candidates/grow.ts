import { json } from 'node:stream/consumers';

import type { IDataObject } from 'n8n-workflow';

import { loopbackServer } from '../../../platform/support/loopbackServer';
import { signedDelivery } from '../../../platform/support/delivery';
import { PollingN8n } from '../../../test/engine/changesTrigger/pollingN8n';
import { N8nLike } from '../../../test/engine/trigger/n8nLike';
import { sendAll } from '../../../test/support/load';
import { byId, byMode } from '../../../test/support/parameters';
import type { Job } from '../job';
import { watchedAlone } from '../eventLoop';
import { productsOf } from './bulk';
import { engineRun, type Candidate } from './candidate';
import { builtNode, leastNode } from './nodes';

const PAGE = 250;
const AT_ONCE = 50;
const TEXT = '={{ "Written for " + $json.id }}';

/** One of each kind of work, over `count` rows, records or deliveries. */
export function growCandidates(job: Job): Record<string, () => Candidate> {
	const ids = (): IDataObject[] =>
		Array.from({ length: job.count }, (_, n) => ({ id: job.ids[n % job.ids.length] }));
	// The rows are made before anything is measured.
	const ours = (parameters: IDataObject, rows?: () => IDataObject[]) => (): Candidate => {
		const nodeType = watchedAlone(builtNode());
		const items = rows?.();
		return async () => await engineRun(job, { nodeType, parameters, items });
	};
	const least =
		(
			name: 'LeastGet' | 'LeastList',
			path: string,
			parameters: IDataObject,
			rows?: () => IDataObject[],
		) =>
		(): Candidate => {
			const nodeType = leastNode(name);
			const all = { url: `${job.baseUrl}${path}`, ...parameters };
			const items = rows?.();
			return async () => await engineRun(job, { nodeType, parameters: all, items });
		};
	const products = () => productsOf(job);
	const bulk = (options: IDataObject, fields: IDataObject, items = products) =>
		ours({ resource: 'product', operation: 'upsert', options, ...fields }, items);
	const prices = (more: number) =>
		ours(
			{
				resource: 'product',
				operation: 'setPrices',
				sku: byMode('sku', '={{ $json.sku }}'),
				amount: `={{ $json.variants[0].prices[0].amount / 100 + ${more} }}`,
				currency: 'EUR',
			},
			products,
		);
	const renamed = () => products().map((product) => ({ ...product, title: 'Linen shirt, new' }));
	const input = { specifyProduct: 'autoMapInputData' };
	return {
		'list/ours': ours({ resource: 'order', operation: 'getAll', returnAll: true, simplify: false }),
		'list/least': least('LeastList', '/orders', { pages: job.count / PAGE }),
		'updates/ours': ours(
			{
				resource: 'product',
				operation: 'update',
				productId: byId('={{ $json.id }}'),
				updateFields: { description: TEXT },
			},
			ids,
		),
		'updates/least': least('LeastGet', '/products', { id: '={{ $json.id }}', text: TEXT }, ids),
		'batches/ours': bulk({}, input),
		'defined/ours': bulk(
			{},
			{
				specifyProduct: 'defineBelow',
				sku: '={{ $json.sku }}',
				title: '={{ $json.title }}',
				additionalFields: {
					handle: '={{ $json.handle }}',
					description: '={{ $json.description }}',
				},
			},
		),
		'imports/ours': ours({ resource: 'product', operation: 'importCatalog', ...input }, products),
		'alone/ours': bulk({ ifBatchNotAvailable: 'single' }, input, renamed),
		'aloneNew/ours': bulk({ ifBatchNotAvailable: 'single' }, input),
		'prices/ours': prices(1),
		'samePrices/ours': prices(0),
		'polls/ours': () => async () => await polls(job),
		'deliveries/ours': () => async () => await deliveries(job),
	};
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

/** The webhook trigger takes this many deliveries, {@link AT_ONCE} at a time, at a shop that only registers it. */
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
	const sendings = Array.from({ length: count }, () => signedDelivery({ url, secret }));
	await sendAll(sendings, AT_ONCE);
	await shop.close();
	return n8n.executions;
}
