import fc from 'fast-check';

import { readBatchResults, saysNotDone } from '../../../../nodes/shared/shop/answers';

const UPDATE = '/v1/products/prod_1';
const REFUNDS = '/v1/orders/ord_1/refunds';
const FULFILLMENTS = '/v1/orders/ord_1/fulfillments';
const LEVELS = '/v1/inventory/levels';
const ADJUST = `${LEVELS}/adjust`;

const PRODUCT = { id: 'prod_1', title: 'Mug', status: 'draft' };
const LEVEL = { sku: 'A', location_id: 'sloc_main', quantity: 3 };

it.each<[unknown, string?]>([
	[{ error: 'taken' }],
	[{ success: 'false' }],
	[{ ok: false, reason: 'shipped' }],
	[{ status: 'fail', data: { title: 'is needed' } }],
	[{ code: 409, message: 'taken' }],
	[{ code: 'CONFLICT', message: 'taken' }],
	[{ type: 'about:blank', title: 'Conflict', status: 409 }],
	[{ result: { success: false } }],
	[{ success: false, data: PRODUCT }],
	[{ data: { customer: null, user_errors: [{ message: 'taken' }] } }],
	[{ data: { orderCancel: { order: null, userErrors: [{ message: 'taken' }] } } }],
	[{ data: { ...PRODUCT, errors: ['not saved'] } }],
	[{ ...PRODUCT, success: false }],
	[{ product: { ...PRODUCT, error: 'not saved' } }],
	[[{ status: 422 }]],
	[{ data: [{ status: 422, error: { code: 'INVALID' } }] }],
	[{ results: [{ id: 'prod_1', status: 422 }] }],
	[{ data: { id: 'ref_1', status: 'declined' } }, REFUNDS],
	[{ refund: { id: 'ref_1', state: 'FAILED' } }, REFUNDS],
	[{ data: { id: 'ref_1', refund_status: 'failed' } }, REFUNDS],
	[{ id: 'ful_1', status: 'failure' }, FULFILLMENTS],
	[{ id: 'ful_1', status: 'cancelled' }, FULFILLMENTS],
	[{ adjustment: { id: 'adj_1', status: 'rejected' }, level: LEVEL }, ADJUST],
])('a write is not done where the answer is %j', (body, path = UPDATE) =>
	expect(saysNotDone(body, path)).toBe(true),
);

it.each<[unknown, string?]>([
	...[undefined, null, [], {}, 'text', { data: null }].map((body): [unknown] => [body]),
	[PRODUCT],
	[{ data: { ...PRODUCT, status: 'rejected', failed_syncs: 3, last_sync: { status: 'failed' } } }],
	[{ data: { ...PRODUCT, error: null, errors: [], user_errors: [] } }],
	[{ success: true, error: false, errors: {}, message: 'Saved', code: 'OK', data: PRODUCT }],
	[{ error: { code: 0, message: '' }, data: PRODUCT }],
	[{ code: 'ORDER_CANCELLED', message: 'The order is cancelled' }],
	[{ cancelled: true }],
	[{ status: 'accepted', job_id: 'job_1' }],
	[{ status: 'partially_refunded' }, REFUNDS],
	[{ data: { id: 'ref_1', status: 'pending', failure_reason: null, processed: false } }, REFUNDS],
	[{ data: { id: 'ord_1', refunds: [{ status: 'failed' }] } }, REFUNDS],
	[{ data: { id: 'ful_1', status: 'success', order: { status: 'payment_failed' } } }, FULFILLMENTS],
	[{ items: [{ line_item_id: 'li_1', status: 'rejected' }] }, FULFILLMENTS],
	[{ data: { ...LEVEL, rejected: 4, code: 'A-12', message: null, status: 'active' } }, ADJUST],
	[{ data: [{ status: 200, data: PRODUCT }] }],
	[{ data: { ...LEVEL, status: 'not_tracked', location: { code: '404' } } }, LEVELS],
])('a write is done where the answer is %j', (body, path = UPDATE) =>
	expect(saysNotDone(body, path)).toBe(false),
);

it('whatever stands deeper in a record is data', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.stringMatching(/^x_\w{0,9}$/), fc.jsonValue()), (fields) => {
			fc.pre(!/user_?errors/i.test(JSON.stringify(fields)));
			const order = { id: 'ord_1', status: 'failed', payment: { status: 'failed' }, ...fields };
			expect(saysNotDone({ data: order }, UPDATE)).toBe(false);
		}),
	);
});

it('reads any JSON', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
			expect(typeof saysNotDone(body, REFUNDS)).toBe('boolean');
		}),
	);
});

const FAILED = { success: false, error: 'taken' };

it.each<[string, object[], string[]]>([
	[
		'count from 0',
		[
			{ index: 2, success: true },
			{ index: 0, ...FAILED },
		],
		['failed', '?', 'done'],
	],
	[
		'count from 1',
		[
			{ index: 3, success: true },
			{ index: 1, ...FAILED },
		],
		['failed', '?', 'done'],
	],
	['may count from either', [{ index: 1, ...FAILED }], ['?', '?', '?']],
	['contradict each other', [0, 3].map((index) => ({ index, ...FAILED })), ['failed', '?', '?']],
])('results of a batch are found where their indexes %s', (_how, results, expected) => {
	const kinds = readBatchResults(['A', 'B', 'C'], { results }).map(({ kind }) => kind);
	expect(kinds).toEqual(expected.map((kind) => (kind === '?' ? 'notConfirmed' : kind)));
});

it.each([
	[{ code: 'INVALID' }, 'failed'],
	['taken', 'failed'],
	[true, 'failed'],
	[{}, 'done'],
	['', 'done'],
	[1, 'done'],
	[[{ sku: 'B', message: 'taken' }], 'done'],
])('an error beside the results of a batch: %j', (error, expected) => {
	const results = [
		{ sku: 'A', status: 200 },
		{ sku: 'B', ...FAILED },
	];
	const kinds = readBatchResults(['A', 'B'], { error, results }).map(({ kind }) => kind);
	expect(kinds).toEqual([expected, 'failed']);
});

it('reads the SKU of each entry of a batch a few times, however large the batch is', () => {
	const readsOf = (count: number) => {
		let reads = 0;
		const skus = Array.from({ length: count }, (_, n) => `S${n}`);
		const results = skus.map((sku) => ({
			status: 200,
			get sku() {
				reads++;
				return sku;
			},
		}));
		expect(readBatchResults(skus, { results }).every(({ kind }) => kind === 'done')).toBe(true);
		return reads / count;
	};
	expect(readsOf(100)).toBe(readsOf(10));
});
