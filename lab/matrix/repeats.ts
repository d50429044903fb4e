import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

import { apiClient, idsOf } from '../../platform/support/apiClient';
import { signedDelivery, type Delivery } from '../../platform/support/delivery';
import type { TestEnvironment } from '../../test/support/environment/testEnvironment';
import { sendOne, stamped } from '../../test/support/load';
import type { ExecutionCounts } from '../../test/support/n8n/executionCounts';
import type { Workflow } from '../../test/support/n8n/types';
import { until } from '../../platform/support/until';

const REPEATS = 10;
const WAIT_MS = 60_000;
/** An older n8n creates the execution after its answer, ms. */
const SETTLE_MS = 3_000;

/** What the trials share. `paid` is published once, for all trials that need it. */
export interface TrialContext {
	environment: TestEnvironment;
	counts: ExecutionCounts;
	paid?: Workflow;
}

/** Genuine deliveries of paid orders, as the platform would send them. */
export async function signedDeliveries({
	environment: { platform },
}: TrialContext): Promise<Delivery[]> {
	const [{ id, url }] = await platform.control.endpoints();
	const secret = await platform.control.endpointSecret(id);
	const orders = idsOf(await apiClient(platform).walk('/orders', REPEATS)).slice(0, REPEATS);
	return orders.map((order) => signedDelivery({ url, secret, payload: { id: order } }));
}

const executions = ({ counts, paid }: TrialContext): number => counts.total(paid!.id);

/** Sends deliveries and waits until each is executed once. */
export async function sendNew(context: TrialContext, deliveries: Delivery[]): Promise<void> {
	const before = executions(context);
	await sendAccepted(deliveries);
	await until(
		'all to be executed',
		WAIT_MS,
		async () => executions(context) === before + deliveries.length,
	);
	await context.counts.settled(context.paid!.id);
}

/**
 * Sends the deliveries again as the platform does, with the time of the attempt.
 *
 * @returns how many were executed again, e.g. `0 of 10`
 * @throws AssertionError if any was
 */
export async function executedAgain(
	context: TrialContext,
	deliveries: Delivery[],
): Promise<string> {
	const before = executions(context);
	await sendAccepted(deliveries);
	await wait(SETTLE_MS);
	await context.counts.settled(context.paid!.id);
	const share = `${executions(context) - before} of ${deliveries.length}`;
	assert.equal(executions(context), before, `${share} were executed again`);
	return share;
}

async function sendAccepted(deliveries: Delivery[]): Promise<void> {
	for (const delivery of deliveries) {
		assert.equal((await sendOne(stamped(delivery))).status, 200);
	}
}
