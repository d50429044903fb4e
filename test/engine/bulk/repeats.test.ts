import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeRun } from '../../support/engine/runNode';
import { BASE_URL } from '../../support/testShop';
import { INPUT_ITEM, productItems } from './bulkShop';

// Waits between attempts have full jitter: with this every wait is its least.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	nock.cleanAll();
});
afterAll(() => nock.restore());

/** What arrives: the SKUs of each batch, and its key. */
interface Sent {
	skus: unknown[];
	key: string;
}

/**
 * A platform that answers each operation with the next status of its SKU, the last one again and again; and a key
 * that it knows with the answer that the key had before.
 */
function platform(statuses: Record<string, number[]>): Sent[] {
	const sent: Sent[] = [];
	const answers = new Map<string, IDataObject[]>();
	nock(BASE_URL)
		.persist()
		.post('/products/batch')
		.reply(function (_uri, body) {
			const { operations } = body as { operations: IDataObject[] };
			const key = String(this.req.headers['idempotency-key']);
			sent.push({ skus: operations.map(({ sku }) => sku), key });
			const results = answers.get(key) ?? operations.map((one) => resultOf(one, statuses));
			answers.set(key, results);
			return [207, { results }];
		});
	return sent;
}

function resultOf({ sku }: IDataObject, statuses: Record<string, number[]>): IDataObject {
	const left = statuses[String(sku)] ?? [200];
	return { sku, status: left.length > 1 ? left.shift() : left[0] };
}

const RESET = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
const CONTINUE: Partial<NodeRun> = { onError: 'continueRegularOutput' };

const upsert = async (requests: IDataObject = {}, more = CONTINUE) =>
	await runNode({
		...more,
		items: productItems(3),
		parameters: { resource: 'product', operation: 'upsert', ...INPUT_ITEM, requests },
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

it('asks anew for a batch that was refused as one answer, when n8n runs the node again', async () => {
	const all = { 'SKU-0': [422, 200], 'SKU-1': [422, 422, 200], 'SKU-2': [409, 200] };
	const sent = platform(all);
	const { items, error } = await upsert({}, { retryOnFail: { maxTries: 3 } });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
	expect(sent.map(({ skus }) => skus)).toEqual([
		['SKU-0', 'SKU-1', 'SKU-2'],
		['SKU-0', 'SKU-1', 'SKU-2'],
		['SKU-1'],
	]);
	expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

it('asks anew for one product that is refused again and again', async () => {
	const sent = platform({ 'SKU-1': [422, 422, 422, 200] });
	const { error } = await upsert({}, { retryOnFail: { maxTries: 4 } });
	expect(error).toBeUndefined();
	expect(sent.slice(1).map(({ skus }) => skus)).toEqual([['SKU-1'], ['SKU-1'], ['SKU-1']]);
	expect(new Set(sent.map(({ key }) => key)).size).toBe(4);
});

it('keeps the key of a batch of which the answer does not tell what became of it', async () => {
	const sent = platform({ 'SKU-0': [202], 'SKU-1': [202], 'SKU-2': [202] });
	const { error } = await upsert({}, { retryOnFail: { maxTries: 2 } });
	expect(error?.message).toContain('not confirmed');
	expect(sent).toHaveLength(2);
	expect(sent[1]).toEqual(sent[0]);
});

it('says of what fails by itself after a lost answer that it may have been done, and does not repeat it', async () => {
	nock(BASE_URL).post('/products/batch').replyWithError(RESET);
	const sent = platform({ 'SKU-0': [409], 'SKU-1': [503] });
	const { items } = await upsert();
	expect(sent).toHaveLength(1);
	for (const { json } of items.slice(0, 2)) {
		expect(json.error).toBe('The platform refused this product');
		expect(json.description).toContain('may have done it all the same');
	}
	expect(items[2].json).toMatchObject({ written: true });
}, 30_000);

it('says so as well of a refusal under a key that n8n’s first try had sent', async () => {
	nock(BASE_URL).post('/products/batch').replyWithError(RESET);
	const sent = platform({ 'SKU-0': [422] });
	const { error } = await upsert({ maxRetryWait: 0 }, { retryOnFail: { maxTries: 9 } });
	expect(sent.length).toBeGreaterThan(0);
	expect(error?.description).toContain('may have done it all the same');
}, 30_000);
