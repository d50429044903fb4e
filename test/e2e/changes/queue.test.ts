import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
	type QueueEnvironment,
} from '../../support/environment/testEnvironment';
import { Progress } from '../../support/progress';
import { ChangesRun, SMALL_SHOP } from './changesRun';

const CHANGES = 250;
/** In which n8n has made an execution of what was handed over. ms. */
const HANDED_OVER_MS = 5_000;

/** Off by default: n8n's database keeps the schedule, and saves what a poll remembers together with the execution. */
const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

for (const [cursors, settings, repeats] of [
	['its usual cursors', {}, 'only the last handover before the restart twice'],
	['durable cursors', DURABLE_CURSORS, 'nothing twice'],
] as const) {
	describe(`n8n in queue mode with ${cursors}, ${CHANGES} changes, main restarted`, () => {
		let environment: QueueEnvironment;
		let run: ChangesRun;

		before(async () => {
			environment = await startTestEnvironment(new Progress(), {
				mode: 'queue',
				platform: SMALL_SHOP,
				n8n: { environment: { ...EXPRESSION_ENGINE, ...settings } },
			});
			run = await ChangesRun.publish(environment, environment.postgres);
		});
		after(async () => await environment?.close());

		it(`all are executed by the worker, and ${repeats}`, async () => {
			const { n8n, worker } = environment;
			const writing = run.write(CHANGES);
			const last = await run.nextPoll();
			await wait(HANDED_OVER_MS);
			await n8n.restart();
			await writing;
			await run.allExecuted(settings === DURABLE_CURSORS ? [] : [last]);
			assert.match(worker.readLog(), /Worker (started|finished) execution/);
			assert.doesNotMatch(n8n.readLog(), /durable poll cursors stay disabled/);
		});
	});
}
