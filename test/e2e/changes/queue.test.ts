import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { queueOfSuite } from '../environment';
import { ChangesRun, smallShop } from './changesRun';

const CHANGES = 250;
/** Time in which n8n creates an execution from the items that were handed over, ms. */
const HANDED_OVER_MS = 5_000;

describe(`n8n in queue mode with its usual cursors, ${CHANGES} changes, main restarted`, () => {
	const environment = queueOfSuite(smallShop());
	let run: ChangesRun;

	before(async () => {
		run = await ChangesRun.publish(environment, environment.postgres);
	});

	it('all are executed by the worker, and only the last handover before the restart twice', async () => {
		const { n8n, worker } = environment;
		const writing = run.write(CHANGES);
		const last = await run.nextPoll();
		await wait(HANDED_OVER_MS);
		await n8n.restart();
		await writing;
		await run.allExecuted([last]);
		assert.match(worker.readLog(), /Worker (started|finished) execution/);
	});
});
