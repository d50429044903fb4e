import type { IDataObject } from 'n8n-workflow';

import {
	type NodeRun,
	runOperation,
	stubApi,
	withFastClock,
	withLeastWaits,
} from '../../support/engine';
import { CONTINUE, productItems, SKU_AND_TITLE } from './bulkShop';

withLeastWaits();
withFastClock();

const ALL = ['SKU-0', 'SKU-1', 'SKU-2'];

/**
 * Writes three products to a platform that answers each operation with the next status of its SKU, the last one again
 * and again, and a known key with the answer that the key had before.
 *
 * @param lost how many answers are lost first
 * @returns the SKUs of each batch, and its key
 */
async function upsert(
	statuses: Record<string, number[]>,
	requestOptions: IDataObject = {},
	more: Partial<NodeRun> = CONTINUE,
	lost = 0,
) {
	const answers = new Map<unknown, IDataObject[]>();
	const batches: unknown[][] = [];
	const keys: unknown[] = [];
	let left = lost;
	stubApi({
		'POST /products/batch': ({ body, headers }) => {
			if (left-- > 0) return 'ECONNRESET';
			const { operations } = body as { operations: Array<{ sku: string }> };
			const key = headers['idempotency-key'];
			batches.push(operations.map(({ sku }) => sku));
			keys.push(key);
			const results =
				answers.get(key) ??
				operations.map(({ sku }) => {
					const own = statuses[sku] ?? [200];
					return { sku, status: own.length > 1 ? own.shift() : own[0] };
				});
			answers.set(key, results);
			return [207, { results }];
		},
	});
	const parameters = { ...SKU_AND_TITLE, requestOptions };
	const result = await runOperation('product.upsert', parameters, {
		...more,
		items: productItems(3),
	});
	return { ...result, batches, keys: new Set(keys).size };
}

it('sends no operation again by itself, whatever the platform says of it', async () => {
	const { json, batches } = await upsert({ 'SKU-0': [503, 200], 'SKU-1': [422, 200] });
	expect(batches).toEqual([ALL]);
	expect(json.map((item) => 'error' in item)).toEqual([true, true, false]);
	expect(JSON.stringify(json[0])).toContain('If it was only busy, run it again.');
});

it.each<[string, Record<string, number[]>, string[][]]>([
	[
		'a batch that was refused as one answer',
		{ 'SKU-0': [422, 200], 'SKU-1': [422, 422, 200], 'SKU-2': [409, 200] },
		[ALL, ALL, ['SKU-1']],
	],
	[
		'one product that is refused again and again',
		{ 'SKU-1': [422, 422, 422, 200] },
		[ALL, ['SKU-1'], ['SKU-1'], ['SKU-1']],
	],
])('asks anew for %s, when n8n runs the node again', async (_what, statuses, expected) => {
	const { items, error, batches, keys } = await upsert(
		statuses,
		{},
		{ retryOnFail: { maxTries: 4 } },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
	expect(batches).toEqual(expected);
	expect(keys).toBe(expected.length);
});

it('keeps the key of a batch if the answer does not tell its outcome', async () => {
	const statuses = { 'SKU-0': [102], 'SKU-1': [102], 'SKU-2': [102] };
	const { error, batches, keys } = await upsert(statuses, {}, { retryOnFail: { maxTries: 2 } });
	expect(error?.message).toContain('not confirmed');
	expect(batches).toEqual([ALL, ALL]);
	expect(keys).toBe(1);
});

it('says that a product that fails after a lost answer may have been written, and does not repeat it', async () => {
	const { json, failures, batches } = await upsert(
		{ 'SKU-0': [409], 'SKU-1': [503] },
		{},
		CONTINUE,
		1,
	);
	expect(batches).toHaveLength(1);
	for (const failure of failures.slice(0, 2)) {
		expect(failure?.message).toBe('The platform refused this product');
		expect(failure?.description).toContain('may have done it all the same');
	}
	expect(json[2]).toMatchObject({ written: true });
});

it('says the same of a refusal under a key that n8n’s first try had sent', async () => {
	const tries = { retryOnFail: { maxTries: 9 } };
	const { error, batches } = await upsert({ 'SKU-0': [422] }, { maxRetryWait: 0 }, tries, 1);
	expect(batches.length).toBeGreaterThan(0);
	expect(error?.description).toContain('may have done it all the same');
});
