import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byMode,
	type NodeRun,
	onlyPage,
	runOperation,
	type StubAnswer,
	stubApi,
	type StubRequest,
	writesIn,
} from '../../support/engine';

const DONE: StubAnswer = [200, { data: { id: 'rec_1' } }];
const A = { order: 'ord_1', note: 'a' };

const NOTE = {
	orderId: byId('={{ $json.order }}'),
	updateFields: { merchant_note: '={{ $json.note }}' },
};
const keysOf = (sent: StubRequest[]) => sent.map(({ headers }) => headers['idempotency-key']);

it.each([true, false])(
	'every call of an AI tool has a key of its own, by RoutingNode: %s',
	async (routingNode) => {
		const sent = stubApi({ '*': [[503], DONE] });
		for (let calls = 0; calls < 2; calls++) {
			const more = { items: [A], typeName: 'test.nodeTool', routingNode };
			const { error } = await runOperation('order.update', NOTE, more);
			expect(error).toBeUndefined();
		}
		const [first, again, next] = keysOf(sent);
		expect(again).toBe(first);
		expect(next).not.toBe(first);
	},
);

describe('Retry On Fail', () => {
	afterEach(() => jest.restoreAllMocks());

	it('sends it again to the same record, whatever its name finds now', async () => {
		let handle = 'old';
		const sent = stubApi({
			'GET *': ({ query }) => [200, { data: query.q === handle ? [{ id: 'prod_1', handle }] : [] }],
			'PATCH *': () => {
				if (handle === 'new') return DONE;
				handle = 'new';
				return 'ECONNRESET';
			},
		});
		const productId = byMode('handle', 'old');
		const requestOptions = { maxRetryWait: 0 };
		const parameters = { productId, updateFields: { handle: 'new' }, requestOptions };
		const more = { retryOnFail: { maxTries: 2 } };
		const { error } = await runOperation('product.update', parameters, more);
		expect(error).toBeUndefined();
		expect(sent.map(({ route }) => route)).toEqual([
			'GET /products',
			...Array<string>(2).fill('PATCH /products/prod_1'),
		]);
	});

	it('says that it may have been applied if the item cannot be read again', async () => {
		const startMs = Date.now();
		stubApi({
			'*': () => {
				jest.spyOn(Date, 'now').mockReturnValue(startMs + 1000);
				return 'ECONNRESET';
			},
		});
		const parameters = {
			...NOTE,
			updateFields: { merchant_note: '={{ $now.toMillis() < $json.until ? "a" : {} }}' },
			requestOptions: { maxRetryWait: 0 },
		};
		jest.spyOn(Date, 'now').mockReturnValue(startMs);
		const items = [{ ...A, until: startMs + 1000 }];
		const { error } = await runOperation('order.update', parameters, {
			items,
			retryOnFail: { maxTries: 2 },
		});
		expect(error?.description).toContain('An earlier try may have done it');
	});
});

