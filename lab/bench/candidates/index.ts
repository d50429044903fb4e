import type { NodeRun } from '../../../test/support/engine/runNode';
import type { Job } from '../job';
import { backfill } from './backfill';
import { bulkCandidates } from './bulk';
import { engineRun, type Candidate } from './candidate';
import { bareLoop, naiveReads } from './clients';
import { builtNode } from './nodes';
import { byId } from '../../../test/support/parameters';

/** More pages than any bench has. */
const ALL_PAGES = 1_000_000;

const itemsOf = ({ count, ids }: Job) =>
	Array.from({ length: count }, (_, n) => ({ id: ids[n % ids.length] }));

/** The node of this package. */
function ours(job: Job, run: Pick<NodeRun, 'items' | 'parameters'>): Candidate {
	const nodeType = builtNode();
	return async () => await engineRun(job, { nodeType, ...run });
}

const ourList = (job: Job): Candidate =>
	ours(job, {
		parameters: {
			resource: 'product',
			operation: 'getAll',
			returnAll: true,
			simplify: false,
			options: { maxPages: ALL_PAGES },
		},
	});

const ourReads = (job: Job): Candidate =>
	ours(job, {
		items: itemsOf(job),
		parameters: {
			resource: 'product',
			operation: 'get',
			productId: byId('={{ $json.id }}'),
			simplify: false,
			options: job.options ?? {},
		},
	});

/** All candidates by name. Each is made on demand, so that none loads another's nodes. */
export const candidatesOf = (job: Job): Record<string, () => Candidate> => ({
	'list/ours': () => ourList(job),
	/** The same records in an array, in a process with the same code loaded: the least memory that they need. */
	'list/held': () => {
		builtNode();
		return async () => await bareLoop(job);
	},
	'get/ours': () => ourReads(job),
	...bulkCandidates(job),
	'changes/backfill': () => backfill(job),
	'get/naive': () => async () =>
		await naiveReads(
			job,
			itemsOf(job).map(({ id }) => id),
		),
});
