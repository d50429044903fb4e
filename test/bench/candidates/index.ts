import type { Job } from '../job';
import { backfill } from './backfill';
import { bulkCandidates } from './bulk';
import { engineRun, type Candidate, type Scale } from './candidate';
import { bareLoop, naiveReads } from './clients';
import { builtNode, httpRequest, leastGetNode, leastListNode, n8nNode } from './nodes';
import { byId } from '../../support/parameters';

const itemsOf = (job: Job, { reads }: Scale) =>
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

function ourList(job: Job, checkout?: string): Candidate {
	const nodeType = builtNode(checkout);
	return async ({ pages }) =>
		await engineRun(job, {
			nodeType,
			parameters: {
				resource: job.list.resource,
				operation: 'getAll',
				returnAll: true,
				simplify: false,
				options: { maxPages: pages },
			},
		});
}

function ourReads(job: Job, checkout?: string): Candidate {
	const nodeType = builtNode(checkout);
	return async (scale) =>
		await engineRun(job, {
			nodeType,
			items: itemsOf(job, scale),
			parameters: {
				resource: 'product',
				operation: 'get',
				productId: byId('={{ $json.id }}'),
				simplify: false,
				options: job.options ?? {},
			},
		});
}

/** All candidates by name; each is made when asked for, so that none loads another's nodes. */
export const candidatesOf = (job: Job): Record<string, () => Candidate> => ({
	'list/ours': () => ourList(job),
	'list/before': () => ourList(job, job.before),
	'list/http-request': () => {
		const run = httpRequest(job, {});
		const splitOut = n8nNode(job, 'Transform/SplitOut/SplitOut.node.js', 1);
		return async ({ pages }) =>
			await engineRun(job, {
				...run,
				parameters: {
					...run.parameters,
					url: `${job.baseUrl}${job.list.path}?limit=250`,
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
		return async ({ pages }) => await bareLoop(job, pages);
	},
	'list/least-node':
		() =>
		async ({ pages }) =>
			await engineRun(job, { nodeType: leastListNode(job, pages), parameters: {} }),
	'get/ours': () => ourReads(job),
	'get/before': () => ourReads(job, job.before),
	'update/ours': () => {
		const nodeType = builtNode();
		return async (scale) =>
			await engineRun(job, {
				nodeType,
				items: itemsOf(job, scale),
				parameters: {
					resource: 'product',
					operation: 'update',
					productId: byId('={{ $json.id }}'),
					updateFields: { description: 'Measured' },
					simplify: false,
				},
			});
	},
	'update/http-request': () => {
		const run = httpRequest(job, {
			method: 'PATCH',
			url: `=${job.baseUrl}/products/{{ $json.id }}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { description: "Measured" } }}',
		});
		return async (scale) => await engineRun(job, { ...run, items: itemsOf(job, scale) });
	},
	...bulkCandidates(job),
	'changes/backfill': () => backfill(job),
	'get/least-node': () => async (scale) =>
		await engineRun(job, {
			nodeType: leastGetNode(job),
			items: itemsOf(job, scale),
			parameters: { id: '={{ $json.id }}' },
		}),
	'get/naive': () => async (scale) =>
		await naiveReads(
			job,
			itemsOf(job, scale).map(({ id }) => id),
		),
	'get/http-request': () => {
		const run = httpRequest(job, { url: `=${job.baseUrl}/products/{{ $json.id }}` });
		return async (scale) => await engineRun(job, { ...run, items: itemsOf(job, scale) });
	},
});
