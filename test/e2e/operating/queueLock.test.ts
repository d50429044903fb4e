import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { publishWebhook } from '../../support/environment/publishedTrigger';
import { shopNode } from '../../support/n8n/workflows';
import { batchQueueOfSuite, begin, ended } from '../bulk/batchQueue';

const ROWS = 60_000;
const ENDED_MS = 20 * 60_000;

describe(`${ROWS} rows with four expressions each on a worker in queue mode`, () => {
	const environment = batchQueueOfSuite();

	it('leave the worker time to renew its lock, so the execution succeeds and writes each product once', async () => {
		const split = {
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
		const url = await publishWebhook(environment, 'Catalogue', {}, [split, write]);
		const rows = Array.from({ length: ROWS }, (_, n) => ({ sku: `P-${n}`, title: `Product ${n}` }));
		const status = await ended(environment, await begin(environment, url, { rows }), ENDED_MS);
		const { control } = environment.platform;
		const times = Object.values((await control.counters()).writesByIdempotencyKey);
		assert.equal(status, 'success');
		assert.equal((await control.records('products')).count, ROWS);
		assert.deepEqual(
			times.filter((count) => count !== 1),
			[],
		);
	});
});
