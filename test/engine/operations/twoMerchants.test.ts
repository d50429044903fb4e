import type { IDataObject } from 'n8n-workflow';

import {
	BASE_URL,
	byId,
	byMode,
	type NodeRun,
	runOperation,
	type StubAnswer,
	stubApi,
} from '../../support/engine';

/** Two shops that use the same order numbers, SKUs and locations. n8n resolves the credential for each item. */
const BY_ITEM = {
	credentials: { baseUrl: `=${BASE_URL}/{{ $json.shop }}/v1`, apiKey: '=key_of_{{ $json.shop }}' },
	items: [
		{ shop: 'north', number: '1001' },
		{ shop: 'south', number: '1001' },
	],
};
const order = (shop: string): StubAnswer => [
	200,
	{ data: [{ id: `ord_${shop}`, number: '1001', status: 'paid' }] },
];
const DONE: StubAnswer = [200, { data: { id: 'rec_1' } }];
const NOTE = {
	orderId: byMode('number', '={{ $json.number }}'),
	updateFields: { merchant_note: 'packed' },
	requestOptions: { idempotencyKey: '=note-{{ $json.number }}', maxRetryWait: 0 },
};
const ONE_ORDER = { orderId: byId('ord_1'), updateFields: { merchant_note: 'packed' } };

/** The items of both in one run, whose credential n8n resolves for each; or two runs at once, each with its credential. */
const WAYS: Record<string, (operation: string, parameters: IDataObject) => Promise<unknown[]>> = {
	'in one run': async (operation, parameters) => await errorsOf(operation, parameters, [BY_ITEM]),
	'in two runs at once': async (operation, parameters) => {
		const runs = BY_ITEM.items.map((item) => ({
			credentials: { baseUrl: `${BASE_URL}/${item.shop}/v1`, apiKey: `key_of_${item.shop}` },
			items: [item],
		}));
		return await errorsOf(operation, parameters, runs);
	},
};

/** The errors of some runs at once. */
async function errorsOf(operation: string, parameters: IDataObject, runs: Array<Partial<NodeRun>>) {
	const results = runs.map(async (run) => await runOperation(operation, parameters, run));
	return (await Promise.all(results)).flatMap(({ error }) => error ?? []);
}

const writesOf = (sent: ReturnType<typeof stubApi>) =>
	sent
		.filter(({ route }) => !route.startsWith('GET'))
		.map(({ route, headers }) => `${route} ${headers['idempotency-key']}`);

describe('two merchants with one order number and one Idempotency-Key of the user’s', () => {
	it.each(Object.keys(WAYS))(
		'each find and write their own order, under that key: %s',
		async (way) => {
			const sent = stubApi({
				'GET /north/*': [order('north')],
				'GET /south/*': [order('south')],
				'PATCH *': [DONE],
			});
			expect(await WAYS[way]('order.update', NOTE)).toEqual([]);
			expect(writesOf(sent).sort()).toEqual([
				'PATCH /north/v1/orders/ord_north note-1001',
				'PATCH /south/v1/orders/ord_south note-1001',
			]);
		},
	);

	it('keep apart what may be repeated: only the write whose answer was lost goes out again', async () => {
		const sent = stubApi({
			'GET /north/*': [order('north')],
			'GET /south/*': [order('south')],
			'PATCH /north/*': ['ECONNRESET', DONE],
			'PATCH /south/*': [DONE],
		});
		const more = { ...BY_ITEM, retryOnFail: { maxTries: 2 } };
		const { error, json } = await runOperation('order.update', NOTE, more);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(writesOf(sent).sort()).toEqual([
			'PATCH /north/v1/orders/ord_north note-1001',
			'PATCH /north/v1/orders/ord_north note-1001',
			'PATCH /south/v1/orders/ord_south note-1001',
		]);
	});
});

describe.each(Object.entries(WAYS))(
	'what outlives one request, for two merchants %s',
	(way, run) => {
		it('a lock: the writes of one do not wait for those of the other to the same ID', async () => {
			let southIsDone = () => {};
			const south = new Promise<void>((resolve) => (southIsDone = resolve));
			stubApi({
				'PATCH /north/*': async () => {
					await south;
					return DONE;
				},
				'PATCH /south/*': () => {
					southIsDone();
					return DONE;
				},
			});
			expect(await run('order.update', ONE_ORDER)).toEqual([]);
		});

		it('the time of a level’s last write: a write of one makes no time of the other later', async () => {
			const nowMs = Date.now();
			jest.spyOn(Date, 'now').mockReturnValue(nowMs);
			const sent = stubApi({ 'PUT *': [[200, { data: { sku: 'MUG-1' } }]] });
			const level = { sku: 'MUG-1', locationId: 'sloc_main', quantity: 5 };
			for (let writes = 0; writes < 2; writes++)
				expect(await run('inventory.set', { ...level, sku: `${level.sku}${way}` })).toEqual([]);
			jest.restoreAllMocks();
			const stampsOf = (shop: string) =>
				sent
					.filter(({ route }) => route.startsWith(`PUT /${shop}/`))
					.map(({ body }) => Date.parse((body as { updated_at: string }).updated_at) - nowMs);
			expect([stampsOf('north'), stampsOf('south')]).toEqual([
				[0, 1],
				[0, 1],
			]);
		});

		it('the key that the node makes: the same change of one order ID has a key in each shop', async () => {
			const sent = stubApi({ 'PATCH *': [DONE] });
			await run('order.update', ONE_ORDER);
			expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
		});
	},
);

describe('what outlives one request, for two merchants', () => {
	// The last one: the 429 holds back that key in this process.
	it('a rate limit: a 429 for the key of one does not hold back the other', async () => {
		const sent = stubApi({
			'PATCH /north/*': [[429, {}, { 'retry-after': '60' }]],
			'PATCH /south/*': [DONE],
		});
		const parameters = { ...ONE_ORDER, requestOptions: { maxRetryWait: 0 } };
		const more = { ...BY_ITEM, onError: 'continueRegularOutput' as const };
		for (let runs = 0; runs < 2; runs++) {
			const { failures } = await runOperation('order.update', parameters, more);
			expect(failures.map((failure) => failure?.message)).toEqual([
				expect.stringContaining('rate limiting'),
				undefined,
			]);
		}
		expect(sent.filter(({ route }) => route.includes('south'))).toHaveLength(2);
	});
});
