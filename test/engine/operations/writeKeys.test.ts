import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byMode,
	type NodeRun,
	runOperation,
	type StubAnswer,
	stubApi,
	type StubRequest,
} from '../../support/engine';

const DONE: StubAnswer = [200, { data: { id: 'rec_1' } }];
const A = { order: 'ord_1', note: 'a' };

const note = async (
	items: IDataObject[],
	parameters: IDataObject = {},
	more: Partial<NodeRun> = {},
) => {
	const orderId = byId('={{ $json.order }}');
	const updateFields = { merchant_note: '={{ $json.note }}' };
	return await runOperation(
		'order.update',
		{ orderId, updateFields, ...parameters },
		{ items, ...more },
	);
};
const keysOf = (sent: StubRequest[]) => sent.map(({ headers }) => headers['idempotency-key']);

/** The keys of runs of their own. */
const keyOf = async (item: IDataObject, more: Partial<NodeRun> = {}) => {
	const sent = stubApi({ '*': [DONE] });
	await note([item], {}, more);
	return keysOf(sent)[0];
};

it('a key covers path, body, item, workflow, node and execution: where all come again, it is the same', async () => {
	const first = await keyOf(A);
	expect(first).toMatch(/^[\w-]{43}$/);
	expect(await keyOf(A)).toBe(first);
	const sent = stubApi({ '*': [DONE] });
	await note([A, A]);
	const others = [
		keysOf(sent)[1],
		await keyOf({ ...A, order: 'ord_2' }),
		await keyOf({ ...A, note: 'b' }),
		await keyOf(A, { executionId: 'another' }),
		await keyOf(A, { workflowId: 'another' }),
		await keyOf(A, { nodeId: 'another' }),
	];
	expect(new Set([first, ...others]).size).toBe(7);
});

it.each([true, false])(
	'every call of an AI tool has a key of its own, by RoutingNode: %s',
	async (routingNode) => {
		const sent = stubApi({ '*': [[503], DONE] });
		for (let calls = 0; calls < 2; calls++) {
			const { error } = await note([A], {}, { typeName: 'test.nodeTool', routingNode });
			expect(error).toBeUndefined();
		}
		const [first, again, next] = keysOf(sent);
		expect(again).toBe(first);
		expect(next).not.toBe(first);
	},
);

describe('Retry On Fail', () => {
	it.each([
		['the first body again under the first key, where it may have been applied', 500, 1],
		['the item read anew, under a key of its own, after a definite refusal', 400, 2],
	])('sends %s', async (_what, status, different) => {
		const sent = stubApi({ '*': [[status], DONE] });
		const updateFields = { merchant_note: '={{ Math.random() + " " }}' };
		const parameters = { updateFields, requests: { maxRetryWait: 0 } };
		const { error } = await note([A], parameters, { retryOnFail: { maxTries: 2 } });
		expect(error).toBeUndefined();
		expect(sent).toHaveLength(2);
		expect(new Set(sent.map(({ text }) => text)).size).toBe(different);
		expect(new Set(keysOf(sent)).size).toBe(different);
	});

	it('sends it again to the record that it was sent to, whatever its name finds now', async () => {
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
		const requests = { maxRetryWait: 0 };
		const parameters = { productId, updateFields: { handle: 'new' }, requests };
		const more = { retryOnFail: { maxTries: 2 } };
		const { error } = await runOperation('product.update', parameters, more);
		expect(error).toBeUndefined();
		expect(sent.map(({ route }) => route)).toEqual([
			'GET /products',
			...Array<string>(2).fill('PATCH /products/prod_1'),
		]);
	});

	it('says that it may have been done where the item cannot be read again', async () => {
		stubApi({ '*': ['ECONNRESET'] });
		const parameters = {
			updateFields: {
				merchant_note: '={{ $runIndex === 0 && $now.toMillis() > $json.until ? {} : "a" }}',
			},
			requests: { maxRetryWait: 0 },
		};
		const items = [{ ...A, until: Date.now() + 300 }];
		const retryOnFail = { maxTries: 2, waitBetweenTries: 600 };
		const { error } = await runOperation(
			'order.update',
			{ orderId: byId('ord_1'), ...parameters },
			{ items, retryOnFail },
		);
		expect(error?.description).toContain('An earlier try may have done it');
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
		const { error } = await runOperation(
			operation,
			{
				orderId: byId('={{ $json.order }}'),
				updateFields: { merchant_note: '={{ $json.note }}' },
				...{ sku: 'A', locationId: 'sloc_main', quantity: 1 },
				options: { idempotencyKey: 'constant' },
			},
			{ items },
		);
		expect(error?.message).toBe('“Idempotency Key” “constant” stands for two items of this run');
		expect(sent).toEqual([]);
	},
);
