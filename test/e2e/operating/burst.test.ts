import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'node:test';

import { tally } from '../../support/figures';
import { noOperation } from '../../support/n8n/workflows';
import { EXPRESSION_ENGINE, environmentOfSuite } from '../environment';
import { killAndStart, withTrigger } from './outcome';

/** Shortens the platform's retries, 1 min to 24 h: 10 s, 50 s, 5 min and so on. Its wait for an answer stays 10 s. */
const RETRY_DELAY_FACTOR = 1 / 6;
const AT_ONCE = 250;
const KILLED_AFTER_MS = 5_000;

describe(`${AT_ONCE} deliveries at once to one n8n`, () => {
	const environment = environmentOfSuite({
		platform: { retryDelayFactor: RETRY_DELAY_FACTOR, deliveryConcurrency: AT_ONCE },
		n8n: { environment: EXPRESSION_ENGINE },
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
		await wait(KILLED_AFTER_MS);
		await killAndStart(environment);
		const { executions } = await outcome('at once, killed');
		assert.equal(executions.length, AT_ONCE);
		assert.ok(Math.min(...executions) >= 1);
	});
});
