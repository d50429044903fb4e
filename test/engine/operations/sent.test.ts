import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeResult } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

interface Sent {
	body: unknown;
	headers: Record<string, string>;
}

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** Runs the node once; every write is answered with a record. */
async function send(parameters: IDataObject): Promise<{ sent: Sent[]; result: NodeResult }> {
	const sent: Sent[] = [];
	for (const method of ['POST', 'PUT', 'PATCH']) {
		nock(BASE_URL)
			.persist()
			.intercept(/.*/, method)
			.reply(function (_uri, body) {
				sent.push({ body, headers: this.req.headers as Record<string, string> });
				return [200, { data: { id: 'rec_1' } }];
			});
	}
	return { sent, result: await runNode({ parameters }) };
}

it('fulfils everything that is open by sending no items, only where that is chosen', async () => {
	const fulfill = { resource: 'order', operation: 'fulfill', orderId: byId('ord_1') };
	const chosen = await send({ ...fulfill, specifyItems: 'everything', carrier: 'dhl' });
	expect(chosen.sent.map(({ body }) => body)).toEqual([{ carrier: 'dhl' }]);
	for (const items of [{}, { item: [] }]) {
		nock.cleanAll();
		const { sent, result } = await send({ ...fulfill, specifyItems: 'defineBelow', items });
		expect(sent).toEqual([]);
		expect(result.error?.message).toBe('“Items” is empty');
	}
});

it('keeps what it does not know of a price, and takes out what it has put there itself', async () => {
	const price = { amount: 1999, currency: 'EUR', decimal: 19.99, compare_at: 2500 };
	const { sent } = await send({
		resource: 'product',
		operation: 'create',
		title: 'Shirt',
		additionalFields: {
			variantsJson: JSON.stringify([{ sku: 'A', prices: [price], barcode: null }]),
		},
	});
	expect(sent[0].body).toEqual({
		title: 'Shirt',
		variants: [
			{ sku: 'A', prices: [{ amount: 1999, currency: 'EUR', compare_at: 2500 }], barcode: null },
		],
	});
});

describe('If-Match', () => {
	const set = {
		resource: 'inventory',
		operation: 'set',
		sku: 'A',
		locationId: 'sloc_1',
		quantity: 1,
	};
	const adjust = {
		resource: 'inventory',
		operation: 'adjust',
		sku: 'A',
		locationId: 'sloc_1',
		delta: 1,
	};

	it.each([
		['={{ 7 }}', '"7"'],
		['7', '"7"'],
		['"7"', '"7"'],
		['W/"7"', 'W/"7"'],
		['*', '*'],
	])('takes the version %s', async (ifMatch, header) => {
		for (const operation of [set, adjust]) {
			nock.cleanAll();
			const { sent, result } = await send({ ...operation, options: { ifMatch } });
			expect(result.error).toBeUndefined();
			expect(sent[0].headers['if-match']).toBe(header);
		}
	});
});

describe('a conflict without an error code', () => {
	const level = { sku: 'A', location_id: 'sloc_1', quantity: 5 };
	const adjust = (onConflict: string) => ({
		resource: 'inventory',
		operation: 'adjust',
		sku: 'A',
		locationId: 'sloc_1',
		delta: -1,
		options: { ifMatch: '7', onConflict },
	});

	it('of an adjustment gives the current level, where that is chosen', async () => {
		nock(BASE_URL).post('/inventory/levels/adjust').reply(409);
		nock(BASE_URL)
			.get('/inventory/levels')
			.query(true)
			.reply(200, { data: [level] });
		const { items } = await runNode({ parameters: adjust('returnCurrent') });
		expect(items[0].json).toEqual({ ...level, writeSkipped: true });
	});

	it('of an adjustment sends the difference again without If-Match, where that is chosen', async () => {
		const headers: unknown[] = [];
		for (const status of [409, 200]) {
			nock(BASE_URL)
				.post('/inventory/levels/adjust')
				.reply(function () {
					headers.push([this.req.headers['if-match'], this.req.headers['idempotency-key']]);
					return [status, status === 200 ? { data: level } : undefined];
				});
		}
		const { items } = await runNode({ parameters: adjust('overwrite') });
		expect(items[0].json).toEqual(level);
		expect(headers).toEqual([
			['"7"', expect.anything()],
			[undefined, expect.anything()],
		]);
		const [[, first], [, second]] = headers as unknown[][];
		expect(first).not.toEqual(second);
	});

	it('of an order gives the current order, where that is chosen', async () => {
		nock(BASE_URL).post('/orders/ord_1/cancel').reply(409);
		nock(BASE_URL)
			.get('/orders/ord_1')
			.reply(200, { data: { id: 'ord_1', status: 'fulfilled' } });
		const { items } = await runNode({
			parameters: {
				resource: 'order',
				operation: 'cancel',
				orderId: byId('ord_1'),
				options: { ifNotAllowed: 'returnCurrent' },
			},
		});
		expect(items[0].json).toMatchObject({ status: 'fulfilled', transitionSkipped: true });
	});
});

