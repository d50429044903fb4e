import fc from 'fast-check';

import { isErrorBody } from '../../../../nodes/shared/errors/errorBody';

/** All that an answer with success may say of a failure. */
const FAILURES = [
	{ error: 'invalid' },
	{ error: { code: 'X' } },
	{ error: true },
	{ errors: [{ code: 'X' }] },
	{ errors: { title: 'is empty' } },
	{ success: false },
	{ ok: false, message: 'no' },
];

/** What stands beside it where there is no data. */
const BESIDE = [
	{},
	{ data: null },
	{ data: {} },
	{ data: [] },
	{ results: [] },
	{ id: null },
	{ message: 'No payment provider', request_id: 'req_1', status: 409, title: 'Mug' },
];

it.each(FAILURES)('knows %j for an error, but beside data', (failure) => {
	for (const beside of BESIDE) expect(isErrorBody({ ...beside, ...failure })).toBe(true);
	for (const data of [{ id: 'x' }, [{ id: 'x' }], 'x', 5])
		expect(isErrorBody({ ...failure, data })).toBe(false);
});

it.each(FAILURES)('takes %j of a record for what the record says', (failure) => {
	expect(isErrorBody({ ...failure, id: 'job_1' })).toBe(false);
	expect(isErrorBody({ ...failure, id: 7 })).toBe(false);
});

it('lets each operation of a batch speak for itself', () => {
	const results = [{ sku: 'A', status: 'ok' }];
	expect(isErrorBody({ results, errors: [{ sku: 'B', code: 'X' }] })).toBe(false);
});

it.each([
	undefined,
	null,
	'error',
	[{ error: 'x' }],
	{},
	{ error: null, errors: [] },
	{ error: '', errors: {} },
	{ error: false },
	{ success: true },
	{ ok: true },
	{ message: 'created' },
	{ code: 'ORDER_CANCELLED', message: 'The order is cancelled', request_id: 'req_1' },
	{ code: 'CONFLICT', sku: 'A', quantity: 3 },
	{ status: 'error' },
	{ status: 404, message: 'no status of this answer' },
	{ type: 'https://types.example/product', title: 'Mug', detail: 'Blue' },
	{ errorMessage: 'none' },
	{ credential: { name: 'ERP' }, rate_limits: {}, status: 'error', message: 'day spent' },
])('knows %j for no error: no other word decides', (body) => {
	expect(isErrorBody(body)).toBe(false);
});

it('survives any JSON', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
			expect(typeof isErrorBody(body)).toBe('boolean');
		}),
	);
});
