import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { before, beforeEach, afterEach, describe, it } from 'node:test';

import type { INode } from 'n8n-workflow';

import type { DeliveryRecord } from '../../../platform/deliveries/delivery';
import { publishTrigger, type PublishedTrigger } from '../../support/environment/publishedTrigger';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { tally } from '../../support/figures';
import { ExecutionCounts } from '../../support/n8n/executionCounts';
import { noOperation } from '../../support/n8n/workflows';
import { environmentOfSuite } from '../environment';

/** Shortens the platform's retries, 1 min to 24 h: 2 s, 10 s, 1 min, 4 min and so on. Its wait for an answer stays 10 s. */
const RETRY_DELAY_FACTOR = 1 / 30;
const ORDERS = 20;
const WITHIN_MS = 10_000;
const AT_ONCE = 250;
/** The last retry that these tests need comes after five minutes. */
const SETTLE_MS = 420_000;

/** Takes long enough that most of the orders wait for their turn longer than the platform waits for its answer. */
const WORK: Partial<INode> = {
	name: 'Work',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { amount: 3, unit: 'seconds' },
};

interface Outcome {
	deliveries: DeliveryRecord[];
	/** How many executions each has. */
	executions: number[];
}

/** Publishes a workflow for each test, and tells what became of the deliveries to it. */
function withTrigger(environment: TestEnvironment, last: Partial<INode>) {
	let published: PublishedTrigger;
	let counts: ExecutionCounts;

	before(() => (counts = new ExecutionCounts(environment.n8n)));
	beforeEach(async () => (published = await publishTrigger(environment, last)));
	afterEach(async () => await environment.client.deactivate(published.workflow.id));

	return async (title: string): Promise<Outcome> => {
		const { control } = environment.platform;
		const { pending } = await control.settled(SETTLE_MS);
		await counts.settled(published.workflow.id);
		const [{ id: endpointId }] = await control.endpoints();
		const deliveries = await control.deliveries({ endpointId });
		const executed = counts.byDelivery(published.workflow.id);
		const executions = deliveries.map(({ id }) => executed[id] ?? 0);
		const answers = deliveries.flatMap(({ attempts }) =>
			attempts.map(({ status, error }) => status ?? error ?? '-'),
		);
		console.log(
			`  ${title}: ${deliveries.length} deliveries, executions each ${JSON.stringify(tally(executions))}, attempts each ${JSON.stringify(tally(deliveries.map(({ attempts }) => attempts.length)))}, their answers ${JSON.stringify(tally(answers))}, states ${JSON.stringify(tally(deliveries.map(({ state }) => state)))}`,
		);
		assert.equal(pending, 0);
		assert.deepEqual(tally(deliveries.map(({ state }) => state)), { delivered: deliveries.length });
		return { deliveries, executions };
	};
}

/** Kills n8n as a crash would, and starts it again. */
async function killAndStart({ n8n }: TestEnvironment): Promise<void> {
	await n8n.kill();
	await n8n.start();
}

describe('n8n that runs one execution at a time', () => {
	const environment = environmentOfSuite({
		platform: { retryDelayFactor: RETRY_DELAY_FACTOR },
		n8n: { environment: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } },
	});
	const outcome = withTrigger(environment, WORK);

	async function payAll(): Promise<void> {
		for (let order = 0; order < ORDERS; order++) {
			await environment.platform.control.payOrder();
			await wait(WITHIN_MS / ORDERS);
		}
	}

	it(`executes each of ${ORDERS} orders that are paid within 10 s once`, async () => {
		await payAll();
		const { executions } = await outcome('one at a time');
		assert.deepEqual(tally(executions), { 1: ORDERS });
	});

	it('loses none of them if it is killed in the middle', async () => {
		await payAll();
		await killAndStart(environment);
		const { executions } = await outcome('one at a time, killed');
		assert.equal(executions.length, ORDERS);
		assert.ok(Math.min(...executions) >= 1);
	});
});

describe(`${AT_ONCE} deliveries at once to one n8n as it is`, () => {
	const environment = environmentOfSuite({
		platform: { retryDelayFactor: RETRY_DELAY_FACTOR, deliveryConcurrency: AT_ONCE },
	});
	const outcome = withTrigger(environment, noOperation('Done'));

	async function emitAll(): Promise<void> {
		const { control } = environment.platform;
		for (let order = 0; order < AT_ONCE; order++)
			await control.emit('order.paid', { id: `ord_${order}`, status: 'paid', at: order });
	}

	it('each has one execution', async () => {
		await emitAll();
		const { executions } = await outcome('at once');
		assert.deepEqual(tally(executions), { 1: AT_ONCE });
	});

	it('none is lost if n8n is killed in the middle', async () => {
		await emitAll();
		await wait(WITHIN_MS / 2);
		await killAndStart(environment);
		const { executions } = await outcome('at once, killed');
		assert.equal(executions.length, AT_ONCE);
		assert.ok(Math.min(...executions) >= 1);
	});
});