describe('n8n’s Retry of a failed execution', () => {
	const refund = { items: [{ order: 'ord_1' }, { order: 'ord_2' }, { order: 'ord_3' }] };
	const parameters = {
		orderId: byId('={{ $json.order }}'),
		extent: 'amount',
		amount: '5.00',
		currency: 'EUR',
		requestOptions: { maxRetryWait: 0, maxRequestsAtOnce: 1 },
	};

	it.each([
		['one whose answer was lost', 'ECONNRESET' as StubAnswer],
		['a refused one', [422, {}] as StubAnswer],
	])('sends nothing again that was done; %s has the same key', async (_what, third) => {
		const sent = stubApi({ 'POST *': [DONE, DONE, third, DONE] });
		const { error, run } = await runOperation('order.refund', parameters, refund);
		expect(error?.description).toContain('2 of 3 items were done: 0 to 1.');
		const retry = await runOperation('order.refund', parameters, { ...refund, retryOf: run });
		expect(retry.error).toBeUndefined();
		expect(retry.json).toEqual(Array(3).fill({ id: 'rec_1' }));
		const posts = sent.filter(({ route }) => route.startsWith('POST'));
		expect(posts.map(({ route }) => route)).toEqual(
			[1, 2, 3, 3].map((n) => `POST /orders/ord_${n}/refunds`),
		);
		const [, , first, again] = keysOf(posts);
		expect(again).toBe(first);
		expect(retry.run.data.executionData?.contextData).not.toHaveProperty(['node:Node', 'writes']);
		const fresh = await runOperation('order.refund', parameters, refund);
		expect(fresh.error).toBeUndefined();
		expect(keysOf(sent.filter(({ route }) => route.startsWith('POST'))).slice(4)).not.toContain(
			first,
		);
	});

	it.each<[string, IDataObject]>([
		[
			'order.fulfill',
			{ orderId: byMode('number', '={{ $json.name }}'), specifyItems: 'everything' },
		],
		['product.setPrices', { sku: '={{ $json.name }}', amount: '5.00', currency: 'EUR' }],
	])('sends what a dry run only showed: %s', async (operation, chosen) => {
		const items = [{ name: '1' }, { name: 'twin' }];
		const sent = stubApi({
			'GET /products/*': [[200, { data: { id: 'rec_1', variants: [{ sku: '1', prices: [] }] } }]],
			'GET *': ({ query: { q, sku } }) => {
				const name = q ?? sku;
				const variants = [{ sku: name, title: 'One', prices: [] }];
				const record = { id: `rec_${name}`, number: name, variants };
				return onlyPage(name === 'twin' ? [record, { ...record, id: 'rec_other' }] : [record]);
			},
			'*': [DONE],
		});
		const run = async (dryRun: boolean, more: Partial<NodeRun>) =>
			await runOperation(operation, { ...chosen, options: { dryRun } }, { items, ...more });
		const dry = await run(true, {});
		expect(dry.error?.description).toContain('1 of 2 items were done: 0.');
		expect(writesIn(sent)).toEqual([]);
		const { failures } = await run(false, { retryOf: dry.run, onError: 'continueRegularOutput' });
		expect(failures.map((failure) => failure === undefined)).toEqual([true, false]);
		expect(writesIn(sent)).toHaveLength(1);
	});

	it('does all that another operation is chosen for', async () => {
		const sent = stubApi({ 'POST *': [DONE, [422, {}], DONE, DONE] });
		const items = [{ order: 'ord_1' }, { order: 'ord_2' }];
		const { run } = await runOperation('order.refund', parameters, { items });
		const cancel = { orderId: parameters.orderId };
		await runOperation('order.cancel', cancel, { items, retryOf: run });
		const posts = sent.filter(({ route }) => route.startsWith('POST'));
		expect(posts.slice(2).map(({ route }) => route)).toEqual([
			'POST /orders/ord_1/cancel',
			'POST /orders/ord_2/cancel',
		]);
	});

	it.each(['A', 'B'])(
		'sends a product of several rows, of which %s was refused as a product of its own',
		async (refused) => {
			let isRefused = true;
			const answer = ({ body }: StubRequest): StubAnswer => {
				const { operations } = body as { operations: IDataObject[] };
				const status = (sku: unknown) => (sku === refused && isRefused ? 'failed' : 'updated');
				return [200, { data: operations.map(({ sku }) => ({ sku, status: status(sku) })) }];
			};
			const sent = stubApi({ 'GET *': [onlyPage([])], 'POST *': answer });
			const items = ['A', 'B'].map((sku) => ({ handle: 'tee', sku, 'Variant Title': sku }));
			const run = async (productPer: string, more: Partial<NodeRun> = {}) => {
				const parameters = { specifyProduct: 'autoMapInputData', productPer };
				return await runOperation('product.upsert', parameters, { items, ...more });
			};
			const perSku = await run('sku');
			expect(perSku.error?.context).toMatchObject({ done: [refused === 'B' ? 1 : 2] });
			isRefused = false;
			const { error } = await run('handle', { retryOf: perSku.run });
			expect(error).toBeUndefined();
			expect(sent.at(-1)?.body).toMatchObject({
				operations: [{ handle: 'tee', variants: [{ sku: 'A' }, { sku: 'B' }] }],
			});
		},
	);

	it('sends no batch again that was done', async () => {
		const entry = ({ body }: StubRequest): StubAnswer => {
			const { operations } = body as { operations: IDataObject[] };
			const status = operations.some(({ sku }) => sku === 'B') ? 'failed' : 'updated';
			return [200, { data: operations.map(({ sku }) => ({ sku, status })) }];
		};
		const sent = stubApi({ 'GET *': [[200, { data: [] }]], 'POST *': entry });
		const upsert = { specifyProduct: 'autoMapInputData', options: { batchSize: 1 } };
		const more = { items: ['A', 'B', 'C'].map((sku) => ({ sku, title: 'T' })) };
		const { error, run } = await runOperation('product.upsert', upsert, more);
		expect(error).toBeDefined();
		const before = sent.length;
		await runOperation('product.upsert', upsert, { ...more, retryOf: run });
		const skus = sent.slice(before).flatMap(({ text }) => text.match(/"sku":"."/g) ?? []);
		expect(skus).not.toContain('"sku":"A"');
		expect(skus).toContain('"sku":"B"');
	});
});

