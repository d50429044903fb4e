import type { IDataObject } from 'n8n-workflow';

import { byId, runOperation, type StubAnswer, stubApi } from '../../support/engine';

/** It has a number that JavaScript would write differently, one that it cannot hold, and the shop's own fields. */
const MEDIUM =
	'{"sku":"M","title":"Medium","weight":1.1,"gtin":"12345678901234567890","prices":[{"amount":1000,"currency":"EUR","list":null},{"amount":1500,"currency":"JPY"}]}';
const LARGE = '{"sku":"L","title":"Large","prices":[{"amount":2000,"currency":"EUR"}]}';

/** An answer to a read. */
const read = (variants: string[], etag?: string): StubAnswer => [
	200,
	`{"data":{"id":"prod_1","title":"Shirt","variants":[${variants.join(',')}]}}`,
	etag === undefined ? {} : { etag },
];

const row = (amount: string, currency = 'EUR') => ({
	sku: 'M',
	prices: { price: [{ amount, currency }] },
});

const PRICE_OF_M = { variants: { variant: [row('11')] } };

/** Updates the price of M, unless told otherwise. @returns the writes, and the number of reads */
async function update(reads: StubAnswer[], writes: StubAnswer[] = [], more: IDataObject = {}) {
	const sent = stubApi({
		...(reads.length > 0 && { 'GET /products/prod_1': reads }),
		...(writes.length > 0 && { 'PATCH /products/prod_1': writes }),
	});
	const parameters = { productId: byId('prod_1'), updateFields: PRICE_OF_M, ...more };
	const result = await runOperation('product.update', parameters);
	const written = sent.filter(({ route }) => route === 'PATCH /products/prod_1');
	expect(sent).toHaveLength(reads.length + writes.length);
	return {
		...result,
		bodies: written.map(({ text }) => text),
		tags: written.map(({ headers }) => headers['if-match']),
		keys: new Set(written.map(({ headers }) => headers['idempotency-key'])),
	};
}

const CONFLICT: StubAnswer = [409, { error: { code: 'CONFLICT', message: 'Changed' } }];
const DONE = read([LARGE]);

describe('an update of one price', () => {
	it('sends all else of the list back exactly as it was read, under the version that was read', async () => {
		const { error, bodies, tags } = await update([read([MEDIUM, LARGE], '"v7"')], [DONE]);
		expect(error).toBeUndefined();
		const changed = MEDIUM.replace('"amount":1000', '"amount":1100');
		expect(bodies).toEqual([`{"variants":[${changed},${LARGE}]}`]);
		expect(tags).toEqual(['"v7"']);
	});

	it('sends no weak version, which would never match', async () => {
		expect((await update([read([MEDIUM], 'W/"v7"')], [DONE])).tags).toEqual([undefined]);
	});

	it.each<[StubAnswer]>([[CONFLICT], [[412]]])(
		'reads and merges again after a conflict: %j',
		async (conflict) => {
			const other = LARGE.replace('2000', '2100');
			const reads = [read([MEDIUM, LARGE], '"v7"'), read([MEDIUM, other], '"v8"')];
			const { error, bodies, tags, keys } = await update(reads, [conflict, DONE]);
			expect(error).toBeUndefined();
			expect(tags).toEqual(['"v7"', '"v8"']);
			expect(bodies[1]).toContain(other);
			expect(keys.size).toBe(2);
		},
	);

	it('never writes without the version to a platform that has checked it', async () => {
		const same = read([MEDIUM], '"v7"');
		const { error, tags } = await update(
			Array<StubAnswer>(4).fill(same),
			Array<StubAnswer>(4).fill([412]),
		);
		expect(error?.httpCode).toBe('412');
		expect(tags).toEqual(Array(4).fill('"v7"'));
	});

	it('gives up after four conflicts', async () => {
		const reads = [1, 2, 3, 4].map((n) => read([MEDIUM], `"v${n}"`));
		const { error } = await update(reads, Array<StubAnswer>(4).fill(CONFLICT));
		expect(error?.httpCode).toBe('409');
	});

	it('does not take a forbidden change of state for a conflict', async () => {
		const refusal: StubAnswer = [409, { error: { code: 'INVALID_STATE_TRANSITION' } }];
		expect((await update([read([MEDIUM])], [refusal])).error?.httpCode).toBe('409');
	});

	it('replaces the whole list without reading if that is chosen among the fields', async () => {
		const { bodies } = await update([], [DONE], {
			updateFields: { ...PRICE_OF_M, writeVariants: 'replace' },
		});
		const price = '{"amount":1100,"currency":"EUR"}';
		expect(bodies).toEqual([`{"variants":[{"sku":"M","prices":[${price}]}]}`]);
	});

	it('is left out by Only If Changed if the product has the price already', async () => {
		const updateFields = { variants: { variant: [row('10')] } };
		const options = { onlyIfChanged: true };
		const { json } = await update([read([MEDIUM, LARGE])], [], { updateFields, options });
		expect(json).toMatchObject([{ id: 'prod_1', skipped: true }]);
	});

	it('shows in a dry run the one price that it would change', async () => {
		const { json, hint } = await update([read([MEDIUM, LARGE])], [], { options: { dryRun: true } });
		const change = { field: 'variants M prices EUR', new: { amount: 1100, currency: 'EUR' } };
		expect(json).toMatchObject([{ dryRun: true, result: 'would change', ...change }]);
		expect(hint).toContain('It would be 2 requests');
	});
});
