import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'node:test';

import type { INode } from 'n8n-workflow';

import { tally } from '../../support/figures';
import { environmentOfSuite } from '../environment';
import { killAndStart, withTrigger } from './outcome';

/** Shortens the platform's retries, 1 min to 24 h: 2 s, 10 s, 1 min, 4 min and so on. Its wait for an answer stays 10 s. */
const RETRY_DELAY_FACTOR = 1 / 30;
const ORDERS = 20;
const WITHIN_MS = 10_000;

/** Takes long enough that most of the orders wait for their turn longer than the platform waits for its answer. */
const WORK: Partial<INode> = {
	name: 'Work',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { amount: 3, unit: 'seconds' },
};

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
