import assert from 'node:assert/strict';

import type { QueueEnvironment } from '../../support/environment/testEnvironment';
import { until } from '../../../platform/support/until';
import { EXPRESSION_ENGINE, queueOfSuite } from '../environment';

/** n8n takes a worker for lost that has not renewed its lock for so long; by default after 60 s. ms. */
const LOCK_MS = 6_000;

/** Pause between two looks at an execution: each starts psql. ms. */
const LOOK_MS = 250;

/** n8n in queue mode with an empty shop that takes batches. n8n notices a lost worker in seconds. */
export const batchQueueOfSuite = (): QueueEnvironment =>
	queueOfSuite({
		platform: {
			...{ products: 0, orders: 0, customers: 0, minuteBudget: 1_000_000, dayBudget: 10_000_000 },
			inDevelopment: { batch: true },
		},
		n8n: {
			environment: {
				...EXPRESSION_ENGINE,
				QUEUE_WORKER_LOCK_DURATION: String(LOCK_MS),
				QUEUE_WORKER_LOCK_RENEW_TIME: String(LOCK_MS / 3),
				QUEUE_WORKER_STALLED_INTERVAL: String(LOCK_MS / 2),
			},
		},
	});

/** Sends a body to a workflow behind the balancer. @returns the id of its execution */
export async function begin(
	{ n8n, balancer, postgres }: QueueEnvironment,
	url: string,
	body: object,
): Promise<number> {
	const answer = await fetch(url.replace(n8n.url, balancer.url), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	assert.equal(answer.status, 200);
	return Number(postgres.query('SELECT max(id) FROM execution_entity')[0]);
}

/** Waits until an execution has ended. @returns how */
export const ended = async (
	{ postgres }: QueueEnvironment,
	execution: number,
	timeoutMs = 120_000,
): Promise<string> =>
	await until(
		`execution ${execution} to end`,
		timeoutMs,
		async () => {
			const [status] = postgres.query(
				`SELECT status FROM execution_entity WHERE id = ${execution}`,
			);
			return ['success', 'error', 'crashed'].includes(status) ? status : undefined;
		},
		LOOK_MS,
	);