it.each([
	['for two orders', 'order.update', [A, { ...A, order: 'ord_2' }]],
	['for two items that say the same: they are two wishes', 'order.update', [A, A]],
	['for two stamps of one stock level', 'inventory.set', [{}, {}]],
])(
	'a key of the user’s is refused for two items of a run, before anything is sent: %s',
	async (_what, operation, items) => {
		const sent = stubApi({ '*': [DONE] });
		const level = { sku: 'A', locationId: 'sloc_main', quantity: 1 };
		const parameters = { ...NOTE, ...level, requestOptions: { idempotencyKey: 'constant' } };
		const { error } = await runOperation(operation, parameters, { items });
		expect(error?.message).toBe("'Idempotency Key' “constant” is used for two items of this run");
		expect(sent).toEqual([]);
	},
);

describe('of two items that write to one record, if n8n runs the node again', () => {
	const more = { retryOnFail: { maxTries: 2 }, onError: 'continueRegularOutput' as const };

	it.each([
		[
			'notes',
			'order.update',
			{ orderId: byId('ord_1'), updateFields: { merchant_note: '={{ $json.quantity }}' } },
		],
		[
			'stock',
			'inventory.set',
			{ sku: 'A', locationId: 'sloc_1', quantity: '={{ $json.quantity }}' },
		],
	])('the first is not sent after the second: %s', async (_what, operation, parameters) => {
		const sent = stubApi({
			'*': [
				[422, {}],
				[200, { data: { id: 'ord_1', sku: 'A' } }],
			],
		});
		const items = [
			{ quantity: 7, row_number: 4 },
			{ quantity: 5, row_number: 8 },
		];
		const { failures } = await runOperation(operation, parameters, { items, ...more });
		expect(sent.filter(({ route }) => !route.startsWith('GET'))).toHaveLength(2);
		expect(failures[0]?.message).toContain('Row 4');
		expect(failures[0]?.message).toContain('was overtaken: row 8 has written');
		expect(failures[1]).toBeUndefined();
	});

	const byFields = {
		productId: byId('prod_1'),
		updateFields: { title: '={{ $json.title }}', description: '={{ $json.text }}' },
	};

	it('both count if they set different fields, in any order', async () => {
		const sent = stubApi({ 'PATCH *': [[422, {}], DONE] });
		const items = [{ title: 'Rug' }, { text: 'Soft' }];
		const { failures, hint } = await runOperation('product.update', byFields, { items, ...more });
		expect(failures).toEqual([undefined, undefined]);
		const bodies = [{ title: 'Rug' }, { description: 'Soft' }, { title: 'Rug' }];
		expect(sent.map(({ body }) => body)).toEqual(bodies);
		expect(hint).not.toContain('about one record');
	});

	it('a hint names them once, however many fields they share', async () => {
		stubApi({ 'PATCH *': [DONE] });
		const items = ['1', '2'].map((title) => ({ title, text: title }));
		const { hint } = await runOperation('product.update', byFields, { items });
		expect(hint).toContain('Several rows are about one record: rows 1 and 2. Where');
	});

	it('nothing is sent of what was overtaken, if a third one is still to be sent: batches', async () => {
		const sent = stubApi({
			'GET /categories': [
				[403, {}],
				[200, { data: [{ id: 'cat_1', name: 'Rugs' }] }],
			],
			'POST *': [[200, { data: [{ sku: 'A', status: 'updated' }] }]],
		});
		const additionalFields = {
			categories: '={{ $json.category }}',
			description: '={{ $json.text }}',
		};
		const items = [{ text: 'first', category: 'Rugs' }, {}, { category: 'Rugs' }];
		const parameters = { sku: 'A', title: 'Rug', additionalFields };
		const { failures } = await runOperation('product.upsert', parameters, { items, ...more });
		expect(failures.map((failure) => failure?.message)).toEqual([
			expect.stringContaining('was overtaken: row 2 has written'),
			undefined,
			undefined,
		]);
		expect(writesIn(sent).map(({ body }) => body)).toEqual([
			{ operations: [{ op: 'upsert', sku: 'A', title: 'Rug' }] },
			{ operations: [{ op: 'upsert', sku: 'A', title: 'Rug', categories: ['cat_1'] }] },
		]);
	});

	it('the first is not sent after the second, which names the record otherwise', async () => {
		const product = { id: 'prod_1', variants: [{ sku: 'A' }, { sku: 'B' }] };
		const sent = stubApi({
			'GET *': [[200, { data: [product] }]],
			'PATCH *': [
				[422, {}],
				[200, { data: product }],
			],
		});
		const parameters = {
			productId: byMode('sku', '={{ $json.sku }}'),
			updateFields: { title: '={{ $json.title }}' },
		};
		const items = [
			{ sku: 'A', title: 'old' },
			{ sku: 'B', title: 'new' },
		];
		const { failures } = await runOperation('product.update', parameters, { items, ...more });
		const titles = sent.filter(({ route }) => route.startsWith('PATCH')).map(({ body }) => body);
		expect(titles).toEqual([{ title: 'old' }, { title: 'new' }]);
		expect(failures[0]?.message).toContain('was overtaken: row 2 has written');
		expect(failures[1]).toBeUndefined();
	});

	it.each([
		['product.update', 'productId', 'sku', 'TEE-1-11', 'TEE-11-1'],
		['customer.update', 'customerId', 'email', 'j.doe@example.com', 'jdoe@example.com'],
	])(
		'names that only look alike are two records: %s',
		async (operation, parameter, mode, one, other) => {
			const records = [one, other].map((name, n) => ({
				...{ id: `rec_${n}`, email: name, variants: [{ sku: name }] },
			}));
			const sent = stubApi({
				'GET *': ({ query }) =>
					onlyPage(records.filter(({ email }) => email === (query.q ?? query.sku))),
				'PATCH *': [[422, {}], DONE],
			});
			const field = { name: 'title', value: '={{ $json.name }}' };
			const parameters = {
				[parameter]: byMode(mode, '={{ $json.name }}'),
				...(mode === 'sku' ? { updateFields: { title: 'New' } } : { fields: { field: [field] } }),
				requestOptions: { maxRequestsAtOnce: 1 },
			};
			const items = [one, other].map((name) => ({ name }));
			const { failures, hint } = await runOperation(operation, parameters, { items, ...more });
			expect(failures).toEqual([undefined, undefined]);
			expect(writesIn(sent).map(({ target }) => target.at(-1))).toEqual(['0', '1', '0']);
			expect(hint).not.toContain('about one record');
		},
	);

	it('nor in a third try, if the second has sent again what may have been done', async () => {
		const product = { id: 'prod_1', variants: [{ sku: 'A' }, { sku: 'B' }] };
		const sent = stubApi({
			'GET *': [[200, { data: [product] }]],
			'PATCH *': [[422, {}], 'ECONNRESET', [200, { data: product }]],
		});
		const parameters = {
			productId: byMode('sku', '={{ $json.sku }}'),
			updateFields: { title: '={{ $json.title }}' },
			requestOptions: { maxRequestsAtOnce: 1, maxRetryWait: 0 },
		};
		const items = [
			{ sku: 'A', title: 'old' },
			{ sku: 'B', title: 'new' },
		];
		const { failures } = await runOperation('product.update', parameters, {
			...{ items, ...more },
			retryOnFail: { maxTries: 3, waitBetweenTries: 1 },
		});
		const patches = sent.filter(({ route }) => route.startsWith('PATCH'));
		expect(patches.map(({ body }) => body)).toEqual([
			{ title: 'old' },
			{ title: 'new' },
			{ title: 'new' },
		]);
		expect(failures[0]?.message).toContain('was overtaken: row 2 has written');
		expect(failures[1]).toBeUndefined();
	});

	it('the later row counts in every try, and the first says so: batches', async () => {
		const entry = (result: IDataObject): StubAnswer => [200, { data: [{ sku: 'A', ...result }] }];
		const refused = entry({ status: 'failed', error: { message: 'No' } });
		const sent = stubApi({ 'POST *': [refused, entry({ status: 'updated' })] });
		const parameters = { sku: 'A', title: '={{ $json.title }}' };
		const items = [{ title: 'old' }, { title: 'new' }];
		const { failures, json } = await runOperation('product.upsert', parameters, {
			items,
			...more,
		});
		const operations = [{ op: 'upsert', sku: 'A', title: 'new' }];
		expect(sent.map(({ body }) => body)).toEqual([{ operations }, { operations }]);
		expect(failures).toEqual([undefined, undefined]);
		expect(json[0]).toMatchObject({ superseded: true, countingRow: 2 });
		expect(json[1]).not.toHaveProperty('superseded');
	});

	/** Adds the notes A and B to one order, and gives what the order's note was set to. */
	const addNotes = async (answers: StubAnswer[]) => {
		let note = '';
		const sent = stubApi({
			'GET *': () => [200, { data: { id: 'ord_1', merchant_note: note } }],
			'PATCH *': ({ body }) => {
				const answer = answers.shift() ?? DONE;
				if (answer === DONE) note = String((body as IDataObject).merchant_note);
				return answer;
			},
		});
		const parameters = {
			orderId: byId('ord_1'),
			updateFields: { addToMerchantNote: '={{ $json.note }}' },
			requestOptions: { maxRetryWait: 0 },
		};
		const items = [{ note: 'A' }, { note: 'B' }];
		const result = await runOperation('order.update', parameters, { items, ...more });
		return {
			...result,
			notes: writesIn(sent).map(({ body }) => (body as IDataObject).merchant_note),
		};
	};

	it('both lines that are added to a note count, in any order', async () => {
		const { failures, hint, notes } = await addNotes([[422, {}]]);
		expect(failures).toEqual([undefined, undefined]);
		expect(notes).toEqual(['A', 'B', 'B\nA']);
		expect(hint).not.toContain('about one record');
	});

	it('a note that may have been written is not sent again after another line was added', async () => {
		const { failures, notes } = await addNotes(['ECONNRESET']);
		expect(failures[0]?.message).toContain('cannot be sent again');
		expect(notes).toEqual(['A', 'B']);
	});

	it('both stock adjustments count, in any order', async () => {
		const sent = stubApi({
			'*': [
				[422, {}],
				[200, { data: { sku: 'A' } }],
			],
		});
		const parameters = { sku: 'A', locationId: 'sloc_1', delta: '={{ $json.delta }}' };
		const items = [{ delta: 7 }, { delta: 5 }];
		const { failures } = await runOperation('inventory.adjust', parameters, { items, ...more });
		expect(failures).toEqual([undefined, undefined]);
		expect(sent).toHaveLength(3);
	});
});

it('what an earlier try has done comes out as done if the look-up of a later try fails', async () => {
	const level = (sku: string) => ({ sku, location_id: 'sloc_1', quantity: 1 });
	const READ: StubAnswer = [200, { data: [level('A'), level('B')] }];
	const sent = stubApi({
		'GET *': [READ, READ, [403, {}]],
		'PUT *': [
			[422, {}],
			[200, { data: { ...level('B'), quantity: 7 } }],
		],
	});
	const { json, failures } = await runOperation(
		'inventory.set',
		{
			...{ sku: '={{ $json.sku }}', locationId: 'sloc_1', quantity: 7 },
			...{ options: { onlyIfChanged: true }, requestOptions: { maxRequestsAtOnce: 1 } },
		},
		{
			...{ items: [{ sku: 'A' }, { sku: 'B' }], retryOnFail: { maxTries: 2 } },
			onError: 'continueRegularOutput',
		},
	);
	expect(failures).toMatchObject([{ itemIndex: 0, status: 403 }, undefined]);
	expect(json[1]).toMatchObject({ sku: 'B', quantity: 7 });
	expect(sent.filter(({ route }) => route.startsWith('PUT'))).toHaveLength(2);
});
