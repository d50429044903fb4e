import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { BATCH_FAULTS, GIVEN_UP } from '../../support/batchFaults';
import { publishWebhook } from '../../support/environment/publishedTrigger';
import { tally } from '../../support/figures';
import { shopNode } from '../../support/n8n/workflows';
import { until } from '../../../platform/support/until';
import { batchQueueOfSuite, begin, ended } from './batchQueue';

const PRODUCTS = 3_000;
const BATCHES = PRODUCTS / 100;
const BATCH = '/products/batch';
const ENDED_MS = 120_000;
describe(`${PRODUCTS} products by Create or Update on a worker in queue mode`, () => {
	const environment = batchQueueOfSuite();
	let address: string;

	before(async () => {
		const products = {
			name: 'Products',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body.products', options: {} },
		};
		const write = shopNode('Write', {
			resource: 'product',
			operation: 'upsert',
			specifyProduct: 'autoMapInputData',
			requestOptions: { maxRequestsAtOnce: 2 },
		});
		const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 };
		const parts = [products, { ...write, ...retry }];
		address = await publishWebhook(environment, 'Catalogue', {}, parts);
	});

	const batchRequests = async () =>
		(await environment.platform.control.requests()).filter(({ target }) => target.endsWith(BATCH));

	/** Sends a catalogue to the workflow. @returns the id of its execution */
	const send = async (name: string): Promise<number> => {
		const products = Array.from({ length: PRODUCTS }, (_, n) => ({
			sku: `${name}-${n}`,
			title: `Product ${name} ${n}`,
		}));
		return await begin(environment, address, { products });
	};

	/** How many products the shop has, and how often each SKU was written. */
	async function written(): Promise<{ products: number; times: Record<string, number> }> {
		const { control } = environment.platform;
		const applied = (await control.counters()).writesByIdempotencyKey;
		const first = new Map(
			(await batchRequests()).map(({ headers, body }) => [
				String(headers['idempotency-key']),
				body,
			]),
		);
		const skus = [...first].flatMap(([key, body]) => {
			const { operations } = JSON.parse(body ?? '') as { operations: Array<{ sku: string }> };
			return Array.from({ length: applied[key] ?? 0 }, () =>
				operations.map(({ sku }) => sku),
			).flat();
		});
		return { products: (await control.records('products')).count, times: tally(skus) };
	}

	it('writes each once although one request in five fails and n8n runs the node again', async () => {
		const { control } = environment.platform;
		await control.setFaults([BATCH_FAULTS, GIVEN_UP]);
		const execution = await send('A');
		assert.equal(await ended(environment, execution), 'success');
		const { products, times } = await written();
		const requests = await batchRequests();
		const { replays } = await control.counters();
		console.log(
			`  ${requests.length} requests for ${BATCHES} batches, ${replays} of them answered from memory; answers ${JSON.stringify(tally(requests.map(({ status }) => String(status))))}; times a product was written: ${JSON.stringify(tally(Object.values(times)))}`,
		);
		assert.equal(products, PRODUCTS);
		assert.deepEqual(tally(Object.values(times)), { 1: PRODUCTS });
		assert.equal(Object.keys((await control.counters()).writesByIdempotencyKey).length, BATCHES);
	});

	it('is not run again by n8n when its worker is killed, and a second run leaves each product there once', async () => {
		const { control } = environment.platform;
		await control.resetCounters();
		await control.setFaults([{ method: 'POST', path: BATCH, fault: 'slow', ms: 300 }]);
		const execution = await send('B');
		await until('some batches', ENDED_MS, async () => (await batchRequests()).length >= 8);
		await environment.worker.kill();
		await environment.worker.start();
		const status = await ended(environment, execution);
		const before = (await batchRequests()).length;
		await control.setFaults([]);
		assert.equal(await ended(environment, await send('B')), 'success');
		const { products, times } = await written();
		console.log(
			`  killed after ${before} requests, execution: ${status}; after a second run, times a product was written: ${JSON.stringify(tally(Object.values(times)))}`,
		);
		assert.ok(before < BATCHES, 'n8n did not run the killed execution again');
		assert.equal(products, 2 * PRODUCTS);
		assert.ok(Object.values(times).every((count) => count <= 2));
		assert.equal(Object.keys(times).length, PRODUCTS);
	});
});
