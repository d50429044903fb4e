import type { IDataObject } from 'n8n-workflow';

import type { Postgres } from '../queue/services';
import type { N8nClient } from './client';

/** One execution and the items that its trigger gave it. */
export interface ExecutedItems {
	executionId: number;
	items: IDataObject[];
}

/**
 * The items with which each execution of a workflow began, the oldest first. They are in the execution's data
 * from the moment in which it exists, whatever became of it.
 */
export async function executedItems(
	client: N8nClient,
	postgres: Postgres,
	workflowId: string,
): Promise<ExecutedItems[]> {
	const ids = postgres.query(
		`SELECT id FROM execution_entity WHERE "workflowId" = '${workflowId}' ORDER BY id`,
	);
	const executed: ExecutedItems[] = [];
	for (const id of ids) {
		const { data } = await client.execution(id);
		const [trigger] = Object.values(data.resultData?.runData ?? {});
		const stacked = data.executionData?.nodeExecutionStack[0]?.data.main[0];
		const given = trigger?.[0]?.data?.main[0] ?? stacked ?? [];
		executed.push({ executionId: Number(id), items: given.map(({ json }) => json) });
	}
	return executed;
}
