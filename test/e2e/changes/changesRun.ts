import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
	type QueueEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { tally } from '../../support/figures';
import { executedItems, type ExecutedItems } from '../../support/n8n/executedItems';
import { changesTrigger, chain, noOperation } from '../../support/n8n/workflows';
import { Progress } from '../../support/progress';
import type { Postgres } from '../../support/queue/services';
import { until } from '../../support/until';

/** Between two changes. ms. */
const PAUSE_MS = 350;
/** n8n's shortest interval is a minute. */
const POLL_TIMEOUT_MS = 130_000;

/** A small shop, so that each poll reads little but what has changed. */
export const SMALL_SHOP = { orders: 50, products: 10, customers: 5, categories: 2 };

interface QueueRun {
	environment: QueueEnvironment;
	run: ChangesRun;
}

/** Orders that change one after the other while the published changes trigger watches them. */
export class ChangesRun {
	private readonly written: string[] = [];

	private constructor(
		private readonly environment: TestEnvironment,
		private readonly postgres: Postgres,
		private readonly workflowId: string,
	) {}

	/** Starts n8n in queue mode and publishes a changes trigger there. */
	static async inQueueMode(n8n: Record<string, string> = {}): Promise<QueueRun> {
		const environment = await startTestEnvironment(new Progress(), {
			mode: 'queue',
			platform: SMALL_SHOP,
			n8n: { environment: { ...EXPRESSION_ENGINE, ...n8n } },
		});
		return { environment, run: await ChangesRun.publish(environment, environment.postgres) };
	}

	static async publish(environment: TestEnvironment, postgres: Postgres): Promise<ChangesRun> {
		const { client, credential } = environment;
		const workflow = await client.createWorkflow(
			chain('Changes', credential, [
				changesTrigger('Changed Orders', { watch: 'order', simplify: false }),
				noOperation('Done'),
			]),
		);
		await client.activate(workflow.id);
		return new ChangesRun(environment, postgres, workflow.id);
	}

	/** Writes so many orders, one after the other. */
	async write(count: number, pauseMs = PAUSE_MS): Promise<void> {
		for (let n = 0; n < count; n++) {
			const { id } = await this.environment.platform.control.writeRecord('orders');
			this.written.push(id);
			await wait(pauseMs);
		}
	}

	/** Waits until the trigger asks the platform, and gives the last execution there was before. */
	async nextPoll(): Promise<number> {
		const last = Number(
			this.postgres.query('SELECT coalesce(max(id), 0) FROM execution_entity')[0],
		);
		const before = await this.polls();
		const deadline = Date.now() + POLL_TIMEOUT_MS;
		while ((await this.polls()) === before) {
			assert.ok(Date.now() < deadline, 'the trigger polls');
			await wait(5);
		}
		return last;
	}

	private async polls(): Promise<number> {
		return (await this.environment.platform.control.counters()).byRoute
			.filter(({ route }) => route === '/orders')
			.reduce((sum, { count }) => sum + count, 0);
	}

	/**
	 * Waits until all that was written is in an execution, and asserts that nothing is in two, but for what the given
	 * polls handed over: whether an execution came of it, a process that is gone can not know.
	 *
	 * @param cutShort for each poll after which n8n ended, the last execution before it
	 */
	async allExecuted(cutShort: number[]): Promise<void> {
		const { client } = this.environment;
		const seen = await until('all changes to be executed', 4 * POLL_TIMEOUT_MS, async () => {
			const executed = await executedItems(client, this.postgres, this.workflowId).catch(() => []);
			const ids = new Set(idsOf(executed));
			return this.written.every((id) => ids.has(id)) ? executed : undefined;
		});
		const times = tally(idsOf(seen));
		const repeated = Object.keys(times).filter((id) => times[id] > 1);
		const excused = new Set(
			idsOf(
				seen.filter(({ executionId }) =>
					cutShort.some((last) => executionId === last || executionId === last + 1),
				),
			),
		);
		console.log(
			`  ${this.written.length} changes, ${seen.length} executions; executions per change ${JSON.stringify(tally(Object.values(times)))}`,
		);
		assert.deepEqual(
			repeated.filter((id) => !excused.has(id)),
			[],
		);
	}
}

const idsOf = (executed: ExecutedItems[]): string[] =>
	executed.flatMap(({ items }) => items.map(({ id }) => String(id)));
