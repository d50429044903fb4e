import assert from 'node:assert/strict';
import { before, beforeEach, afterEach } from 'node:test';

import type { INode } from 'n8n-workflow';

import type { DeliveryRecord } from '../../../platform/deliveries/delivery';
import { publishTrigger, type PublishedTrigger } from '../../support/environment/publishedTrigger';
import type { TestEnvironment } from '../../support/environment/testEnvironment';
import { tally } from '../../support/figures';
import { ExecutionCounts } from '../../support/n8n/executionCounts';

/** The last retry that these tests need comes after six minutes. */
const SETTLE_MS = 540_000;

interface Outcome {
	deliveries: DeliveryRecord[];
	/** How many executions each has. */
	executions: number[];
}

/** Publishes a workflow for each test, and tells what became of the deliveries to it. */
export function withTrigger(environment: TestEnvironment, last: Partial<INode>) {
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
export async function killAndStart({ n8n }: TestEnvironment): Promise<void> {
	await n8n.kill();
	await n8n.start();
}
