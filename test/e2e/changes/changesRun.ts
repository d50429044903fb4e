import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import type { Platform } from '../../../platform';
import { EXPRESSION_ENGINE, type TestEnvironment } from '../../support/environment/testEnvironment';
import { tally } from '../../support/figures';
import { changesTrigger, chain, noOperation } from '../../support/n8n/workflows';
import { postgresEnvironment, type Postgres } from '../../support/queue/services';
import { until } from '../../../platform/support/until';

/** How often n8n is killed, unless `CHANGES_KILLS` says otherwise; 20 take some twenty minutes. */
export const killsOr = (usual: number): number => Number(process.env.CHANGES_KILLS ?? usual);
/** Pause between two changes, ms. */
const PAUSE_MS = 350;
/** Time for several polls, and for as many starts of n8n on a slow machine. */
export const POLL_TIMEOUT_MS = 130_000;
/** Pause between two looks at the database: each starts psql. ms. */
export const LOOK_MS = 1_000;

/** A small shop, so that each poll reads little else than the changes; and n8n with these variables. */
export const smallShop = (environment: Record<string, string> = {}) => ({
	platform: { orders: 50, products: 10, customers: 5, categories: 2 },
	n8n: { environment: { ...EXPRESSION_ENGINE, ...environment } },
});

/** The same with a database that can be stopped. */
export const onPostgres = (postgres: Postgres) => smallShop(postgresEnvironment(postgres));

/** Waits until the changes trigger polls the platform. */
export async function nextPoll({ control }: Platform): Promise<void> {
	const polls = async () =>
		(await control.counters()).byRoute
			.filter(({ method, route }) => method === 'GET' && route === '/orders')
			.reduce((sum, { count }) => sum + count, 0);
	const before = await polls();
	await until('the next poll', POLL_TIMEOUT_MS, async () => (await polls()) > before);
}

/** The executions of a workflow, the oldest first. Read directly from the database, since n8n may be down. */
export function executionsOf(postgres: Postgres, workflowId: string) {
	const sql = `SELECT e.id || ' ' || d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = '${workflowId}' ORDER BY e.id`;
	return postgres.query(sql).map((line) => {
		const [id] = line.split(' ', 1);
		return { id: Number(id), data: parse(line.slice(id.length + 1)) as IRunExecutionData };
	});
}

/**
 * The items that an execution started with: n8n stores them with the new execution, so they are there whatever happens
 * to it.
 */
function givenTo({ resultData, executionData }: IRunExecutionData): IDataObject[] {
	const [trigger] = Object.values(resultData?.runData ?? {});
	const stacked = executionData?.nodeExecutionStack[0]?.data.main[0];
	return (trigger?.[0]?.data?.main[0] ?? stacked ?? []).map(({ json }) => json);
}

/** Changes orders one after the other while the published changes trigger watches them. */
export class ChangesRun {
	private readonly written: string[] = [];

	private constructor(
		private readonly platform: Platform,
		private readonly postgres: Postgres,
		private readonly workflowId: string,
	) {}

	static async publish(
		environment: TestEnvironment,
		postgres: Postgres,
		parameters: IDataObject = {},
	): Promise<ChangesRun> {
		const { client, credential, platform } = environment;
		const workflow = await client.createWorkflow(
			chain('Changes', credential, [
				changesTrigger('Changed Orders', { watch: 'order', simplify: false, ...parameters }),
				noOperation('Done'),
			]),
		);
		await client.activate(workflow.id);
		return new ChangesRun(platform, postgres, workflow.id);
	}

	/** Writes this many orders, one after the other. */
	async write(count: number, pauseMs = PAUSE_MS): Promise<void> {
		for (let n = 0; n < count; n++) {
			const { id } = await this.platform.control.writeRecord('orders');
			this.written.push(id);
			await wait(pauseMs);
		}
	}

	/** The id of the last execution of any workflow. */
	lastExecution(): number {
		return Number(this.postgres.query('SELECT coalesce(max(id), 0) FROM execution_entity')[0]);
	}

	/** Waits until the trigger polls the platform. @returns the last execution before that poll */
	async nextPoll(): Promise<number> {
		const last = this.lastExecution();
		await nextPoll(this.platform);
		return last;
	}

	/**
	 * Waits until every written order is in an execution, and asserts that none is in two, except those that the polls in
	 * `cutShort` handed over: a process that was killed cannot know whether an execution was created.
	 *
	 * @param cutShort for each poll after which n8n ended, the last execution before it
	 */
	async allExecuted(cutShort: number[]): Promise<void> {
		const look = async () => {
			const seen = this.executed();
			const ids = new Set(seen.flatMap(({ ids: executedIds }) => executedIds));
			return this.written.every((id) => ids.has(id)) ? seen : undefined;
		};
		const seen = await until('all changes to be executed', 4 * POLL_TIMEOUT_MS, look, LOOK_MS);
		const times = tally(seen.flatMap(({ ids }) => ids));
		const repeated = Object.keys(times).filter((id) => times[id] > 1);
		const excused = new Set(
			seen
				.filter(({ execution }) => cutShort.some((last) => [last, last + 1].includes(execution)))
				.flatMap(({ ids }) => ids),
		);
		console.log(
			`  ${this.written.length} changes, ${seen.length} executions; executions per change ${JSON.stringify(tally(Object.values(times)))}`,
		);
		assert.deepEqual(
			repeated.filter((id) => !excused.has(id)),
			[],
		);
	}

	private executed(): Array<{ execution: number; ids: string[] }> {
		return executionsOf(this.postgres, this.workflowId).map(({ id, data }) => ({
			execution: id,
			ids: givenTo(data).map((order) => String(order.id)),
		}));
	}
}
