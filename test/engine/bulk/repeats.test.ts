import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';
import { INPUT_ITEM, productItems } from './bulkShop';

afterAll(() => nock.restore());
afterEach(() => nock.cleanAll());

/** What arrives: the SKUs of each batch, and its key. */
interface Sent {
	skus: unknown[];
	key: string;
}

/** A platform that answers each operation with the next status of its SKU, the last one again and again. */
function platform(statuses: Record<string, number[]>): Sent[] {
	const sent: Sent[] = [];
	nock(BASE_URL)
		.persist()
		.post('/products/batch')
		.reply(function (_uri, body) {
			const { operations } = body as { operations: IDataObject[] };
			sent.push({
				skus: operations.map(({ sku }) => sku),
				key: String(this.req.headers['idempotency-key']),
			});
			const results = operations.map(({ sku }) => {
				const left = statuses[String(sku)] ?? [200];
				return { sku, status: left.length > 1 ? left.shift() : left[0] };
			});
			return [207, { results }];
		});
	return sent;
}

const upsert = async (options: IDataObject = {}) =>
	await runNode({
		items: productItems(3),
		onError: 'continueRegularOutput',
		parameters: { resource: 'product', operation: 'upsert', ...INPUT_ITEM, options },
	});

it('sends again by itself what the platform could not take just then, under a key of its own', async () => {
	const all = { 'SKU-0': [429, 200], 'SKU-1': [503, 200], 'SKU-2': [503, 200] };
	const sent = platform(all);
	const { items } = await upsert();
	expect(items.map(({ json }) => json.written)).toEqual([true, true, true]);
	expect(sent.map(({ skus }) => skus)).toEqual([
		['SKU-0', 'SKU-1', 'SKU-2'],
		['SKU-0', 'SKU-1', 'SKU-2'],
	]);
	expect(sent[0].key).not.toBe(sent[1].key);
});

it('gives up after three times, and never repeats what was refused for good', async () => {
	const sent = platform({ 'SKU-0': [503], 'SKU-1': [422] });
	const { items } = await upsert();
	expect(sent.map(({ skus }) => skus)).toEqual([['SKU-0', 'SKU-1', 'SKU-2'], ['SKU-0'], ['SKU-0']]);
	expect(items.map(({ json }) => 'error' in json)).toEqual([true, true, false]);
}, 30_000);

it.each([
	['whenSurelyNotApplied', [['SKU-0', 'SKU-1', 'SKU-2'], ['SKU-0']]],
	['never', [['SKU-0', 'SKU-1', 'SKU-2']]],
])('repeats no more than Retry Writes allows: %s', async (retryWrites, batches) => {
	const sent = platform({ 'SKU-0': [429, 200], 'SKU-1': [503, 200] });
	await upsert({ retryWrites });
	expect(sent.map(({ skus }) => skus)).toEqual(batches);
});
