import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { N8nProcess } from './n8n-process';
import { tally } from '../figures';
import { until } from '../../../platform/support/until';

const DELIVERY_ID = /del_[0-9a-z_]+/;

/** n8n before 2.0 locks its database while it writes, ms. */
const LOCKED_MS = 10_000;

/** Longer than a restarted n8n takes between two executions that it recovers, ms. */
const QUIET_MS = 10_000;
const SETTLE_MS = 300_000;
const LOOK_MS = 250;

/**
 * Waits until all executions have ended, or nothing changes any more: executions that a killed n8n, or one without its
 * database, left unfinished stay so for good.
 *
 * @param unfinished names the executions that have not ended, as JSON; `[]` if all have
 */
export async function executionsSettled(unfinished: () => string): Promise<void> {
	let last = '';
	let since = Date.now();
	const look = async () => {
		const open = unfinished();
		if (open !== last) since = Date.now();
		last = open;
		return open === '[]' || Date.now() - since > QUIET_MS;
	};
	await until('executions to end', SETTLE_MS, look, LOOK_MS);
}

/** Counts in n8n's SQLite database, since paging through the REST list may miss rows. */
export class ExecutionCounts {
	constructor(private readonly n8n: N8nProcess) {}

	/** All executions of a workflow, in any state. */
	total(workflowId: string): number {
		const sql = 'SELECT count(*) AS n FROM execution_entity WHERE workflowId = ?';
		return (this.query(sql, workflowId)[0] as { n: number }).n;
	}

	/** How often each delivery was executed, by its id. */
	byDelivery(workflowId: string): Record<string, number> {
		const sql =
			'SELECT d.data AS data FROM execution_data d JOIN execution_entity e ON e.id = d.executionId WHERE e.workflowId = ?';
		const rows = this.query(sql, workflowId) as Array<{ data: string }>;
		return tally(rows.map(({ data }) => DELIVERY_ID.exec(data)?.[0] ?? '(none)'));
	}

	/** See {@link executionsSettled}. */
	async settled(workflowId: string): Promise<void> {
		const sql =
			"SELECT id FROM execution_entity WHERE workflowId = ? AND status IN ('new', 'running')";
		await executionsSettled(() => JSON.stringify(this.query(sql, workflowId)));
	}

	/** Bytes of the workflow's static data. */
	staticDataSize(workflowId: string): number {
		const sql = 'SELECT length(staticData) AS n FROM workflow_entity WHERE id = ?';
		return (this.query(sql, workflowId)[0] as { n: number | null }).n ?? 0;
	}

	private query(sql: string, parameter: string): unknown[] {
		const file = join(this.n8n.userFolder, '.n8n', 'database.sqlite');
		const database = new DatabaseSync(file, { readOnly: true, timeout: LOCKED_MS });
		try {
			return database.prepare(sql).all(parameter);
		} finally {
			database.close();
		}
	}
}
