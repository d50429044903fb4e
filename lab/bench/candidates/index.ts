import type { NodeRun } from '../../../test/support/engine/runNode';
import type { Job } from '../job';
import { bulkCandidates } from './bulk';
import { engineRun, type Candidate } from './candidate';
import { naiveReads } from './clients';
import { growCandidates } from './grow';
import { builtNode } from './nodes';
import { byId } from '../../../test/support/parameters';

const itemsOf = ({ count, ids }: Job) =>
	Array.from({ length: count }, (_, n) => ({ id: ids[n % ids.length] }));

/** The node of this package. */
function ours(job: Job, run: Pick<NodeRun, 'items' | 'parameters'>): Candidate {
	const nodeType = builtNode();
	return async () => await engineRun(job, { nodeType, ...run });
}

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
	'get/ours': () => ourReads(job),
	...bulkCandidates(job),
	...growCandidates(job),
	'get/naive': () => async () =>
		await naiveReads(
			job,
			itemsOf(job).map(({ id }) => id),
		),
});
