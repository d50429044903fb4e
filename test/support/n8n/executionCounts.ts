import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { N8nProcess } from './n8n-process';
import { tally } from '../figures';
import { until } from '../until';

const DELIVERY_ID = /del_[0-9a-z_]+/;

/** Before 2.0, n8n locks its database while it writes. ms. */
const LOCKED_MS = 10_000;

/** Longer than n8n takes, after its start, from one execution that it recovers to the next. ms. */
const QUIET_MS = 5_000;
const SETTLE_MS = 120_000;

/** What n8n's SQLite database holds; counted there, since the REST list's paging may miss rows. */
export class ExecutionCounts {
	/** Executions that n8n will never end. */
	private readonly abandoned = new Set<number>();

	constructor(private readonly n8n: N8nProcess) {}

	/** All executions of a workflow, whatever became of them. */
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

	/** Waits until no execution is running or waiting to run, but for those that {@link recovered} gave up. */
	async settled(workflowId: string): Promise<void> {
		await until(`executions of ${workflowId} to end`, SETTLE_MS, async () =>
			this.unfinished(workflowId).length === 0 ? true : undefined,
		);
	}

	/**
	 * To be asked after n8n was killed and started anew: waits until it has ended what it found unfinished. An execution
	 * whose start n8n had noted, but none of its nodes yet, it leaves as "running" for good.
	 *
	 * @returns how many it left so
	 */
	async recovered(workflowId: string): Promise<number> {
		let last = '';
		let since = Date.now();
		const left = await until(`n8n to recover ${workflowId}`, SETTLE_MS, async () => {
			const ids = this.unfinished(workflowId);
			if (ids.join() !== last) since = Date.now();
			last = ids.join();
			return ids.length === 0 || Date.now() - since > QUIET_MS ? ids : undefined;
		});
		for (const id of left) this.abandoned.add(id);
		return left.length;
	}

	private unfinished(workflowId: string): number[] {
		const sql =
			"SELECT id FROM execution_entity WHERE workflowId = ? AND status IN ('new', 'running')";
		const rows = this.query(sql, workflowId) as Array<{ id: number }>;
		return rows.map(({ id }) => id).filter((id) => !this.abandoned.has(id));
	}

	/** Bytes that the workflow's static data takes. */
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
