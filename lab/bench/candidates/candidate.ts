import { runNode, type NodeRun } from '../../../test/support/engine/runNode';
import type { Job } from '../job';

export type Candidate = () => Promise<unknown[]>;

/** Runs a node in n8n's engine, with the bench's platform. */
export const engineRun = async ({ baseUrl, apiKey }: Job, run: NodeRun) => {
	const { items, error } = await runNode({ credentials: { baseUrl, apiKey }, ...run });
	if (error !== undefined) throw error;
	return items;
};
