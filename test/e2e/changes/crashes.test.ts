import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { EVERY_MINUTE } from '../../support/n8n/workflows';
import { environmentOfSuite } from '../environment';
import { startPostgres, type Postgres } from '../../support/queue/services';
import { ChangesRun, killsOr, onPostgres } from './changesRun';

const KILLS = killsOr(2);
const CHANGES = Math.max(300, 50 * KILLS);
/** The changes last as long as the crashes, ms. */
const PAUSE_MS = (KILLS * 50_000) / CHANGES;
/** Every other time n8n is killed outside a poll, at most this long after its start, ms. */
const MAX_RUN_MS = 20_000;
const FAULTS = 0.1;
const DATABASE_AWAY_MS = 10_000;
/** Time in which a started n8n has published the workflow again and polled, ms. */
const START_POLL_MS = 8_000;

/**
 * What n8n 2.41 logs when its pool does not end in time after the database was away. At times it gets no connection any
 * more then and does no polls, until it is started again, as its operator would.
 */
const STUCK_POOL = 'force-closing connection sockets';

describe(`${CHANGES} changes, one request in ten failing, n8n killed ${KILLS} times and its database away once`, () => {
	let postgres: Postgres;
	let run: ChangesRun;
	const environment = environmentOfSuite(async () => {
		postgres = await startPostgres();
		return onPostgres(postgres);
	});

	before(async () => {
		run = await ChangesRun.publish(environment, postgres, { pollTimes: EVERY_MINUTE });
	});
	after(async () => await postgres?.stop());

	it('all are executed, and only what the crashes hit is executed twice', async () => {
		const { platform, n8n } = environment;
		await platform.control.setFaults([
			{
				path: '/orders',
				probability: FAULTS,
				anyOf: [{ fault: 'status', status: 503 }, { fault: 'reset' }],
			},
		]);
		const writing = run.write(CHANGES, PAUSE_MS);
		const hits: number[] = [];
		for (let kills = 0; kills < KILLS; kills++) {
			if (kills % 2 === 0) hits.push(await run.nextPoll());
			else {
				await wait(Math.random() * MAX_RUN_MS);
				hits.push(run.lastExecution());
			}
			await n8n.kill();
			await n8n.start();
			// The first poll belongs to the publication; a kill during that one is another matter.
			await wait(START_POLL_MS);
		}
		hits.push(await run.nextPoll());
		await postgres.stop();
		await wait(DATABASE_AWAY_MS);
		await postgres.start();
		await writing;
		await run.nextPoll().catch(async (error: unknown) => {
			if (!n8n.readLog().includes(STUCK_POOL)) throw error;
			console.log('  n8n did no polls after its pool was torn down; started again');
			hits.push(run.lastExecution());
			await n8n.kill();
			await n8n.start();
		});
		await run.allExecuted(hits);
	});
});
