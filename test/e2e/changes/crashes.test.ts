import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { postgresEnvironment } from '../../support/environment/postgresDatabase';
import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { tally } from '../../support/figures';
import { executedItems } from '../../support/n8n/executedItems';
import { changesTrigger, chain, noOperation } from '../../support/n8n/workflows';
import { Progress } from '../../support/progress';
import { startPostgres, type Postgres } from '../../support/queue/services';
import { until } from '../../support/until';

const CHANGES = 500;
/** Between two of them, so that they take some three minutes. ms. */
const PAUSE_MS = 350;
const FAULTS = 0.1;
const DATABASE_AWAY_MS = 10_000;
/** In which n8n's start has published the workflow again, and polled. ms. */
const START_POLL_MS = 8_000;
/** n8n's shortest interval is a minute. */
const POLL_TIMEOUT_MS = 130_000;

describe(`${CHANGES} changes, one request in ten failing, n8n killed twice and its database away once`, () => {
	let environment: TestEnvironment;
	let postgres: Postgres;
	let workflowId: string;

	before(async () => {
		postgres = await startPostgres();
		environment = await startTestEnvironment(new Progress(), {
			platform: { orders: 50, products: 10, customers: 5, categories: 2 },
			n8n: {
				environment: { ...EXPRESSION_ENGINE, ...postgresEnvironment(postgres) },
			},
		});
		const { client, credential } = environment;
		const workflow = await client.createWorkflow(
			chain('Changes', credential, [
				changesTrigger('Changed Orders', { watch: 'order', simplify: false }),
				noOperation('Done'),
			]),
		);
		await client.activate(workflow.id);
		workflowId = workflow.id;
	});
	after(async () => {
		await environment?.close();
		await postgres?.stop();
	});

	/** Waits until the trigger asks the platform, and gives the last execution there was before. */
	async function nextPoll(): Promise<number> {
		const { control } = environment.platform;
		const last = Number(postgres.query('SELECT coalesce(max(id), 0) FROM execution_entity')[0]);
		const polls = async () =>
			(await control.counters()).byRoute
				.filter(({ route }) => route === '/orders')
				.reduce((sum, { count }) => sum + count, 0);
		const before = await polls();
		const deadline = Date.now() + POLL_TIMEOUT_MS;
		while ((await polls()) === before) {
			assert.ok(Date.now() < deadline, 'the trigger polls');
			await wait(5);
		}
		return last;
	}

	async function write(written: string[]): Promise<void> {
		for (let n = 0; n < CHANGES; n++) {
			const { id } = await environment.platform.control.writeRecord('orders');
			written.push(id);
			await wait(PAUSE_MS);
		}
	}

	it('all are executed, and only what the crashes hit is executed twice', async () => {
		const { platform, n8n, client } = environment;
		await platform.control.setFaults([
			{
				path: '/orders',
				probability: FAULTS,
				anyOf: [{ fault: 'status', status: 503 }, { fault: 'reset' }],
			},
		]);
		const written: string[] = [];
		const writing = write(written);
		const hits: number[] = [];
		for (let kills = 0; kills < 2; kills++) {
			hits.push(await nextPoll());
			await n8n.kill();
			await n8n.start();
			// The poll of the start belongs to the publication; n8n killed in that is a matter of its own.
			await wait(START_POLL_MS);
		}
		hits.push(await nextPoll());
		await postgres.stop();
		await wait(DATABASE_AWAY_MS);
		await postgres.start();
		await writing;
		const seen = await until('all changes to be executed', 4 * POLL_TIMEOUT_MS, async () => {
			const executed = await executedItems(client, postgres, workflowId).catch(() => []);
			const ids = new Set(executed.flatMap(({ items }) => items.map(({ id }) => String(id))));
			return written.every((id) => ids.has(id)) ? executed : undefined;
		});
		report(seen, written, hits);
	});

	function report(
		seen: Awaited<ReturnType<typeof executedItems>>,
		written: string[],
		hits: number[],
	): void {
		const times = tally(seen.flatMap(({ items }) => items.map(({ id }) => String(id))));
		const repeated = Object.keys(times).filter((id) => times[id] > 1);
		// The kill came with the next poll; what was handed over last before it, or right then, is not confirmed.
		const excused = new Set(
			hits.flatMap((last) =>
				seen
					.filter(({ executionId }) => executionId === last || executionId === last + 1)
					.flatMap(({ items }) => items.map(({ id }) => String(id))),
			),
		);
		console.log(
			`  ${written.length} changes, ${seen.length} executions; executions per change ${JSON.stringify(tally(Object.values(times)))}`,
		);
		assert.equal(written.filter((id) => times[id] === undefined).length, 0);
		assert.deepEqual(
			repeated.filter((id) => !excused.has(id)),
			[],
		);
	}
});
