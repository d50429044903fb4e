import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { shapeError } from '../../platform/api/shaping/errors';
import { parseDialect } from '../../platform/dialects/dialect';
import { valuesOf } from '../../platform/dialects/table';
import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';
import { BASE_URL } from '../../support/testShop';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

const level = { sku: 'A', location_id: 'sloc_main', quantity: 3 };
const order = { id: 'ord_1', status: 'fulfilled' };

const set = {
	resource: 'inventory',
	operation: 'set',
	sku: 'A',
	locationId: 'sloc_main',
	quantity: 1,
	options: { onConflict: 'returnCurrent' },
};
const cancel = {
	resource: 'order',
	operation: 'cancel',
	orderId: byId('ord_1'),
	options: { ifNotAllowed: 'returnCurrent' },
};

/** Runs a write that is answered 409, where the present record can be read. */
async function refusedWith(body: IDataObject, parameters: IDataObject) {
	nock(BASE_URL).put('/inventory/levels').reply(409, body);
	nock(BASE_URL)
		.get('/inventory/levels')
		.query(true)
		.reply(200, { data: [level] });
	nock(BASE_URL).post('/orders/ord_1/cancel').reply(409, body);
	nock(BASE_URL).get('/orders/ord_1').reply(200, { data: order });
	return await runNode({ parameters });
}

/** Bodies that give no code, as frameworks and standards make them. */
const WITHOUT_CODE: IDataObject[] = [
	{ message: 'stale' },
	{ statusCode: 409, message: 'stale', error: 'Conflict' },
	{ timestamp: '2026-01-02T03:04:05Z', status: 409, error: 'Conflict', path: '/v1/orders' },
	{ type: 'https://shop.example/problems/conflict', title: 'Conflict', status: 409 },
	{ type: 'urn:problem:state', title: 'Conflict', status: 409 },
	{ type: 'error', error: { message: 'stale' } },
	{ code: 409, message: 'stale' },
	{ code: '409', message: 'stale' },
];

describe.each(WITHOUT_CODE)('a 409 without a code, in the form %j', (body) => {
	it('is a conflict of a stock level', async () => {
		const { error, items } = await refusedWith(body, set);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ ...level, writeSkipped: true });
	});

	it('is a change that the order’s state does not allow', async () => {
		const { error, items } = await refusedWith(body, cancel);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ ...order, transitionSkipped: true });
	});
});

/** Where and how a platform may write a code. */
const withCode = (code: string): IDataObject[] => [
	{ code },
	{ error: code },
	{ type: code },
	{ type: 'error', error: { code, message: 'm' } },
	{ type: 'error', error: { type: code, message: 'm' } },
	{ type: 'https://shop.example/problems/x', status: 409, errors: [{ code }] },
	{ statusCode: 409, error: 'Conflict', message: 'm', details: { code } },
	{ type: 'api_error', error: { code } },
	{ error: code, current: { code: 'SUMMER' } },
	{ error: code.toLowerCase() },
	{ error: { code: code.toLowerCase().replaceAll('_', '-') } },
];

describe('a code on a 409', () => {
	it.each(withCode('CONFLICT'))('is known as a conflict of a stock level in %j', async (body) => {
		const { error, items } = await refusedWith(body, set);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ writeSkipped: true });
	});

	it.each(withCode('INVALID_STATE_TRANSITION'))(
		'is known as a state that does not allow it in %j',
		async (body) => {
			const { error, items } = await refusedWith(body, cancel);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ transitionSkipped: true });
		},
	);

	it.each([...withCode('CONFLICT'), ...withCode('NOT_LINKED')])(
		'that means something else leaves the order’s refusal an error: %j',
		async (body) => {
			const { error } = await refusedWith(body, cancel);
			expect(error?.context).toMatchObject({ status: 409 });
		},
	);

	it('in lower case has the same words as in upper case', async () => {
		const { error } = await refusedWith({ code: 'invalid_state_transition' }, set);
		expect(error?.message).toBe('The stock level is in a state that does not allow this');
	});
});

const WRITES: IDataObject[] = [
	set,
	cancel,
	{ resource: 'order', operation: 'refund', orderId: byId('ord_1'), extent: 'platform' },
	{ resource: 'product', operation: 'delete', productId: byId('prod_1') },
];
const READS: IDataObject[] = [
	{ resource: 'order', operation: 'get', orderId: byId('ord_1') },
	{ resource: 'product', operation: 'getAll' },
];
const named = (parameters: IDataObject[]) =>
	parameters.map((one) => [`${String(one.resource)} ${String(one.operation)}`, one] as const);

const answered = (shape: string) => {
	const refusal = { code: 'NOT_LINKED', message: 'No payment provider', request_id: 'req_1' };
	return shapeError(409, { error: refusal }, parseDialect(`errorShape=${shape}`))
		.body as IDataObject;
};
const answerAll = (body: IDataObject) => {
	for (const method of ['GET', 'PUT', 'POST', 'DELETE'])
		nock(BASE_URL).intercept(/.*/, method).reply(200, body);
};
const SHAPES = valuesOf('errorShape').map((shape) => [shape, answered(shape)] as const);
const saysError = (body: IDataObject) => 'error' in body || 'errors' in body;

describe.each(SHAPES.filter(([, body]) => saysError(body)))(
	'an error that was answered 200, in the form “%s”',
	(_shape, body) => {
		beforeEach(() => answerAll(body));

		it.each(named(WRITES))('fails %s, and asks for no further try', async (_name, parameters) => {
			const { error, items } = await runNode({ parameters });
			expect(items).toEqual([]);
			expect(error?.message).toBe('The platform answered with an error');
			expect(error?.description).toContain('No payment provider');
			expect(error?.description).toContain('Look at the record before you send it again.');
			expect(error?.description).not.toMatch(/try again/i);
			expect(error?.context?.request_id).toBe('req_1');
		});

		it.each(named(READS))('fails %s', async (_name, parameters) => {
			const { error, items } = await runNode({ parameters });
			expect(items).toEqual([]);
			expect(error?.message).toBe('The platform answered with an error');
		});
	},
);

it.each(SHAPES.filter(([, body]) => !saysError(body)))(
	'a write that was answered 200 without the word error is done, in the form “%s”',
	async (_shape, body) => {
		answerAll(body);
		const { error, items } = await runNode({ parameters: WRITES[1] });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	},
);

it('of a batch that was answered 200, each operation speaks for itself', async () => {
	nock(BASE_URL)
		.post('/products/batch')
		.reply(200, {
			results: [
				{ sku: 'A', status: 'ok' },
				{ sku: 'B', errors: [{ code: 'TOO_LONG', message: 'The title is too long' }] },
			],
		});
	const { items } = await runNode({
		parameters: { resource: 'product', operation: 'upsert', specifyProduct: 'autoMapInputData' },
		items: [
			{ sku: 'A', title: 'a' },
			{ sku: 'B', title: 'b' },
		],
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => json.error === undefined)).toEqual([true, false]);
	expect(items[1].json.description).toContain('The title is too long');
});
