import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { environmentOfSuite } from '../environment';
import { apiClient } from '../../../platform/support/apiClient';
import { tally } from '../../support/figures';
import { withParameters } from '../../support/n8n/exampleRun';
import { example } from '../../support/n8n/examples';
import type { Workflow, WorkflowFile } from '../../support/n8n/types';
import { EVERY_MINUTE } from '../../support/n8n/workflows';
import { startPostgres, type Postgres } from '../../support/queue/services';
import { until } from '../../../platform/support/until';
import { executionsOf, LOOK_MS, nextPoll, onPostgres, POLL_TIMEOUT_MS } from './changesRun';

const WORK = 'no-lost-orders-work.json';
const WEBHOOK = 'no-lost-orders-webhook.json';
const PULL = 'no-lost-orders-pull.json';

const ORDERS = 300;
/** Orders that are paid while the webhook still works. */
const BY_WEBHOOK = 60;
/** Pause between two orders, so that they are paid until the database is back, ms. */
const PAUSE_MS = 200;
const DATABASE_AWAY_MS = 10_000;
/**
 * n8n's Remove Duplicates node reads and writes its memory without a lock, so two webhooks at the same moment can lose
 * one of their keys. The poll then brings that order again. Here only a poll can meet a webhook.
 */
const MAX_REPEATED = 6;

describe(`the pattern “no lost orders”, ${ORDERS} orders paid while the endpoint and the database go away`, () => {
	let postgres: Postgres;
	let work: Workflow;
	const environment = environmentOfSuite(async () => {
		postgres = await startPostgres();
		return onPostgres(postgres);
	});

	before(async () => {
		work = await publish(await file(WORK));
		await publish(calling(await file(WEBHOOK), work));
		await publish(everyMinute(calling(await file(PULL), work)));
	});
	after(async () => await postgres?.stop());

	const file = async (name: string) => await example(name, environment.credential);

	async function publish(workflow: WorkflowFile): Promise<Workflow> {
		const created = await environment.client.createWorkflow(workflow);
		await environment.client.activate(created.id);
		return created;
	}

	/** The user's choices after the import. */
	const calling = (workflow: WorkflowFile, { id }: Workflow): WorkflowFile =>
		withParameters(({ type }) => type === 'n8n-nodes-base.executeWorkflow', {
			workflowId: { __rl: true, mode: 'list', value: id },
		})(workflow);

	const everyMinute = withParameters(({ type }) => type.endsWith('ChangesTrigger'), {
		pollTimes: EVERY_MINUTE,
	});

	async function pay(
		count: number,
		paid: string[],
		pause: (orderId: string) => Promise<unknown>,
	): Promise<void> {
		const { control } = environment.platform;
		for (let n = 0; n < count; n++) {
			const { order } = await control.createOrder();
			await control.payOrder(String(order.id));
			paid.push(String(order.id));
			await pause(String(order.id));
		}
	}

	/** The orders that were processed, one entry for each time, and which path brought each. */
	const worked = (): Array<{ orderId: string; broughtBy: string }> =>
		executionsOf(postgres, work.id).flatMap(({ data }) =>
			(data.resultData?.runData?.['Do the Work']?.[0].data?.main[0] ?? []).map(({ json }) => ({
				orderId: String(json.orderId),
				broughtBy: String(json.broughtBy),
			})),
		);

	/** Waits until an order was worked on, so that the next one cannot meet it in Remove Duplicates. */
	const workedOn = async (order: string) =>
		await until(
			'the order to be worked on',
			POLL_TIMEOUT_MS,
			async () => worked().some(({ orderId }) => orderId === order),
			LOOK_MS / 4,
		);

	it('works on every order, once but for what n8n’s memory loses, and tells which way brought it', async () => {
		const { platform } = environment;
		const paid: string[] = [];
		await pay(BY_WEBHOOK, paid, workedOn);
		await platform.control.settled();
		const [{ id }] = await platform.control.endpoints();
		await apiClient(platform).send(`/webhooks/${id}`, { method: 'DELETE' });
		const paying = pay(ORDERS - BY_WEBHOOK, paid, async () => await wait(PAUSE_MS));
		await nextPoll(platform);
		// The database is down during the trigger's next poll.
		await wait(52_000);
		await postgres.stop();
		await wait(DATABASE_AWAY_MS);
		await postgres.start();
		await paying;
		const all = async () => {
			const done = new Set(worked().map(({ orderId }) => orderId));
			return paid.every((order) => done.has(order));
		};
		await until('all orders to be worked on', 4 * POLL_TIMEOUT_MS, all, LOOK_MS);
		// One more poll brings nothing twice.
		await nextPoll(platform);
		await wait(3_000);
		const final = worked();
		const times = tally(final.map(({ orderId }) => orderId));
		console.log(
			`  ${paid.length} orders paid; worked on, by way: ${JSON.stringify(tally(final.map(({ broughtBy }) => broughtBy)))}; times each: ${JSON.stringify(tally(Object.values(times)))}`,
		);
		const repeated = paid.filter((order) => times[order] !== 1);
		assert.ok(repeated.length <= MAX_REPEATED, `worked on more than once: ${repeated.join(', ')}`);
	});
});
