import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { until } from '../../../platform/support/until';
import { DURABLE_CURSORS } from '../../support/environment/testEnvironment';
import { queueOfSuite } from '../environment';
import { ChangesRun, killsOr, LOOK_MS, POLL_TIMEOUT_MS, smallShop } from './changesRun';

const KILLS = killsOr(3);
const CHANGES = 50 * KILLS;
/** The changes last as long as the kills, ms. */
const PAUSE_MS = 600;
/** Main runs at most this long before it is killed: the time between two polls, ms. */
const MAX_RUN_MS = 20_000;

describe(`n8n in queue mode with durable cursors, ${CHANGES} changes, main killed ${KILLS} times`, () => {
	const environment = queueOfSuite(smallShop(DURABLE_CURSORS));
	let run: ChangesRun;

	before(async () => {
		run = await ChangesRun.publish(environment, environment.postgres);
	});

	/** n8n stores nothing from the poll at publishing, so the trigger begins with the first scheduled one. */
	const begun = async () =>
		await until(
			'the first scheduled poll',
			POLL_TIMEOUT_MS,
			async () => {
				const stored = "SELECT 1 FROM poller_state WHERE cursor::text LIKE '%checksum%'";
				return environment.postgres.query(stored)[0];
			},
			LOOK_MS,
		);

	it('all are given once', async () => {
		const { n8n, worker } = environment;
		const writing = run.write(CHANGES, PAUSE_MS);
		await begun();
		for (let kills = 0; kills < KILLS; kills++) {
			await wait(Math.random() * MAX_RUN_MS);
			await n8n.kill();
			await n8n.start();
		}
		await writing;
		await run.allExecuted([]);
		assert.match(worker.readLog(), /Worker (started|finished) execution/);
		assert.doesNotMatch(n8n.readLog(), /durable poll cursors stay disabled/);
	});
});
