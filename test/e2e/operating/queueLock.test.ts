import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { publishWebhook } from '../../support/environment/publishedTrigger';
import { shopNode } from '../../support/n8n/workflows';
import { until } from '../../../platform/support/until';
import { EXPRESSION_ENGINE, queueOfSuite } from '../environment';

const ROWS = 60_000;
/** n8n takes a worker for lost that does not renew its lock for so long; by default after 60 s. ms. */
const LOCK_MS = 6_000;
const ENDED_MS = 20 * 60_000;

describe(`${ROWS} rows with four expressions each on a worker in queue mode`, () => {
	const environment = queueOfSuite({
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

	it('leave the worker time to renew its lock, so the execution succeeds and writes each product once', async () => {
		const { n8n, balancer, platform, postgres } = environment;
		const rows = {
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		};
		const write = shopNode('Write', {
			resource: 'product',
			operation: 'upsert',
			specifyProduct: 'defineBelow',
			sku: '={{ $json.sku }}',
			title: '={{ $json.title }}',
			additionalFields: {
				handle: '={{ $json.sku.toLowerCase() }}',
				description: '={{ "Sold as " + $json.title }}',
			},
		});
		const url = await publishWebhook(environment, 'Catalogue', {}, [rows, write]);
		const body = Array.from({ length: ROWS }, (_, n) => ({ sku: `P-${n}`, title: `Product ${n}` }));
		const answer = await fetch(url.replace(n8n.url, balancer.url), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ rows: body }),
		});
		assert.equal(answer.status, 200);
		const [id] = postgres.query('SELECT max(id) FROM execution_entity');
		const startedMs = Date.now();
		const status = await until(`execution ${id} to end`, ENDED_MS, async () => {
			const [now] = postgres.query(`SELECT status FROM execution_entity WHERE id = ${id}`);
			return ['success', 'error', 'crashed'].includes(now) ? now : undefined;
		});
		const { control } = platform;
		const times = Object.values((await control.counters()).writesByIdempotencyKey);
		console.log(`  ${status} after ${Math.round((Date.now() - startedMs) / 1_000)} s`);
		assert.equal(status, 'success');
		assert.equal((await control.records('products')).count, ROWS);
		assert.deepEqual(
			times.filter((count) => count !== 1),
			[],
		);
	});
});