describe('a list', () => {
	const list = async (options: IDataObject, requests: IDataObject = {}, status = 200) => {
		const sent: Array<{ query: Record<string, string>; etag: unknown }> = [];
		nock(BASE_URL)
			.get('/customers')
			.query(true)
			.reply(function (uri) {
				const query = Object.fromEntries(new URL(uri, BASE_URL).searchParams);
				sent.push({ query, etag: this.req.headers['if-none-match'] });
				return [status, status === 200 ? { data: [{ id: 'cust_1' }] } : undefined];
			});
		const parameters = {
			resource: 'customer',
			operation: 'getAll',
			returnAll: true,
			options,
			requests,
		};
		return { sent, result: await runNode({ parameters }) };
	};
	const further = (...parameter: IDataObject[]) => ({ furtherQuery: { parameter } });

	it('takes query parameters that have no field', async () => {
		const { sent } = await list(further({ name: 'q', value: 'Ada & Söhne' }));
		expect(sent[0].query).toMatchObject({ limit: '250', q: 'Ada & Söhne' });
	});

	it.each([
		[{ name: 'cursor', value: 'x' }, 'Use “Start Cursor”.'],
		[{ name: 'limit', value: '5' }, 'Use “Limit”.'],
	])('does not let them break its own pages: %j', async (parameter, remedy) => {
		const { sent, result } = await list(further(parameter));
		expect(sent).toEqual([]);
		expect(result.error?.description).toBe(remedy);
	});

	it('refuses a name that JavaScript would lose', async () => {
		const { sent, result } = await list(further({ name: '__proto__', value: '1' }));
		expect(sent).toEqual([]);
		expect(result.error?.message).toContain('cannot be “__proto__”');
	});

	it('refuses one without a value, and one that is set twice', async () => {
		const none = await list(further({ name: 'q', value: '={{ $json.none }}' }));
		expect(none.result.error?.message).toBe('“Further Query Parameters: q” has no value');
		nock.cleanAll();
		const twice = await list(further({ name: 'q', value: 'a' }, { name: 'q', value: 'b' }));
		expect(twice.result.error?.message).toContain('sets “q” a second time');
	});

	it('asks for pages of a size of one’s own', async () => {
		expect((await list({}, { pageSize: 40 })).sent[0].query.limit).toBe('40');
	});

	it('says that nothing has changed, where its ETag is known', async () => {
		const { sent, result } = await list({}, { ifNoneMatch: '"abc"' }, 304);
		expect(sent[0].etag).toBe('"abc"');
		expect(result.items.map(({ json }) => json)).toEqual([{ notModified: true }]);
	});
});

it('sends a write once, where Retry Writes is Never', async () => {
	let attempts = 0;
	nock(BASE_URL)
		.persist()
		.post('/products')
		.reply(() => [503, String(attempts++)]);
	const { error } = await runNode({
		parameters: {
			resource: 'product',
			operation: 'create',
			title: 'T',
			requests: { retryWrites: 'never' },
		},
	});
	expect(error).toBeDefined();
	expect(attempts).toBe(1);
});
