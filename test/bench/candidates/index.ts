import type { Job } from '../job';
import { backfill } from './backfill';
import { bulkCandidates } from './bulk';
import { engineRun, type Candidate, type Scale } from './candidate';
import { bareLoop, naiveReads } from './clients';
import { builtNode, httpRequest, leastGetNode, leastListNode, n8nNode } from './nodes';
import type { NodeRun } from '../../support/engine/runNode';
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

const ofOurs = (parameters: NodeRun['parameters']): NodeRun => ({
	nodeType: builtNode(),
	parameters: { simplify: false, ...parameters },
});

const reads = (job: Job, run: NodeRun): Candidate => {
	return async (scale) => await engineRun(job, { ...run, items: itemsOf(job, scale) });
};

/** All candidates by name; each is made when asked for, so that none loads another's nodes. */
export const candidatesOf = (job: Job): Record<string, () => Candidate> => ({
	'list/ours': () => {
		const ours = { resource: job.list.resource, operation: 'getAll', returnAll: true };
		const run = ofOurs(ours);
		return async ({ pages }) =>
			await engineRun(job, {
				...run,
				parameters: { ...run.parameters, options: { maxPages: pages } },
			});
	},
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
	'get/ours': () =>
		reads(
			job,
			ofOurs({
				resource: 'product',
				operation: 'get',
				productId: byId('={{ $json.id }}'),
				options: job.options ?? {},
			}),
		),
	'get/http-request': () =>
		reads(job, httpRequest(job, { url: `=${job.baseUrl}/products/{{ $json.id }}` })),
	'get/least-node': () =>
		reads(job, { nodeType: leastGetNode(job), parameters: { id: '={{ $json.id }}' } }),
	'get/naive': () => async (scale) =>
		await naiveReads(
			job,
			itemsOf(job, scale).map(({ id }) => id),
		),
	'update/ours': () =>
		reads(
			job,
			ofOurs({
				resource: 'product',
				operation: 'update',
				productId: byId('={{ $json.id }}'),
				updateFields: { description: 'Measured' },
			}),
		),
	'update/http-request': () =>
		reads(
			job,
			httpRequest(job, {
				method: 'PATCH',
				url: `=${job.baseUrl}/products/{{ $json.id }}`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ { description: "Measured" } }}',
			}),
		),
	...bulkCandidates(job),
	'changes/backfill': () => backfill(job),
});
