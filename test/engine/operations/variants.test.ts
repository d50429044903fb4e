import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

/** With a number that JavaScript would write in another way, one that it cannot hold, and fields of its own. */
const MEDIUM =
	'{"sku":"M","title":"Medium","weight":1.1,"gtin":"12345678901234567890","prices":[{"amount":1000,"currency":"EUR","list":null},{"amount":1500,"currency":"JPY"}]}';
const LARGE = '{"sku":"L","title":"Large","prices":[{"amount":2000,"currency":"EUR"}]}';
const product = (...variants: string[]) =>
	`{"data":{"id":"prod_1","title":"Shirt","variants":[${variants.join(',')}]}}`;

interface Sent {
	body: string;
	tag?: string;
	key?: string;
}

/** Answers reads and writes in turn, and keeps the writes. */
function serve(
	reads: Array<{ body: string; etag?: string }>,
	writes: Array<[number, IDataObject?]>,
): Sent[] {
	const sent: Sent[] = [];
	for (const { body, etag } of reads) {
		nock(BASE_URL)
			.get('/products/prod_1')
			.reply(200, body, etag === undefined ? {} : { etag });
	}
	for (const [status, error] of writes) {
		nock(BASE_URL)
			.patch('/products/prod_1')
			.reply(function () {
				const { headers, requestBodyBuffers = [] } = this.req as unknown as {
					headers: Record<string, string | undefined>;
					requestBodyBuffers?: Buffer[];
				};
				const body = Buffer.concat(requestBodyBuffers).toString();
				sent.push({ body, tag: headers['if-match'], key: headers['idempotency-key'] });
				return [status, error ?? JSON.parse(product(LARGE))] as [number, IDataObject];
			});
	}
	return sent;
}

const PRICE = { sku: 'M', prices: { price: [{ amount: '11', currency: 'EUR' }] } };

const update = async (parameters: IDataObject = {}) =>
	await runNode({
		parameters: {
			resource: 'product',
			operation: 'update',
			productId: byId('prod_1'),
			updateFields: { variants: { variant: [PRICE] } },
			...parameters,
		},
	});

const CONFLICT: [number, IDataObject] = [409, { error: { code: 'CONFLICT', message: 'Changed' } }];

afterEach(() => {
	expect(nock.pendingMocks()).toEqual([]);
	nock.cleanAll();
});
afterAll(() => nock.restore());

describe('an update of one price', () => {
	it('sends all else of the list back exactly as it was read, under the version that was read', async () => {
		const sent = serve([{ body: product(MEDIUM, LARGE), etag: '"v7"' }], [[200]]);
		const { error } = await update();
		expect(error).toBeUndefined();
		const changed = MEDIUM.replace('"amount":1000', '"amount":1100');
		expect(sent).toMatchObject([{ body: `{"variants":[${changed},${LARGE}]}`, tag: '"v7"' }]);
	});

	it('sends no weak version, which would never match', async () => {
		const sent = serve([{ body: product(MEDIUM), etag: 'W/"v7"' }], [[200]]);
		await update();
		expect(sent[0].tag).toBeUndefined();
	});

	it.each([[CONFLICT], [[412] as [number]]])(
		'reads and merges again after a conflict: %j',
		async (conflict) => {
			const other = LARGE.replace('2000', '2100');
			const sent = serve(
				[
					{ body: product(MEDIUM, LARGE), etag: '"v7"' },
					{ body: product(MEDIUM, other), etag: '"v8"' },
				],
				[conflict, [200]],
			);
			const { error } = await update();
			expect(error).toBeUndefined();
			expect(sent.map(({ tag }) => tag)).toEqual(['"v7"', '"v8"']);
			expect(sent[1].body).toContain(other);
			expect(sent[1].key).not.toBe(sent[0].key);
		},
	);

	it('drops If-Match where the platform refuses the very version that it gives', async () => {
		const read = { body: product(MEDIUM), etag: '"v7"' };
		const sent = serve([read, read], [[412], [200]]);
		expect((await update()).error).toBeUndefined();
		expect(sent.map(({ tag }) => tag)).toEqual(['"v7"', undefined]);
	});

	it('gives up after four conflicts', async () => {
		const reads = [1, 2, 3, 4].map((n) => ({ body: product(MEDIUM), etag: `"v${n}"` }));
		serve(reads, [CONFLICT, CONFLICT, CONFLICT, CONFLICT]);
		expect((await update()).error?.httpCode).toBe('409');
	});

	it('takes a change of state that is not allowed for no conflict', async () => {
		serve([{ body: product(MEDIUM) }], [[409, { error: { code: 'INVALID_STATE_TRANSITION' } }]]);
		expect((await update()).error?.httpCode).toBe('409');
	});

	it('writes nothing for a SKU that the product does not have', async () => {
		serve([{ body: product(LARGE) }], []);
		expect((await update()).error?.message).toBe(
			'“Variants” names the SKU “M”, which the product does not have',
		);
	});

	it.each([byId('prod_1'), { __rl: true, mode: 'handle', value: 'shirt' }])(
		'sends nothing at all where two rows give one price: %j',
		async (productId) => {
			serve([], []);
			const other = { sku: 'M', prices: { price: [{ amount: '12', currency: 'eur' }] } };
			const updateFields = { variants: { variant: [PRICE, other] } };
			for (const options of [{}, { onlyIfChanged: true }, { dryRun: true }]) {
				const { error } = await update({ productId, updateFields, options });
				expect(error?.message).toBe('“Variants: M” has two prices in EUR');
			}
		},
	);

	it('replaces the whole list where that is chosen, without reading', async () => {
		const sent = serve([], [[200]]);
		await update({ writeVariants: 'replace' });
		expect(sent[0].body).toBe(
			'{"variants":[{"sku":"M","prices":[{"amount":1100,"currency":"EUR"}]}]}',
		);
	});

	it('is left out by Only If Changed where the product has the price already', async () => {
		const same = { sku: 'M', prices: { price: [{ amount: '10', currency: 'EUR' }] } };
		serve([{ body: product(MEDIUM, LARGE) }], []);
		const { items } = await update({
			updateFields: { variants: { variant: [same] } },
			options: { onlyIfChanged: true },
		});
		expect(items[0].json).toMatchObject({ id: 'prod_1', skipped: true });
	});

	it('shows in a dry run the one price that it would change', async () => {
		const read = { body: product(MEDIUM, LARGE) };
		const sent = serve([read, read], []);
		const { items, hints } = await update({ options: { dryRun: true } });
		expect(items[0].json).toMatchObject({
			dryRun: true,
			result: 'would change',
			field: 'variants M prices EUR',
			new: { amount: 1100, currency: 'EUR' },
		});
		expect(JSON.stringify(hints)).toContain('It would be 2 requests');
		expect(sent).toEqual([]);
	});

	it('empties the list only by Fields to Clear', async () => {
		const sent = serve([], [[200]]);
		await update({ updateFields: {}, clearFields: ['variants'] });
		expect(sent[0].body).toBe('{"variants":[]}');
	});
});
