import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { after, describe, it } from 'node:test';

import type { IDataObject } from 'n8n-workflow';

import { startPlatform, type FaultRule, type Platform } from '../../../platform';
import { percentile, tally } from '../../support/figures';
import type { Execution, Workflow } from '../../support/n8n/types';
import { chain, noOperation, shopTrigger } from '../../support/n8n/workflows';
import { EXPRESSION_ENGINE, environmentOfSuite } from '../environment';

const ORDERS = 50;
/** Time runs ten times as fast for the platform's retries: 6 s, 30 s, 3 min, 12 min. Its wait for an answer stays 10 s. */
const RETRY_DELAY_FACTOR = 1 / 10;
/** Ten minutes at that pace. */
const OUTAGE_MS = 60_000;
const SETTLE_MS = 900_000;
/** The platform waits for 10 s. */
const MAX_ANSWER_MS = 6_000;

const ORDER_READS = { method: 'GET', path: '/orders' };

/** How the platform fails while the orders are paid. */
const OUTAGES: Record<string, FaultRule> = {
	'answers 503': { ...ORDER_READS, fault: 'status', status: 503 },
	'answers 429': { ...ORDER_READS, fault: 'status', status: 429 },
	'answers 401': { ...ORDER_READS, fault: 'status', status: 401 },
	hangs: { ...ORDER_READS, fault: 'stall' },
};

describe('Get Full Record while the platform fails', () => {
	const environment = environmentOfSuite({ n8n: { environment: EXPRESSION_ENGINE } });
	const platforms: Platform[] = [];
	after(async () => {
		for (const platform of platforms) await platform.close();
	});

	/** Starts a platform, and publishes a workflow for its paid orders. */
	async function published(name: string): Promise<{ platform: Platform; workflow: Workflow }> {
		const { client } = environment;
		const platform = await startPlatform({ retryDelayFactor: RETRY_DELAY_FACTOR });
		platforms.push(platform);
		const credential = await client.createShopCredential(name, platform);
		const parameters = { events: ['order.paid'], getFullRecord: true };
		const parts = [shopTrigger('Order Paid', parameters), noOperation('Done')];
		const workflow = await client.createWorkflow(chain(name, credential, parts));
		await client.activate(workflow.id);
		return { platform, workflow };
	}

	async function pay({ control }: Platform): Promise<void> {
		await Promise.all(Array.from({ length: ORDERS }, async () => await control.payOrder()));
	}

	const itemOf = ({ data }: Execution): IDataObject =>
		data.resultData.runData['Order Paid'][0].data!.main[0]![0].json;

	/** Checks that each order has one execution, with its record. @returns what to print */
	async function allHaveTheirRecords(platform: Platform, workflow: Workflow): Promise<string> {
		const { pending } = await platform.control.settled(SETTLE_MS);
		assert.equal(pending, 0);
		const executions = await environment.client.finishedExecutions(workflow.id, ORDERS);
		const deliveries = await platform.control.deliveries();
		const items = executions.map(itemOf);
		const withRecord = items.filter(({ payload, record }) => {
			const [paid, read] = [payload, record] as Array<IDataObject | undefined>;
			return read !== undefined && read.id === paid?.id;
		});
		const attempts = deliveries.flatMap((delivery) => delivery.attempts);
		const answers = tally(attempts.map(({ status, error }) => status ?? error ?? '-'));
		assert.equal(executions.length, ORDERS);
		assert.equal(withRecord.length, ORDERS);
		assert.equal(new Set(items.map(({ deliveryId }) => deliveryId)).size, ORDERS);
		return `${executions.length} executions, ${withRecord.length} with records; answers to all attempts ${JSON.stringify(answers)}`;
	}

	it(`answers ${ORDERS} deliveries at once within ${MAX_ANSWER_MS / 1000} s, whether the platform answers or hangs`, async () => {
		for (const [state, faults] of [['answers', []] as const, ['hangs', [OUTAGES.hangs]] as const]) {
			const { platform, workflow } = await published(`The platform ${state}`);
			await platform.control.setFaults(faults);
			await pay(platform);
			const firstAttempts = async () =>
				(await platform.control.deliveries()).flatMap(({ attempts: [first] }) => first ?? []);
			while ((await firstAttempts()).length < ORDERS) await wait(100);
			await platform.control.setFaults([]);
			const took = (await firstAttempts()).map(({ durationMs }) => durationMs);
			const p99 = percentile(took, 0.99);
			const told = await allHaveTheirRecords(platform, workflow);
			console.log(
				`  the platform ${state}: median ${percentile(took, 0.5)} ms, p99 ${p99} ms; ${told}`,
			);
			await environment.client.deactivate(workflow.id);
			assert.ok(p99 <= MAX_ANSWER_MS, `${p99} ms`);
		}
	});

	it(`${ORDERS} orders that are paid while it fails for ten minutes all start with their record in the end`, async () => {
		const outages = Object.entries(OUTAGES).map(async ([name, fault]) => {
			const { platform, workflow } = await published(name);
			await platform.control.setFaults([fault]);
			await pay(platform);
			await wait(OUTAGE_MS);
			await platform.control.setFaults([]);
			const during = await environment.client.executions(workflow.id);
			const told = await allHaveTheirRecords(platform, workflow);
			console.log(`  a platform that ${name}: ${during.length} executions meanwhile; ${told}`);
			assert.equal(during.length, 0);
		});
		await Promise.all(outages);
	});
});
