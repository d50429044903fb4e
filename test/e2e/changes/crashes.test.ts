import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { EVERY_MINUTE } from '../../support/n8n/workflows';
import { postgresEnvironment } from '../../support/environment/postgresDatabase';
import {
	EXPRESSION_ENGINE,
	startTestEnvironment,
	type TestEnvironment,
} from '../../support/environment/testEnvironment';
import { Progress } from '../../support/progress';
import { startPostgres, type Postgres } from '../../support/queue/services';
import { ChangesRun, SMALL_SHOP } from './changesRun';

/** They last as long as what goes wrong. */
const CHANGES = 300;
const FAULTS = 0.1;
const DATABASE_AWAY_MS = 10_000;
/** In which n8n's start has published the workflow again, and polled. ms. */
const START_POLL_MS = 8_000;

describe(`${CHANGES} changes, one request in ten failing, n8n killed twice and its database away once`, () => {
	let environment: TestEnvironment;
	let postgres: Postgres;
	let run: ChangesRun;

	before(async () => {
		postgres = await startPostgres();
		environment = await startTestEnvironment(new Progress(), {
			platform: SMALL_SHOP,
			n8n: { environment: { ...EXPRESSION_ENGINE, ...postgresEnvironment(postgres) } },
		});
		run = await ChangesRun.publish(environment, postgres, { pollTimes: EVERY_MINUTE });
	});
	after(async () => {
		await environment?.close();
		await postgres?.stop();
	});

	it('all are executed, and only what the crashes hit is executed twice', async () => {
		const { platform, n8n } = environment;
		await platform.control.setFaults([
			{
				path: '/orders',
				probability: FAULTS,
				anyOf: [{ fault: 'status', status: 503 }, { fault: 'reset' }],
			},
		]);
		const writing = run.write(CHANGES);
		const hits: number[] = [];
		for (let kills = 0; kills < 2; kills++) {
			hits.push(await run.nextPoll());
			await n8n.kill();
			await n8n.start();
			// The poll of the start belongs to the publication; n8n killed in that is a matter of its own.
			await wait(START_POLL_MS);
		}
		hits.push(await run.nextPoll());
		await postgres.stop();
		await wait(DATABASE_AWAY_MS);
		await postgres.start();
		await writing;
		await run.allExecuted(hits);
	});
});
