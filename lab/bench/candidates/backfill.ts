import type { Job } from '../job';
import type { Candidate } from './candidate';
import { PollingN8n } from '../../../test/engine/changesTrigger/pollingN8n';

/** The changes trigger reads from the shop's first day, poll by poll, until a poll brings nothing new. */
export const backfill =
	({ baseUrl, apiKey, options = {} }: Job): Candidate =>
	async () => {
		const n8n = new PollingN8n({
			credentials: { baseUrl, apiKey },
			parameters: { options: { startFrom: '2000-01-01T00:00:00Z', ...options } },
			workflowId: 'workflow-1',
		});
		const emissions: number[] = [];
		let records = 0;
		await n8n.publish();
		while (n8n.executions.length > 0) {
			// Each execution is dropped before the next poll: its memory is n8n's affair.
			for (const items of n8n.executions.splice(0)) {
				emissions.push(items.length);
				records += items.length;
			}
			await n8n.poll();
		}
		return [{ records, largest: Math.max(...emissions) }];
	};
