import type { Job } from '../job';
import { backfill } from './backfill';
import { bulkCandidates } from './bulk';
import { engineRun, type Candidate, type Scale } from './candidate';
import { bareLoop, naiveReads } from './clients';
import { builtNode } from './nodes';
import { byId } from '../../support/parameters';

const itemsOf = (job: Job, { reads }: Scale) =>
	Array.from({ length: reads }, (_, n) => ({ id: job.ids[n % job.ids.length] }));

function ourList(job: Job): Candidate {
	const nodeType = builtNode();
	return async ({ pages }) =>
		await engineRun(job, {
			nodeType,
			parameters: {
				resource: 'product',
				operation: 'getAll',
				returnAll: true,
				simplify: false,
				options: { maxPages: pages },
			},
		});
}

function ourReads(job: Job): Candidate {
	const nodeType = builtNode();
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
	/** The same records in an array, in a process with the same code loaded: the least memory that they need. */
	'list/held': () => {
		builtNode();
		return async ({ pages }) => await bareLoop(job, pages);
	},
	'get/ours': () => ourReads(job),
	...bulkCandidates(job),
	'changes/backfill': () => backfill(job),
	'get/naive': () => async (scale) =>
		await naiveReads(
			job,
			itemsOf(job, scale).map(({ id }) => id),
		),
});
